/** What is wrong at the venue, above everything else on a director's page. */
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";

/** @import { DeskState } from "./models" */

const MOST_APART_MIN = 2;
const DAY_MIN = 24 * 60;

/** @param {DeskState} desk */
export function showFaults({ faults, time_of_day }) {
  const lines = [...faults, ...otherTime(time_of_day)].join("\n");
  const shown = part("#faults");
  if (shown.textContent !== lines) shown.textContent = lines;
}

/**
 * That this device and the venue's machine show other times of day: a clock or a zone is wrong.
 * @param {string} there
 */
function otherTime(there) {
  if (!there) return [];
  const here = new Date().toLocaleTimeString("en-GB");
  const shown = there.slice(there.indexOf("T") + 1);
  const apart = Math.abs(minutes(here) - minutes(shown));
  if (Math.min(apart, DAY_MIN - apart) <= MOST_APART_MIN) return [];
  return [text("other_time", { there: shown.slice(0, 5), here: here.slice(0, 5) })];
}

/** @param {string} time */
function minutes(time) {
  const [hour, minute] = time.split(":").map(Number);
  return 60 * hour + minute;
}
