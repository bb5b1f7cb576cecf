/**
 * The board: squares drawn once, tiles keyed by their square, the last play outlined, a forming
 * play translucent. A tile that goes is copied into a layer of its own and dissolves there.
 */
import { View, html } from "../dom.js";
import { Letter } from "./lettering.js";
import { dissolve, enter, setDown } from "../motion.js";
import { isBlank, labelOf, tilesIn } from "./tiles.js";

/** @import { Frame, Player } from "../frames" */
/** @typedef {{name: string, row: number, col: number, tile: string, forming: boolean}} Lying a tile on its square */
/** @typedef {Lying & {values: Record<string, number>, delay?: number}} TileProps */
/** @typedef {{kind: string, n: number, player: Player, position: string, word: string, squares: string[]}} Laid */
/** @typedef {Pick<Frame, "board" | "tile_set" | "forming"> & {last_play: Laid | null}} Shown what is drawn of a frame */
/** @typedef {{frame: Shown, premiums: string[], labels?: boolean, ordered?: boolean}} BoardProps `ordered`: the tiles of a play come one after the other */
/** @typedef {{box: {row: number, col: number, rows: number, cols: number}, player: Player, delay: number}} OutlineProps */

const SIZE = 15;
/** Between two tiles of a play that come in reading order. */
const NEXT_TILE_MS = 60;
export const COLUMNS = "ABCDEFGHIJKLMNO";

/**
 * Row and column of a square named 8H (across) or H8 (down).
 * @param {string} name
 */
export function parseSquare(name) {
  return { row: Number(name.match(/\d+/)?.[0]) - 1, col: COLUMNS.indexOf(name.replace(/\d+/, "")) };
}

/**
 * A square as the board's tiles are named.
 * @param {string} name
 */
function across(name) {
  const { row, col } = parseSquare(name);
  return `${row + 1}${COLUMNS[col]}`;
}

/**
 * What lies where: accepted tiles and forming ones, by square name.
 * @param {Shown} frame
 */
function tilesOf(frame) {
  /** @type {Lying[]} */
  const tiles = [];
  frame.board.forEach((line, row) => {
    tilesIn(line).forEach((tile, col) => {
      if (tile !== ".")
        tiles.push({ name: `${row + 1}${COLUMNS[col]}`, row, col, tile, forming: false });
    });
  });
  for (const [name, tile] of Object.entries(frame.forming?.squares ?? {})) {
    tiles.push({ name, ...parseSquare(name), tile, forming: true });
  }
  return tiles;
}

/**
 * The box around the word of the last play, or null when it is not on the board.
 * @param {Laid | null} play
 */
function outlineOf(play) {
  if (play?.kind !== "play" || !play.position || !play.squares.length) return null;
  const across = /^\d/.test(play.position);
  const { length } = tilesIn(play.word);
  return { ...parseSquare(play.position), cols: across ? length : 1, rows: across ? 1 : length };
}

/** @extends {View<TileProps>} */
class Tile extends View {
  componentDidMount() {
    enter(this.root, { delay: this.props.delay });
  }

  /** @param {TileProps} before */
  componentDidUpdate(before) {
    if (before.forming && !this.props.forming) setDown(this.root, this.props.delay);
    else if (before.tile !== this.props.tile) enter(this.root);
  }

  /** @param {TileProps} props */
  render({ name, tile, row, col, forming, values }) {
    const blank = isBlank(tile);
    const letter = labelOf(tile);
    const classes = ["tile", blank && "blank", forming && "forming"];
    return html`<div class=${classes.filter(Boolean).join(" ")} style=${{ "--row": row, "--col": col }}
      data-square=${name} ref=${this.own}>
      <div class="face"><${Letter} letter=${letter} />
        ${!blank && html`<span class="value">${values[letter]}</span>`}</div>
    </div>`;
  }
}

/** @extends {View<OutlineProps>} */
class Outline extends View {
  componentDidMount() {
    enter(this.root, { from: "scale(1.04)", delay: this.props.delay });
  }

  /** @param {OutlineProps} props */
  render({ box, player }) {
    const style = { "--row": box.row, "--col": box.col, "--rows": box.rows, "--cols": box.cols };
    return html`<div class=${`outline player-${player}`} style=${style} ref=${this.own}></div>`;
  }
}

/** @extends {View<{premiums: string[]}>} */
class Squares extends View {
  shouldComponentUpdate() {
    return false;
  }

  /** @param {{premiums: string[]}} props */
  render({ premiums }) {
    return html`<div class="squares">${premiums.map(
      (kind, sq) => html`<i class=${`${kind} ${sq === 112 ? "centre" : ""}`}></i>`,
    )}</div>`;
  }
}

/** @extends {View<BoardProps>} */
export class Board extends View {
  /** @type {Element | null} */
  ghosts = null;

  /**
   * Before the view takes tiles away, keep a copy of each to dissolve.
   * @param {BoardProps} before
   */
  getSnapshotBeforeUpdate(before) {
    const staying = new Set(tilesOf(this.props.frame).map((tile) => tile.name));
    for (const { name } of tilesOf(before.frame)) {
      if (!staying.has(name))
        dissolve(this.root.querySelector(`[data-square="${name}"]`), this.ghosts);
    }
    return null;
  }

  componentDidUpdate() {}

  /** @param {BoardProps} next */
  shouldComponentUpdate(next) {
    const now = this.props.frame;
    return (
      now.board !== next.frame.board ||
      now.forming !== next.frame.forming ||
      now.last_play !== next.frame.last_play ||
      now.tile_set !== next.frame.tile_set
    );
  }

  /** @param {BoardProps} props */
  render({ frame, premiums, labels, ordered }) {
    const values = frame.tile_set.values;
    const play = frame.last_play;
    const box = outlineOf(play);
    const inOrder = ordered && play?.kind === "play" ? play.squares : [];
    /** @param {number} at */
    const delay = (at) => Math.max(0, at) * NEXT_TILE_MS;
    return html`<section class=${`board ${labels ? "labelled" : ""}`} ref=${this.own}><div class="field">
      <${Squares} premiums=${premiums} />
      <div class="tiles">${tilesOf(frame).map(
        (tile) => html`<${Tile} key=${tile.name} ...${tile}
        values=${values} delay=${delay(inOrder.map(across).indexOf(tile.name))} />`,
      )}</div>
      ${play && box && html`<${Outline} key=${`${play.n}-${play.position}`} box=${box} player=${play.player} delay=${delay(inOrder.length)} />`}
      <div class="ghosts" ref=${(/** @type {Element | null} */ element) => {
        this.ghosts = element;
      }}></div>
    </div></section>`;
  }
}
