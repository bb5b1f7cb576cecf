/** What overtime costs: read off the table in the frame, for the recorder alone knows the rule. */

/** @import { Prices } from "../frames" */

/**
 * Points lost so far.
 * @param {number} ms left on the clock; negative is overtime
 * @param {Prices | null | undefined} prices
 */
export function pointsLost(ms, prices) {
  const reached = (prices ?? []).filter(([second]) => -ms >= second * 1000);
  return reached.at(-1)?.[1] ?? 0;
}
