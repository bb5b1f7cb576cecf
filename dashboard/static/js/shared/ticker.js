/**
 * The page's only animation-frame loop. It paints what changes with time (the clocks), outside
 * the virtual DOM, and sleeps when nothing does: an overlay that shows a stopped clock must not
 * make the compositor draw sixty frames a second for a whole day.
 */
/** @type {Set<() => boolean>} */
const painters = new Set();
/** @type {number[]} */
const stamps = [];
const KEPT = 120;
let scheduled = false;

/**
 * Paint on every frame for as long as `paint()` answers true. Returns the way to stop it.
 * @param {() => boolean} paint
 */
export function onFrame(paint) {
  painters.add(paint);
  wake();
  return () => painters.delete(paint);
}

/** Something may have started to move: paint at least once more. */
export function wake() {
  if (scheduled || painters.size === 0) return;
  scheduled = true;
  requestAnimationFrame(loop);
}

/** Frames in a second of steady painting; null while nothing moves, for then there are none. */
export function framesPerSecond() {
  const last = stamps[stamps.length - 1];
  if (stamps.length < 20 || performance.now() - last > 500) return null;
  return ((stamps.length - 1) * 1000) / (last - stamps[0]);
}

/** @param {number} at */
function loop(at) {
  scheduled = false;
  // After a rest the count begins anew: the rest was no slowness.
  if (stamps.length && at - stamps[stamps.length - 1] > 500) stamps.length = 0;
  stamps.push(at);
  if (stamps.length > KEPT) stamps.shift();
  let moving = false;
  for (const paint of painters) moving = paint() || moving;
  if (moving) wake();
}
