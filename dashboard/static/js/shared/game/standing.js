/** Wins, spreads and the like as people write them. */

/** @param {number} count */
export const halves = (count) => (count % 1 ? `${Math.floor(count) || ""}½` : String(count));

/**
 * A number, with a minus where it is one.
 * @param {number} value
 */
export const written = (value) => String(value).replace("-", "\u2212");

/** @param {number} points */
export const signed = (points) =>
  points < 0 ? `\u2212${-points}` : points > 0 ? `+${points}` : "0";
