/** Pictures as evidence: whole ones, and single squares cut out upright by the board's corners. */
import { parseSquare } from "../shared/board.js";
import { View, html } from "../shared/dom.js";
import { view } from "./desk.js";
import { part } from "../shared/part.js";

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

/**
 * Draw one square with some of its neighbours; straight enough for a single square.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement} image
 * @param {number[][]} corners
 * @param {string} name
 */
function cut(canvas, image, corners, name) {
  const { row, col } = parseSquare(name);
  const at = projection(corners);
  const [p, q, r] = [
    at(col - MARGIN, row - MARGIN),
    at(col + 1 + MARGIN, row - MARGIN),
    at(col - MARGIN, row + 1 + MARGIN),
  ];
  const [ax, ay, bx, by] = [
    (q[0] - p[0]) / SIDE_PX,
    (q[1] - p[1]) / SIDE_PX,
    (r[0] - p[0]) / SIDE_PX,
    (r[1] - p[1]) / SIDE_PX,
  ];
  const whole = ax * by - bx * ay;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(
    by / whole,
    -ay / whole,
    -bx / whole,
    ax / whole,
    (bx * p[1] - by * p[0]) / whole,
    (ay * p[0] - ax * p[1]) / whole,
  );
  context.drawImage(image, 0, 0);
}

/** @extends {View<{square: string, picture: Picture}>} */
class Crop extends View {
  async componentDidMount() {
    const { picture, square } = this.props;
    const answer = await fetch(`/api/row/${picture.row}`);
    const corners = answer.ok ? (await answer.json()).body?.data?.corners : null;
    if (!corners) return;
    const image = new Image();
    image.onload = () => cut(part("canvas", this.root), image, corners, square);
    image.src = `/api/picture/${picture.picture}`;
  }

  /** @param {{square: string, picture: Picture}} props */
  render({ square, picture }) {
    return html`<figure ref=${this.own}><canvas width=${SIDE_PX} height=${SIDE_PX} role="img"
      aria-label=${`square ${square} as ${picture.device} saw it`}></canvas><figcaption>${square}</figcaption></figure>`;
  }
}

/**
 * Where a picture is that this dashboard cannot show.
 * @param {Picture} photo
 */
export const whereIs = (photo) =>
  `${photo.device || "the device"} keeps it as ${photo.picture.slice(0, 12)}\u2026.jpg in its evidence folder`;

/**
 * The squares in question, from the newest picture of the board behind the turn.
 * @param {{pictures: Picture[], squares: string[]}} props
 */
export function Crops({ pictures, squares }) {
  const boards = pictures.filter((photo) => photo.type === "board.seen");
  const newest = boards[boards.length - 1];
  if (!newest || !squares.length) return null;
  if (!view.desk.pictures) {
    return html`<p class="soft">No picture here: ${whereIs(newest)}. Start the dashboard with --pictures DIR to see it.</p>`;
  }
  return html`<div class="crops">${squares.slice(0, 8).map((square) => html`<${Crop} key=${square} square=${square} picture=${newest} />`)}</div>`;
}

/**
 * The newest picture of each device at a moment.
 * @param {{pictures: NewPicture[]}} props
 */
export function Pictures({ pictures }) {
  return html`<div class="pictures">${pictures.map((photo) =>
    view.desk.pictures
      ? html`<a href=${`/api/picture/${photo.picture}`} target="_blank"><img loading="lazy" src=${`/api/picture/${photo.picture}`} alt=${`${photo.device}: ${photo.type}`} /><span>${photo.device}</span></a>`
      : html`<span class="soft">Picture: ${whereIs(photo)}</span>`,
  )}</div>`;
}
