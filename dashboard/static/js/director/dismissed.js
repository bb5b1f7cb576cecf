/** What a director has read and dismissed, on every page of this browser. */

/** @import { Need } from "./models" */

const KEPT_AS = "dismissed";
const MOST = 500;

/**
 * A line of one log: another log that is served here later has its rows at other times.
 * @param {Pick<Need, "row" | "at">} need
 */
const nameOf = ({ row, at }) => `${row} ${at}`;

/** @returns {string[]} */
const kept = () => JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]");

/** @returns {(need: Pick<Need, "row" | "at">) => boolean} */
export function isDismissed() {
  const names = new Set(kept());
  return (need) => names.has(nameOf(need));
}

/** @param {Pick<Need, "row" | "at">} need */
export function dismiss(need) {
  const names = [...kept(), nameOf(need)].slice(-MOST);
  localStorage.setItem(KEPT_AS, JSON.stringify(names));
}
