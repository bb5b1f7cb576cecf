/**
 * Puts changes into a model, the other half of dashboard/live/delta.py. A key that ends in "/" holds the
 * changes inside: of an object, of a list (by place; "+" adds at its end), of a string (overwritten
 * from a place on). What did not change keeps its identity, so that a view can tell by `===`.
 * @param {any} value
 * @param {import("./frames").Changes} changes
 * @returns {any}
 */
export function applied(value, changes) {
  if (typeof value === "string") {
    for (const [at, text] of Object.entries(changes)) {
      value = value.slice(0, Number(at)) + text + value.slice(Number(at) + text.length);
    }
    return value;
  }
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [key, change] of Object.entries(changes)) {
    if (key === "+") copy.push(...change);
    else if (key.endsWith("/")) copy[key.slice(0, -1)] = applied(copy[key.slice(0, -1)], change);
    else copy[key] = change;
  }
  return copy;
}
