/**
 * The game as the commentator steps through it: boards, unseen tiles and clocks at any line of the
 * sheet, worked out from the sheet itself. Pure: values in, values out.
 */
import { parseSquare } from "../shared/board.js";

/** @import { BoothLine, Frame, Line, Play } from "../shared/frames" */

export const VOWELS = new Set("AEIOU\u00c4\u00d6\u00dc");
const EMPTY_ROWS = Array.from({ length: 15 }, () => ".".repeat(15));
const boards = new WeakMap();

/** @param {string} tile */
const faceOf = (tile) => (tile === "?" || tile !== tile.toUpperCase() ? "?" : tile);

/**
 * @param {string[]} rows
 * @param {string[]} names
 * @param {(at: number) => string} tileAt
 */
function withTiles(rows, names, tileAt) {
  const cells = rows.map((row) => [...row]);
  names.forEach((name, at) => {
    const { row, col } = parseSquare(name);
    cells[row][col] = tileAt(at);
  });
  return cells.map((row) => row.join(""));
}

/**
 * The board after each line, drawn as 15 rows.
 * @param {Line[]} sheet
 * @returns {string[][]}
 */
export function boardsOf(sheet) {
  if (!boards.has(sheet)) {
    let rows = EMPTY_ROWS;
    boards.set(
      sheet,
      sheet.map((line) => {
        const laid = [...(line.tiles || line.word)].filter((tile) => tile !== ".");
        if (line.kind === "play") rows = withTiles(rows, line.squares, (at) => laid[at]);
        if (line.kind === "withdraw") rows = withTiles(rows, line.squares, () => ".");
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
  for (const tile of rows.join("")) {
    if (tile !== ".") counts[faceOf(tile)] = (counts[faceOf(tile)] ?? 0) + 1;
  }
  return counts;
}

/**
 * Unseen tiles when the board looked like `rows`: those of now, and what was laid since.
 * @param {Frame} frame
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
 */
export function makeUp(tiles) {
  /** @param {(face: string) => boolean} wanted */
  const of = (wanted) =>
    Object.entries(tiles).reduce((sum, [face, count]) => sum + (wanted(face) ? count : 0), 0);
  return {
    count: of(() => true),
    vowels: of((face) => VOWELS.has(face)),
    consonants: of((face) => face !== "?" && !VOWELS.has(face)),
    blanks: tiles["?"] ?? 0,
  };
}

/**
 * The frame as it was after a line: board, scores, clocks and the play that had just been made.
 * @param {Frame} frame
 * @param {BoothLine[]} sheet
 * @param {number} step
 */
export function frameAt(frame, sheet, step) {
  const line = sheet[step];
  const board = boardsOf(sheet)[step];
  const clocks = sheet.slice(0, step + 1).findLast((one) => one.clocks)?.clocks ?? null;
  return {
    ...frame,
    board,
    forming: undefined,
    last_play: line.kind === "play" ? line : undefined,
    players: frame.players.map((player, number) => ({
      ...player,
      score: line.totals[number],
      on_turn: number === line.player,
    })),
    clock: {
      ...frame.clock,
      remaining_ms: clocks ?? [0, 0],
      running: undefined,
      known: clocks !== null,
    },
  };
}

/**
 * The squares of a play as `{"8H": "A"}`: only the tiles that it lays.
 * @param {Pick<Play, "position" | "word">} play
 */
export function squaresOf({ position, word }) {
  const { row, col } = parseSquare(position);
  const across = /^\d/.test(position);
  /** @type {Record<string, string>} */
  const laid = {};
  [...word].forEach((tile, at) => {
    const [r, c] = across ? [row, col + at] : [row + at, col];
    if (tile !== ".") laid[`${r + 1}${"ABCDEFGHIJKLMNO"[c]}`] = tile;
  });
  return laid;
}

/**
 * Which ends of the main word of a play lie free on the board: a hook needs a square.
 * @param {Line} line
 * @param {string[]} rows
 */
export function openEnds(line, rows) {
  const { row, col } = parseSquare(line.position);
  const across = /^\d/.test(line.position);
  /** @param {number} steps */
  const at = (steps) => (across ? rows[row]?.[col + steps] : rows[row + steps]?.[col]);
  return { front: at(-1) === ".", back: at(line.word.length) === "." };
}
