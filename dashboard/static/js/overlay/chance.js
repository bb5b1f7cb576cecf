/** The chance to win after every line, as a curve; the turns that moved it most bear their words. */
import { html } from "../shared/dom.js";
import { seated } from "../shared/score.js";
import { text } from "../shared/texts.js";

/** @import { PublicLine, WatchModel } from "../shared/frames" */

const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [876, 24, 752, 84, 326];
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
  for (const one of swings)
    if (
      keys.length < MOST_KEYS &&
      Math.abs(one.swing) >= LEAST_SWING &&
      keys.every((key) => Math.abs(x(key.at + 1) - x(one.at + 1)) > LABEL_PX)
    )
      keys.push(one);
  return keys;
}

/** @param {PublicLine | undefined} line */
const named = (line) => (line?.words[0] ?? "").toUpperCase();

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
  const ahead = percent >= 50 ? left : right;
  return html`<section class="graph panel chance"><svg viewBox=${`0 0 ${WIDTH} 392`} role="img" aria-label=${text("chance")}>
    <line class="zero" x1=${LEFT} x2=${RIGHT} y1=${middle} y2=${middle} />
    <path class="curve" d=${`M${path}`} />
    ${keyTurns(mine, x).map(({ at, swing }) => {
      const across = Math.min(RIGHT - LABEL_PX / 2, Math.max(LEFT + LABEL_PX / 2, x(at + 1)));
      const down =
        swing > 0 ? Math.max(TOP + 4, y(mine[at]) - 18) : Math.min(BOTTOM + 14, y(mine[at]) + 36);
      return html`<g key=${at}><circle class=${`key player-${frame.sheet[at]?.player ?? 0}`} cx=${x(at + 1)} cy=${y(mine[at])} r="8" />
        <text class="turn-word" x=${across} y=${down}>${named(frame.sheet[at])}</text></g>`;
    })}
    <circle class="end" cx=${endX} cy=${endY} r="7" />
    <text class="now" x=${Math.min(endX + 14, WIDTH - 90)} y=${Math.min(BOTTOM, Math.max(TOP + 12, endY)) + 12}>${Math.max(percent, 100 - percent)}%</text>
  </svg>
    <div class="heads"><span class=${`head player-${left.number}`}><i class="tick up"></i><span class="ellipsis">${left.name}</span></span>
      <span class=${`caption player-${ahead.number}`}>${text("chance")}</span></div>
    <div class="heads low"><span class=${`head player-${right.number}`}><i class="tick down"></i><span class="ellipsis">${right.name}</span></span></div>
  </section>`;
}
