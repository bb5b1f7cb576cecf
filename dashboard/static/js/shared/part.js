/** Elements that a page's template must have: a lack of one is our own mistake, and named. */

/**
 * The first element that fits; throws where there is none.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {E}
 */
export function part(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {E} */ (found);
}
