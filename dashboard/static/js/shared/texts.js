/**
 * Texts that everybody reads, by code, in the language that the page was made for. The page's template
 * carries them, from the catalogue (recorder/texts).
 */
/** @typedef {Record<string, string | number>} Values */

/** @type {Record<string, string>} */
const texts = JSON.parse(document.documentElement.dataset.texts ?? "{}");

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
    const shown = typeof value === "number" ? String(value).replace("-", "\u2212") : value;
    return single === undefined
      ? shown
      : `${shown} ${Math.abs(Number(value)) === 1 ? single : many}`;
  });
}

/** @param {string} code */
export const hasText = (code) => code in texts;
