/**
 * The target with a JSON Merge Patch (RFC 7396) applied, the other half of
 * dashboard/live/messages/merge_patch.py. What the patch does not name keeps its identity, so that a view
 * can tell by `===` what changed.
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
export function patched(target, patch) {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = patched(merged[key], value);
  }
  return merged;
}

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
