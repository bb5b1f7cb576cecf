/**
 * The chance to win after every line. The curve parts the panel: what lies below it is the left player's, what lies
 * above it the right one's. The turns that moved it most bear their words.
 */
import { html } from "../../shared/dom.js";
import { Side } from "./graph.js";
import { seated } from "../../shared/game/score.js";
import { text } from "../../shared/texts.js";
import { publicWord } from "../../shared/game/tiles.js";

/** @import { PublicLine, WatchModel } from "../../shared/frames" */

const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [876, 0, 876, 76, 322];
const LEAST_LINES = 20;
const MOST_KEYS = 3;
const LEAST_SWING = 0.1;
const LABEL_PX = 150;

/**
 * The lines after which the chance was another one, the greatest change first; labels stay apart.
 * @param {number[]} chances
 * @param {(at: number) => number} x
 */
function keyTurns(chances, x) {
  const swings = chances.map((chance, at) => ({ at, swing: chance - (chances[at - 1] ?? 0.5) }));
  swings.sort((a, b) => Math.abs(b.swing) - Math.abs(a.swing));
  /** @type {typeof swings} */
  const keys = [];
  for (const swung of swings)
    if (
      keys.length < MOST_KEYS &&
      Math.abs(swung.swing) >= LEAST_SWING &&
      keys.every((key) => Math.abs(x(key.at + 1) - x(swung.at + 1)) > LABEL_PX)
    )
      keys.push(swung);
  return keys;
}

/** @param {PublicLine | undefined} line */
const named = (line) =>
  line?.kind === "withdraw" ? text("moment_phony") : publicWord(line?.words[0] ?? "");

/** @param {{frame: WatchModel}} props */
export function Chance({ frame }) {
  const { chances } = frame;
  if (!chances?.length) return null;
  const [left, right] = seated(frame.players);
  const mine = left.number === 0 ? chances : chances.map((chance) => 1 - chance);
  const room = frame.phase === "over" ? 8 : LEAST_LINES;
  const wide = (RIGHT - LEFT) / Math.max(room, mine.length);
  const middle = (TOP + BOTTOM) / 2;
  /** @param {number} at */
  const x = (at) => LEFT + wide * at;
  /** @param {number} chance */
  const y = (chance) => BOTTOM - chance * (BOTTOM - TOP);
  const points = [[LEFT, middle], ...mine.map((chance, at) => [x(at + 1), y(chance)])];
  const path = points.map((point) => point.map((length) => length.toFixed(1)).join(",")).join(" L");
  const [endX, endY] = points[points.length - 1];
  const percent = Math.round((mine.at(-1) ?? 0.5) * 100);
  const parted = (/** @type {number} */ edge) =>
    `M${path} L${endX.toFixed(1)},${edge} L${LEFT},${edge} Z`;
  return html`<section class="graph panel chance"><svg viewBox=${`0 0 ${WIDTH} 392`} role="img" aria-label=${text("chance")}>
    <path class=${`part player-${left.number}`} d=${parted(BOTTOM)} /><path class=${`part player-${right.number}`} d=${parted(TOP)} />
    <line class="zero" x1=${LEFT} x2=${RIGHT} y1=${middle} y2=${middle} />
    <path class="curve" d=${`M${path}`} />
    ${keyTurns(mine, x).map(({ at, swing }) => {
      const across = Math.min(RIGHT - LABEL_PX / 2, Math.max(LEFT + LABEL_PX / 2, x(at + 1)));
      const near = mine.slice(Math.max(0, at - 1), at + 2).map(y); // the curve beside it is not crossed
      const [above, below] = [Math.min(...near) - 18, Math.max(...near) + 38];
      const over = swing > 0 ? above > TOP + 28 : below > BOTTOM - 12;
      const down = over ? above : below;
      return html`<g key=${at}><circle class=${`key player-${frame.sheet[at]?.player ?? 0}`} cx=${x(at + 1)} cy=${y(mine[at])} r="8" />
        <text class="turn-word" x=${across} y=${down}>${named(frame.sheet[at])}</text></g>`;
    })}
    <circle class="end" cx=${endX} cy=${endY} r="7" />
  </svg>
    <span class="what">${text("chance")}</span>
    <${Side} player=${left} said=${`${percent}%`} /><${Side} player=${right} said=${`${100 - percent}%`} low />
  </section>`;
}
