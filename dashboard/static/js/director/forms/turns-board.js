/** The board beside the form in which turns are typed: the tiles of no turn yet are marked. */
import { html } from "../../shared/dom.js";
import { COLUMNS, parseSquare } from "../../shared/game/board.js";
import { MiniBoard, SquaresOnce } from "../../shared/game/mini-board.js";
import { noted, tilesIn } from "../../shared/game/tiles.js";
import { view } from "../desk.js";

/** @import { Entry, Values } from "../models" */

/**
 * The squares of plays as somebody types them, a line each: "8D FINS" across, "D8 FINS" down.
 * @param {string} typed
 */
function squaresTyped(typed) {
  return typed.split(/[\n,]/).flatMap((line) => {
    const [position = "", word = ""] = line.trim().toUpperCase().split(/\s+/);
    if (!/^(\d{1,2}[A-O]|[A-O]\d{1,2})$/.test(position)) return [];
    const { row, col } = parseSquare(position);
    const across = /^\d/.test(position);
    return tilesIn(word).map(
      (_, step) => `${row + 1 + (across ? 0 : step)}${COLUMNS[col + (across ? step : 0)] ?? ""}`,
    );
  });
}

/**
 * The board with the tiles of an entry on it, as lines of tiles.
 * @param {string[]} board
 * @param {{[square: string]: string}} laid
 */
function withTiles(board, laid) {
  const lines = board.map(tilesIn);
  for (const [square, tile] of Object.entries(laid)) {
    const { row, col } = parseSquare(square);
    const line = lines[row];
    if (line) line[col] = tile.replace(/[[\]]/g, "");
  }
  return lines;
}

/** @param {{entry: Entry, values: Values}} props */
export function TurnsBoard({ entry, values }) {
  const frame = view.model?.frame;
  if (!frame) return null;
  const lines = withTiles(frame.board, entry.laid ?? {});
  const typed = new Set(squaresTyped(values.turns ?? ""));
  const squares = entry.squares.filter((square) => !typed.has(square));
  const play = { kind: "play", player: entry.player, squares };
  return html`<${SquaresOnce} /><div class="turns-board"><${MiniBoard} board=${lines.map(noted)} play=${play} /></div>`;
}
