/**
 * The page's only animation-frame loop. It paints what changes with time (the clocks), outside
 * the virtual DOM, and sleeps when nothing does: an overlay that shows a stopped clock must not
 * make the compositor draw sixty frames a second for a whole day.
 */
const painters = new Set();
let scheduled = false;

/** Paint on every frame for as long as `paint()` answers true. Returns the way to stop it. */
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

function loop() {
  scheduled = false;
  let moving = false;
  for (const paint of painters) moving = paint() || moving;
  if (moving) wake();
}
