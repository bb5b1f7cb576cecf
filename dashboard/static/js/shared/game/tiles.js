/**
 * Tiles as the record writes them: A, a for a blank that plays A, ? for a blank without a letter, . for
 * none, # for a back, and in brackets a label of several letters: CA[LL]E, [ll]. No other script takes a
 * text of tiles apart.
 */
const PART = /\[[^\]]*\]|./gu;

/**
 * The tiles of a text, without their brackets: ["C", "A", "ll", "E"].
 * @param {string} text
 */
export const tilesIn = (text) => (text.match(PART) ?? []).map((part) => part.replace(/[[\]]/g, ""));

/**
 * Some tiles as a text again.
 * @param {string[]} tiles
 */
export const noted = (tiles) =>
  tiles.map((tile) => (tile.length > 1 ? `[${tile}]` : tile)).join("");

/** @param {string} tile */
export const isBlank = (tile) => tile === "?" || tile !== tile.toUpperCase();

/**
 * What is printed on a tile, or what a blank stands for; nothing for a blank without a letter.
 * @param {string} tile
 */
export const labelOf = (tile) => (tile === "?" ? "" : tile.toUpperCase());

/**
 * A word as people read it, in capitals: CALLE.
 * @param {string} text
 */
export const plainWord = (text) => tilesIn(text).join("").toUpperCase();

/**
 * The same with a box for a blank whose letter nobody knows: for those who are not used to `?`.
 * @param {string} text
 */
export const publicWord = (text) => plainWord(text).replaceAll("?", "\u25a1");

/**
 * What somebody typed as capital tiles of a set, the longest label first; ? and . are blanks.
 * @param {string} text
 * @param {string[]} labels of the set
 */
export function typedTiles(text, labels) {
  const longest = [...labels].sort((a, b) => b.length - a.length);
  const capitals = text.toUpperCase().replaceAll(" ", "").replaceAll(".", "?");
  /** @type {string[]} */
  const tiles = [];
  for (let rest = capitals; rest;) {
    const bracketed = /^\[([^\]]*)\]/.exec(rest);
    const tile =
      bracketed?.[1] ?? longest.find((label) => rest.startsWith(label)) ?? [...rest][0] ?? "";
    tiles.push(tile);
    rest = rest.slice(bracketed ? bracketed[0].length : tile.length);
  }
  return tiles;
}
