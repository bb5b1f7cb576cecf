/** Which squares of a play hold blanks, for forms that ask for a letter. */

import { isBlank, tilesIn } from "../../shared/game/tiles.js";

/** @import { Chosen, Entry } from "../models" */

/**
 * The squares on which a play lays blanks, with the letter that is written, or "?".
 * @param {Entry} entry
 */
export const blanksOf = (entry) => {
  const laid = tilesIn(entry.word ?? "").filter((letter) => letter !== ".");
  const tiles = entry.squares.map((square, place) => /** @type {const} */ ([square, laid[place]]));
  return new Map(tiles.filter(([, tile]) => tile !== undefined && isBlank(tile)));
};

/**
 * The square whose letter is asked for: one in doubt, a blank that nobody has named, a blank.
 * @param {Chosen} chosen
 */
export const unsureSquare = ({ item, entry }) => {
  const blanks = blanksOf(entry);
  return (
    item.doubt?.squares.find((square) => entry.squares.includes(square)) ??
    entry.squares.find((square) => blanks.get(square) === "?") ??
    entry.squares.find((square) => blanks.has(square)) ??
    entry.squares[0]
  );
};
