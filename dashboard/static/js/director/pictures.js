/** Pictures as evidence: whole ones, and single squares cut out upright by the board's corners. */
import { parseSquare } from "../shared/game/board.js";
import { View, html } from "../shared/dom.js";
import { view } from "./desk.js";
import { part } from "../shared/part.js";
import { text as worded } from "../shared/texts.js";

/** @import { NewPicture, Picture } from "./models" */

const SIZE = 15;
const MARGIN = 0.35;
const SIDE_PX = 112;

/**
 * The projection that takes squares (0..15 across and down) to the picture, from its corners.
 * @param {number[][]} corners
 * @returns {(col: number, row: number) => [x: number, y: number]}
 */
export function projection(corners) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  return (col, row) => {
    const [u, v] = [col / SIZE, row / SIZE];
    const w = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / w,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / w,
    ];
  };
}

/** @typedef {ReturnType<typeof projection>} Projection */

/**
 * Draw a square part of the board into a box of the canvas; straight enough for a single square.
 * @param {CanvasRenderingContext2D} context
 * @param {HTMLImageElement} image
 * @param {Projection} at
 * @param {{col: number, row: number, size: number}} piece
 * @param {{x: number, y: number, side: number}} box
 */
function lay(context, image, at, { col, row, size }, { x, y, side }) {
  const [p, q, r, s] = [
    at(col, row),
    at(col + size, row),
    at(col, row + size),
    at(col + size, row + size),
  ];
  const [ax, ay] = [(q[0] - p[0]) / side, (q[1] - p[1]) / side];
  const [bx, by] = [(r[0] - p[0]) / side, (r[1] - p[1]) / side];
  const whole = ax * by - bx * ay;
  const [a, b, c, d] = [by / whole, -ay / whole, -bx / whole, ax / whole];
  context.save();
  context.beginPath();
  context.rect(x, y, side + 0.5, side + 0.5); // the half leaves no seam
  context.clip();
  context.setTransform(a, b, c, d, x - a * p[0] - c * p[1], y - b * p[0] - d * p[1]);
  // Only what is needed of the picture, and a little more for the seam.
  const xs = [p, q, r, s].map(([across]) => across);
  const ys = [p, q, r, s].map(([, down]) => down);
  const [left, top] = [Math.max(0, Math.min(...xs) - 8), Math.max(0, Math.min(...ys) - 8)];
  const wide = Math.min(image.naturalWidth, Math.max(...xs) + 8) - left;
  const high = Math.min(image.naturalHeight, Math.max(...ys) + 8) - top;
  if (wide > 0 && high > 0) context.drawImage(image, left, top, wide, high, left, top, wide, high);
  context.restore();
}

const WHOLE = { col: 0, row: 0, cols: SIZE, rows: SIZE };

/**
 * Lay the board of a photograph flat, or a part of it, square by square.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} image
 * @param {Projection} at
 * @param {number} side of a square, in pixels of the canvas
 */
export function flatten(canvas, image, at, side, { col, row, cols, rows } = WHOLE) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (let down = 0; down < rows; down += 1)
    for (let across = 0; across < cols; across += 1) {
      const piece = { col: col + across, row: row + down, size: 1 };
      lay(context, image, at, piece, { x: across * side, y: down * side, side });
    }
}

/**
 * A frame around a square; broken where the square was not laid yet, or is not sure.
 * @param {HTMLCanvasElement} canvas
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {boolean} broken
 */
export function outline(canvas, x, y, side, broken) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (const [colour, width] of /** @type {[string, number][]} */ ([
    ["#10151f", 7],
    ["#ffb638", 4],
  ])) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(broken ? [9, 7] : []);
    context.strokeRect(x + 1, y + 1, side - 2, side - 2);
  }
}

/** @type {Map<number, Promise<number[][]>>} */
const corners = new Map();

/**
 * Where the corners of the board are in a photograph; asked once for each look.
 * @param {number} row of the look that was made of it
 */
export function cornersOf(row) {
  const asked =
    corners.get(row) ??
    fetch(`/api/row/${row}`).then(async (answer) => {
      const found = answer.ok ? (await answer.json()).body?.data?.corners : null;
      if (!found) throw new Error(worded("look_unreadable"));
      return found;
    });
  corners.set(row, asked);
  asked.catch(() => corners.delete(row));
  return asked;
}

/**
 * A picture by the name of its content, once it is there.
 * @param {string} picture
 * @returns {Promise<HTMLImageElement>}
 */
export function loaded(picture) {
  return new Promise((there, gone) => {
    const image = new Image();
    image.onload = () => there(image);
    image.onerror = () => gone(new Error(worded("no_folder")));
    image.src = `/api/picture/${picture}`;
  });
}

/** @extends {View<{square: string, picture: Picture, when?: string}>} */
class Crop extends View {
  async componentDidMount() {
    const { picture, square } = this.props;
    const { row, col } = parseSquare(square);
    try {
      const [found, image] = await Promise.all([cornersOf(picture.row), loaded(picture.picture)]);
      const canvas = /** @type {HTMLCanvasElement} */ (part("canvas", this.root));
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const piece = { col: col - MARGIN, row: row - MARGIN, size: 1 + 2 * MARGIN };
      lay(context, image, projection(found), piece, { x: 0, y: 0, side: SIDE_PX });
    } catch {
      // the place stays dark: the readings below say what is in question
    }
  }

  /** @param {{square: string, picture: Picture, when?: string}} props */
  render({ square, picture, when }) {
    const label = worded("square_as_seen", { square, device: picture.device });
    return html`<figure ref=${this.own}><canvas width=${SIDE_PX} height=${SIDE_PX} role="img"
      aria-label=${when ? `${label}: ${when}` : label}></canvas><figcaption>${square}${when && ` \u00b7 ${when}`}</figcaption></figure>`;
  }
}

/**
 * Where a picture is that this dashboard cannot show.
 * @param {Picture} photo
 */
export const whereIs = (photo) =>
  worded("keeps_it_as", {
    device: photo.device || worded("the_device"),
    file: `${photo.picture.slice(0, 12)}\u2026.jpg`,
  });

/**
 * The squares in question, from the newest picture of the board behind a turn; `compared`: from the oldest too.
 * @param {{pictures: Picture[], squares: string[], compared?: boolean}} props
 */
export function Crops({ pictures, squares, compared = false }) {
  const boards = pictures.filter((photo) => photo.type === "board.seen");
  const newest = boards[boards.length - 1];
  if (!newest || !squares.length) return null;
  if (!view.desk.pictures) {
    return html`<p class="soft">${worded("no_picture_here", { where: whereIs(newest) })}</p>`;
  }
  /** @type {[picture: Picture, when: string][]} */
  const shown =
    compared && boards.length > 1
      ? [
          [boards[0], worded("before")],
          [newest, worded("now")],
        ]
      : [[newest, ""]];
  return html`<div class="crops">${squares
    .slice(0, 8)
    .map((square) =>
      shown.map(
        ([picture, when]) =>
          html`<${Crop} key=${`${square} ${picture.row}`} square=${square} picture=${picture} when=${when} />`,
      ),
    )}</div>`;
}

/**
 * The newest picture of each device at a moment.
 * @param {{pictures: NewPicture[]}} props
 */
export function Pictures({ pictures }) {
  return html`<div class="pictures">${pictures.map((photo) =>
    view.desk.pictures
      ? html`<a href=${`/api/picture/${photo.picture}`} target="_blank"><img loading="lazy" src=${`/api/picture/${photo.picture}`} alt=${photo.device} /><span>${photo.device}</span></a>`
      : html`<span class="soft">${worded("picture_is", { where: whereIs(photo) })}</span>`,
  )}</div>`;
}
