/**
 * The evidence of a turn as one sees it: the board before and after, laid flat, with the squares that
 * changed outlined, and the word cut out as a strip with what was read below each square.
 */
import { View, html } from "../shared/dom.js";
import { parseSquare } from "../shared/game/board.js";
import { holding, view } from "./desk.js";
import { cornersOf, flatten, loaded, outline, projection } from "./pictures.js";
import { part } from "../shared/part.js";
import { timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";
import { tilesIn } from "../shared/game/tiles.js";

/** @import { Chosen, DeskModel, Item, Picture } from "./models" */
/** @typedef {{before: Picture | null, after: Picture}} Pair */
/** @typedef {{name: string, letter: string, laid: boolean, unsure: boolean}} Square a square of the word */

const CELL_PX = 40;
const STRIP_PX = 84;
const SIZE = 15;
const COLUMNS = "ABCDEFGHIJKLMNO";

/** @param {Item} item */
const boardsOf = (item) => item.pictures.filter((photo) => photo.type === "board.seen");

/**
 * The newest photograph of the board behind a turn, and the newest behind any turn before it.
 * A correction by hand has none of its own: then those of what it corrects.
 * @param {DeskModel} model
 * @param {Item} item
 * @returns {Pair | null}
 */
function pairOf({ timeline }, item) {
  /** @param {(other: Item) => boolean} wanted */
  const newest = (wanted) =>
    timeline
      .filter(wanted)
      .flatMap(boardsOf)
      .sort((a, b) => a.row - b.row)
      .at(-1) ?? null;
  /** @param {Item} other */
  const ofTurn = (other) =>
    other === item || other.seq === item.supersedes || (!!item.group && other.group === item.group);
  const after = boardsOf(item).at(-1) ?? newest(ofTurn);
  if (!after) return null;
  const before = newest(
    (other) => !ofTurn(other) && boardsOf(other).every((photo) => photo.row < after.row),
  );
  return { before, after };
}

/**
 * Whether there is something to show of a chosen turn.
 * @param {DeskModel} model
 * @param {Chosen | null} chosen
 */
export const hasPhotographs = (model, chosen) =>
  view.desk.pictures && chosen !== null && pairOf(model, chosen.item) !== null;

/**
 * The squares of the word of a play, in its direction; of another turn those that it changed.
 * @param {DeskModel} model
 * @param {Chosen} chosen
 * @returns {Square[]}
 */
function wordOf(model, { item, entry }) {
  const unsure = new Set(item.doubt?.squares ?? []);
  const laid = new Set(entry.squares);
  const line = holding(model).find((held) => held.item === item && held.entry === entry)?.line;
  const word = line?.words[0] ?? "";
  if (!entry.position || !word)
    return entry.squares.map((name) => ({
      name,
      letter: entry.laid?.[name] ?? "",
      laid: true,
      unsure: unsure.has(name),
    }));
  const across = /^\d/.test(entry.position);
  const from = parseSquare(entry.position);
  return tilesIn(word).map((letter, at) => {
    const name = across
      ? `${from.row + 1}${COLUMNS[from.col + at]}`
      : `${from.row + at + 1}${COLUMNS[from.col]}`;
    return { name, letter, laid: laid.has(name), unsure: unsure.has(name) };
  });
}

/** @extends {View<{pair: Pair, word: Square[], at: number | null}, {fault: string}>} */
class Pictured extends View {
  async componentDidMount() {
    const { before, after } = this.props.pair;
    try {
      await Promise.all([before && this.board("before", before), this.board("after", after)]);
    } catch (fault) {
      this.setState({ fault: fault instanceof Error ? fault.message : worded("cannot_be_shown") });
    }
  }

  /**
   * @param {"before" | "after"} which
   * @param {Picture} photo
   */
  async board(which, photo) {
    const [corners, image] = await Promise.all([cornersOf(photo.row), loaded(photo.picture)]);
    const at = projection(corners);
    const canvas = /** @type {HTMLCanvasElement} */ (part(`canvas.${which}`, this.root));
    const squares = this.props.word.filter((square) => square.laid || square.unsure);
    flatten(canvas, image, at, CELL_PX);
    for (const { name, unsure } of squares) {
      const { row, col } = parseSquare(name);
      outline(canvas, col * CELL_PX, row * CELL_PX, CELL_PX, which === "before" || unsure);
    }
    if (which === "after") this.strip(image, at);
  }

  /**
   * @param {HTMLImageElement} image
   * @param {ReturnType<typeof projection>} at
   */
  strip(image, at) {
    const canvases = this.root.querySelectorAll("canvas.one");
    this.props.word.forEach(({ name }, number) => {
      const { row, col } = parseSquare(name);
      const canvas = /** @type {HTMLCanvasElement} */ (canvases[number]);
      flatten(canvas, image, at, STRIP_PX, { col, row, cols: 1, rows: 1 });
    });
  }

  /**
   * @param {{pair: Pair, word: Square[], at: number | null}} props
   * @param {{fault: string}} state
   */
  render({ pair, word }, { fault }) {
    const { before, after } = pair;
    const changed = word.filter((square) => square.laid).map((square) => square.name);
    const side = SIZE * CELL_PX;
    return html`<div class="photographs" ref=${this.own}>
      ${fault && html`<p class="why" role="status">${fault}</p>`}
      <div class="pair"><figure>${before ? html`<canvas class="before" width=${side} height=${side} role="img" aria-label=${worded("board_before")}></canvas>` : html`<div class="none">${worded("no_photo_before")}</div>`}<figcaption>${worded("before")}</figcaption></figure>
        <figure><canvas class="after" width=${side} height=${side} role="img" aria-label=${[worded("board_after"), changed.length ? worded("outlined", { squares: changed.join(", ") }) : ""].filter(Boolean).join(", ")}></canvas><figcaption>${worded("after_device", { device: after.device })}</figcaption></figure></div>
      ${
        word.length > 0 &&
        html`<div class="strip">${word.map(
          ({
            name,
            letter,
            laid,
            unsure,
          }) => html`<figure key=${name} class=${unsure ? "unsure" : laid ? "laid" : "through"}>
        <canvas class="one" width=${STRIP_PX} height=${STRIP_PX} role="img" aria-label=${worded("square_named", { square: name })}></canvas>
        <figcaption><b>${letter ? letter.toUpperCase() : "?"}</b> ${name}</figcaption></figure>`,
        )}</div>`
      }
      ${!changed.length && html`<p class="soft">${worded("no_square_changed")}</p>`}</div>`;
  }
}

/** @param {{model: DeskModel, chosen: Chosen}} props */
export function Photographs({ model, chosen }) {
  const pair = pairOf(model, chosen.item);
  if (!pair) return null;
  const word = wordOf(model, chosen);
  const key = [
    pair.before?.picture,
    pair.after.picture,
    ...word.map((letter) => letter.name + letter.unsure),
  ];
  return html`<h2 class="of">${chosen.entry.text} <span class="soft">${timeOfDay(chosen.item.at)}</span></h2>
    <${Pictured} key=${key.join()} pair=${pair} word=${word} />`;
}
