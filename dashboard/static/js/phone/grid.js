/** The lines of a board's grid in a picture, from the four corners of its field. */

/** @typedef {[number, number]} Point */

const SQUARES = 15;

/**
 * Sixteen lines down and sixteen across, as pairs of points, under the perspective of the corners.
 * @param {Point[]} corners clockwise from the board's top left
 * @returns {[Point, Point][]}
 */
export function gridLines(corners) {
  const place = placing(corners);
  return Array.from({ length: SQUARES + 1 }, (_, at) => at / SQUARES).flatMap(
    (at) =>
      /** @type {[Point, Point][]} */ ([
        [place(at, 0), place(at, 1)],
        [place(0, at), place(1, at)],
      ]),
  );
}

/**
 * Where a point of the unit square lies in the picture (Heckbert's projective mapping).
 * @param {Point[]} corners
 * @returns {(u: number, v: number) => Point}
 */
function placing([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1 || 1;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
}
