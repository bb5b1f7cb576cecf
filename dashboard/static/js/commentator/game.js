/**
 * The game as the commentator steps through it: scores and clocks at any line of the sheet, the
 * squares of a play. Pure: values in, values out.
 */
import { parseSquare } from "../shared/game/board.js";
import { boardsOf } from "../shared/game/replay.js";
import { tilesIn } from "../shared/game/tiles.js";

/** @import { BoothLine, Frame, Line, Play } from "../shared/frames" */

/**
 * The frame as it was after a line: board, scores, clocks and the play that had just been made.
 * @param {Frame} frame
 * @param {BoothLine[]} sheet
 * @param {number} step
 */
export function frameAt(frame, sheet, step) {
  const line = sheet[step];
  const board = boardsOf(sheet)[step];
  const clocks = sheet.slice(0, step + 1).findLast((line) => line.clocks)?.clocks ?? null;
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
    clock: frame.clock && {
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
  tilesIn(word).forEach((tile, at) => {
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
  const cells = rows.map(tilesIn);
  /** @param {number} steps */
  const at = (steps) => (across ? cells[row]?.[col + steps] : cells[row + steps]?.[col]);
  return { front: at(-1) === ".", back: at(tilesIn(line.word).length) === "." };
}
