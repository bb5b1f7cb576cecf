/**
 * Makes a frame whole: what the server leaves out because it follows from the rest, the other half
 * of dashboard/live/derived.py. What the frame says itself goes before what is worked out here.
 */
import { COLUMNS, parseSquare } from "../shared/board.js";

/** @import { Frame, LastPlay, ThinFrame, TileSet, Unseen } from "../shared/frames" */

const RACK_SIZE = 7;
/** @param {string} tile */
const isBlank = (tile) => tile === "?" || tile !== tile.toUpperCase();

/**
 * @param {TileSet} set
 * @param {string[]} board
 * @returns {Unseen}
 */
function unseenOf({ counts, vowels, total }, board) {
  const tiles = { ...counts };
  let laid = 0;
  for (const tile of board.join("")) {
    if (tile === ".") continue;
    const kind = isBlank(tile) ? "?" : tile;
    tiles[kind] = Math.max(0, tiles[kind] - 1);
    laid += 1;
  }
  const count = Object.values(tiles).reduce((sum, one) => sum + one, 0);
  const told = [...vowels].reduce((sum, letter) => sum + tiles[letter], 0);
  return {
    tiles,
    count,
    vowels: told,
    consonants: count - told - tiles["?"],
    blanks: tiles["?"],
    bag: Math.max(0, total - laid - 2 * RACK_SIZE),
  };
}

/**
 * Squares and word of a play that was laid somewhere; of others there are none.
 * @param {{position: string, word: string}} play
 * @param {string[]} board
 */
function whereOf({ position, word }, board) {
  if (!position) return { squares: [], words: [] };
  const start = parseSquare(position);
  const across = /^\d/.test(position);
  /** @type {string[]} */
  const squares = [];
  /** @type {string[]} */
  const letters = [];
  [...word].forEach((tile, at) => {
    const row = start.row + (across ? 0 : at),
      col = start.col + (across ? at : 0);
    if (row >= board.length || col >= board.length) return;
    if (tile !== ".") squares.push(`${row + 1}${COLUMNS[col]}`);
    letters.push(tile === "." ? board[row][col] : tile);
  });
  return { squares, words: [letters.join("")] };
}

/**
 * @param {NonNullable<ThinFrame["last_play"]>} play
 * @param {string[]} board
 * @param {number[]} totals
 */
function wholePlay({ cross = [], ...play }, board, totals) {
  const { squares, words } = whereOf(play, board);
  return { squares, words: [...words, ...cross], total: totals[play.player], ...play };
}

/**
 * The whole frame of a thin one. `before` is what the last call was given and gave: a part of which
 * nothing has changed keeps its identity, so that a view can tell by `===`.
 * @param {ThinFrame | null} thin
 * @param {{thin: ThinFrame | null, frame: Frame | null} | null} before
 * @returns {Frame | null}
 */
export function whole(thin, before) {
  if (!thin) return null;
  /** @param {(keyof ThinFrame)[]} keys */
  const unchanged = (...keys) =>
    keys.every((key) => before?.thin?.[key] === thin[key]) ? before?.frame : null;
  const { board, scores, tile_set: set, last_play: play } = thin;
  const [, ...totals] = scores.at(-1) ?? [0, 0, 0];
  return {
    unseen: unchanged("board", "tile_set", "unseen")?.unseen ?? unseenOf(set, board),
    turns: scores.length,
    ...thin,
    players:
      unchanged("players", "scores")?.players ??
      thin.players.map((player, number) => ({ score: totals[number], ...player })),
    last_play:
      unchanged("last_play", "board", "scores")?.last_play ??
      (play && wholePlay(play, board, totals)),
  };
}
