/** A board in a glimpse: small, still, and silent; what it shows is told beside it. */
import { html } from "../dom.js";
import { parseSquare } from "./board.js";
import { isBlank, labelOf, tilesIn } from "./tiles.js";

/** @import { Glimpse } from "../frames" */

const premiums = (document.documentElement.dataset.premiums ?? "").split(" ");

/** @param {{name: string, row: number, col: number, tile: string, fresh: boolean}} props */
function Tile({ row, col, tile, fresh }) {
  const blank = isBlank(tile);
  return html`<g class=${`${blank ? "blank" : ""} ${fresh ? "fresh" : ""}`} transform=${`translate(${col * 10} ${row * 10})`}>
    <rect x="0.4" y="0.4" width="9.2" height="9.2" rx="1.2" />
    <text x="5" y="7.9" data-long=${tile.length}>${labelOf(tile)}</text></g>`;
}

/** The squares, once for all boards of a page. */
export function SquaresOnce() {
  return html`<svg class="once" width="0" height="0" aria-hidden="true"><defs><g id="squares">${premiums.map(
    (kind, sq) =>
      html`<rect class=${kind} x=${(sq % 15) * 10 + 0.4} y=${Math.floor(sq / 15) * 10 + 0.4} width="9.2" height="9.2" rx="1" />`,
  )}</g></defs></svg>`;
}

/** @param {{board: string[], play?: Glimpse["last_play"]}} props */
export function MiniBoard({ board, play }) {
  const fresh = new Set(play?.kind === "play" ? play.squares.map(nameOf) : []);
  const tiles = board.flatMap((line, row) =>
    tilesIn(line).flatMap((tile, col) => {
      const name = `${row},${col}`;
      return tile === "." ? [] : [{ name, row, col, tile, fresh: fresh.has(name) }];
    }),
  );
  return html`<svg class=${`mini player-${play?.player ?? 0}`} viewBox="-2 -2 154 154" aria-hidden="true">
    <rect class="ground" x="-2" y="-2" width="154" height="154" rx="4" /><use href="#squares" />
    ${tiles.map((tile) => html`<${Tile} key=${tile.name} ...${tile} />`)}</svg>`;
}

/** @param {string} square */
function nameOf(square) {
  const { row, col } = parseSquare(square);
  return `${row},${col}`;
}
