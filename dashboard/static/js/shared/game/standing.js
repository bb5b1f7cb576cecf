/** Wins, spreads and the like as people write them; who leads, who won. */

import { text } from "../texts.js";

/** @import { EventHeadline, Frame } from "../frames" */

/**
 * The number of the player who leads, and after the game who won: by the scores, or as it was decided
 * instead. Null where nobody does.
 * @param {{players: {score: number}[], result?: Frame["result"] | null}} frame
 */
export function winnerOf({ players, result }) {
  if (result) return 1 - result.loser;
  const [first, second] = players.map((player) => player.score);
  return first === second ? null : Number(second > first);
}

/**
 * What the round is called: by its number in the page's language, or as the streamer's file says.
 * @param {EventHeadline | undefined} event
 */
export const roundOf = (event) =>
  event?.number ? text("round_number", { round: event.number }) : (event?.round ?? "");

/** @param {number} count */
export const halves = (count) => (count % 1 ? `${Math.floor(count) || ""}½` : String(count));

const decimals = new Intl.NumberFormat(document.documentElement.lang || "en", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
});

/**
 * An average, with the point or comma of the page's language; empty for none.
 * @param {number | null | undefined} value
 */
export const tenths = (value) => (typeof value === "number" ? decimals.format(value) : "");

/**
 * A number, with a minus where it is one.
 * @param {number} value
 */
export const written = (value) => String(value).replace("-", "\u2212");

/** @param {number} points */
export const signed = (points) =>
  points < 0 ? `\u2212${-points}` : points > 0 ? `+${points}` : "0";
