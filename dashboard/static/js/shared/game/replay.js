/**
 * A game stepped through: boards and unseen tiles at any line of its score sheet, worked out from the
 * sheet itself. Pure: values in, values out.
 */
import { parseSquare } from "./board.js";
import { isBlank, noted, tilesIn } from "./tiles.js";

/** @import { Frame, Line } from "../frames" */
/** @typedef {Pick<Line, "kind" | "word" | "squares" | "tiles">} Laying what of a line changes the board */

const EMPTY_ROWS = Array.from({ length: 15 }, () => ".".repeat(15));
const boards = new WeakMap();

/** @param {string} tile */
const faceOf = (tile) => (isBlank(tile) ? "?" : tile);

/**
 * @param {string[]} rows
 * @param {string[]} names
 * @param {(at: number) => string} tileAt
 */
function withTiles(rows, names, tileAt) {
  const cells = rows.map(tilesIn);
  names.forEach((name, at) => {
    const { row, col } = parseSquare(name);
    cells[row][col] = tileAt(at);
  });
  return cells.map(noted);
}

/**
 * The board after each line, drawn as 15 rows.
 * @param {Laying[]} sheet
 * @returns {string[][]}
 */
export function boardsOf(sheet) {
  if (!boards.has(sheet)) {
    let rows = EMPTY_ROWS;
    boards.set(
      sheet,
      sheet.map((line) => {
        const off = line.kind === "withdraw";
        const laid = tilesIn(line.tiles || line.word).filter((tile) => tile !== ".");
        if (line.squares.length)
          rows = withTiles(rows, line.squares, (at) => (off ? "." : laid[at]));
        return rows;
      }),
    );
  }
  return boards.get(sheet);
}

/**
 * What lies on a board, by face.
 * @param {string[]} rows
 * @returns {Record<string, number>}
 */
function tally(rows) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const tile of rows.flatMap(tilesIn)) {
    if (tile !== ".") counts[faceOf(tile)] = (counts[faceOf(tile)] ?? 0) + 1;
  }
  return counts;
}

/**
 * Unseen tiles when the board looked like `rows`: those of now, and what was laid since.
 * @param {Pick<Frame, "board" | "unseen">} frame
 * @param {string[]} rows
 */
export function unseenAt(frame, rows) {
  const [now, then] = [tally(frame.board), tally(rows)];
  /** @type {Record<string, number>} */
  const tiles = {};
  for (const [face, count] of Object.entries(frame.unseen.tiles)) {
    tiles[face] = count + (now[face] ?? 0) - (then[face] ?? 0);
  }
  return tiles;
}

/**
 * How a pool of tiles is made up.
 * @param {Record<string, number>} tiles
 * @param {string[]} open the vowels of the set
 */
export function makeUp(tiles, open) {
  const vowels = new Set(open);
  /** @param {(face: string) => boolean} wanted */
  const of = (wanted) =>
    Object.entries(tiles).reduce((sum, [face, count]) => sum + (wanted(face) ? count : 0), 0);
  return {
    count: of(() => true),
    vowels: of((face) => vowels.has(face)),
    consonants: of((face) => face !== "?" && !vowels.has(face)),
    blanks: tiles["?"] ?? 0,
  };
}
