/**
 * Texts that everybody reads, by code, in the language that the page was made for. The page's template
 * carries them, from the catalogue (recorder/texts).
 */
/** @typedef {Record<string, string | number>} Values */

/** @type {Record<string, string>} */
const texts = JSON.parse(document.documentElement.dataset.texts ?? "{}");

const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** @param {string} name */
export const isFromTheRight = (name) => FROM_THE_RIGHT.test(name);

/**
 * A name that is written from the right, kept apart: figures beside it would change places with each other.
 * @param {string} name
 */
export const apart = (name) => (isFromTheRight(name) ? `\u2068${name}\u2069` : name);

/**
 * A text with its values: `{name}`, or `{count:tile|tiles}` for a number with its noun.
 * @param {string} code
 * @param {Values} [values]
 */
export function text(code, values = {}) {
  const pattern = texts[code] ?? code.replaceAll("_", " ");
  return pattern.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, single, many) => {
    const value = values[name];
    if (value === undefined) return whole;
    const shown = typeof value === "number" ? String(value).replace("-", "\u2212") : apart(value);
    return single === undefined
      ? shown
      : `${shown} ${Math.abs(Number(value)) === 1 ? single : many}`;
  });
}

/** @param {string} code */
export const hasText = (code) => code in texts;
