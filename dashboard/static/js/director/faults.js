/** What is wrong at the venue, above everything else on a director's page. */
import { part } from "../shared/part.js";

/** @param {string[]} lines */
export function showFaults(lines) {
  const text = lines.join("\n");
  const shown = part("#faults");
  if (shown.textContent !== text) shown.textContent = text;
}
