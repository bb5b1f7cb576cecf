/** What keeps a recorder from recording, above everything else on a director's page. */
import { part } from "../shared/part.js";

/** @import { RecorderState } from "./frames" */

/** @param {RecorderState[]} recorders */
export function showFaults(recorders) {
  const lines = recorders.flatMap(({ name, fault, warning }) =>
    [fault, warning].filter(Boolean).map((text) => `${name}: ${text}`),
  );
  const text = lines.join("\n");
  const shown = part("#faults");
  if (shown.textContent !== text) shown.textContent = text;
}
