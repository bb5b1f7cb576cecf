/**
 * Movements: transform and opacity only, 180 to 280 ms, and only because something happened.
 * They run on the compositor, outside the virtual DOM; a snapshot is drawn without any.
 */
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

let quiet = true;

/** No movement until `allow()`: the first picture and one after a lost connection stand at once. */
export function hush() {
  quiet = true;
}

export function allow() {
  quiet = false;
}

/** Whether something may move now. */
export const mayMove = () => !quiet && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {Element | null} element
 * @param {Keyframe[]} keyframes
 * @param {number} duration
 * @param {number} [delay]
 */
function move(element, keyframes, duration, delay = 0) {
  if (!element || !mayMove()) return null;
  return element.animate(keyframes, { duration, delay, easing: EASE, fill: "backwards" });
}

/**
 * A tile or banner comes in.
 * @param {Element} element
 * @param {{from?: string, delay?: number, faint?: number}} movement `faint`: how much of it is there at once
 */
export function enter(element, { from = "scale(0.82)", delay = 0, faint = 0 } = {}) {
  const keyframes = [
    { opacity: faint, transform: from },
    { opacity: 1, transform: "none" },
  ];
  move(element, keyframes, 240, delay);
}

/**
 * A figure has changed: it settles into its place.
 * @param {Element | null} element
 */
export function settle(element) {
  move(
    element,
    [
      { opacity: 0.2, transform: "translateY(-12%)" },
      { opacity: 1, transform: "none" },
    ],
    220,
  );
}

/**
 * A forming tile was accepted: it sets down.
 * @param {Element} element
 * @param {number} [delay]
 */
export function setDown(element, delay = 0) {
  move(
    element,
    [
      { opacity: 0.66, transform: "scale(1.1)" },
      { opacity: 1, transform: "none" },
    ],
    220,
    delay,
  );
}

/**
 * A copy of a tile that is gone dissolves where it lay; `layer` holds nothing of the view's own.
 * @param {Element | null} element
 * @param {Element | null} layer
 */
export function dissolve(element, layer) {
  if (quiet || !element || !layer) return;
  const ghost = /** @type {Element} */ (element.cloneNode(true));
  layer.append(ghost);
  const animation = move(
    ghost,
    [
      { opacity: getComputedStyle(element).opacity, transform: "none" },
      { opacity: 0, transform: "scale(1.08)" },
    ],
    260,
  );
  if (animation) animation.finished.finally(() => ghost.remove());
  else ghost.remove();
}
