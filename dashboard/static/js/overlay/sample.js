/**
 * Feeds a scene from the builder's sample instead of a table (dashboard/overlays/sample.py): the last play is
 * made again and again, for what enters, counts and leaves is part of the look.
 */
/** @import { Frame } from "../shared/frames" */

const PLAY_MS = 600;
const AGAIN_MS = 12_000;

/**
 * Begins to draw; the answer tells the sample's time.
 * @param {string} scene
 * @param {(drawn: {frame: Frame, fresh: boolean}) => void} draw
 */
export function showSample(scene, draw) {
  let [base, opened] = [0, 0];
  /** @param {{now: number, frames: Frame[]}} sample */
  const show = ({ now, frames: [first, ...rest] }) => {
    [base, opened] = [now, performance.now()];
    draw({ frame: first, fresh: true });
    for (const frame of rest) setTimeout(() => draw({ frame, fresh: false }), PLAY_MS);
  };
  const begin = async () => {
    const sample = await (await fetch(`/api/sample/${scene}`)).json();
    show(sample);
    setInterval(() => show(sample), AGAIN_MS);
  };
  begin();
  return () => base + performance.now() - opened;
}
