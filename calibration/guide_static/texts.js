// The page's texts by code, in its language, with their values; empty for a code that has none.

const texts = JSON.parse(document.documentElement.dataset.texts);

export function text(code, values = {}) {
  return (texts[code] ?? "").replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
