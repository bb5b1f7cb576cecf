/**
 * The game as a curve: the lead after every turn, and below it what each turn scored. The left
 * player's points go up, the right one's down; side says it as well as colour.
 */
import { html } from "../../shared/dom.js";
import { Name } from "../../shared/game/name.js";
import { seated } from "../../shared/game/score.js";

import { text } from "../../shared/texts.js";

/** @import { Frame, Player, Seated, Totals } from "../../shared/frames" */

const LEFT = 24,
  TOP = 84,
  BOTTOM = 326;
const ROOM = { least: 8, ahead: 6 },
  LEAST_POINTS = 40,
  STEP = 20,
  MARK = 24,
  SCALE = 60;

/**
 * By turn: who made it, what it scored, and the left player's lead after it.
 * @param {Totals[]} scores
 * @param {Player} left
 */
export function turnsOf(scores, left) {
  let before = [0, 0];
  return scores.map(([player, ...totals]) => {
    const gain = totals[player] - before[player];
    before = totals;
    return { player, gain, lead: totals[left] - totals[1 - left] };
  });
}

/**
 * The line of the player whose half it is, with the figure where it is theirs.
 * @param {{player: Seated, said: string, low?: boolean}} props
 */
export function Side({ player, said, low }) {
  return html`<div class=${`heads player-${player.number} ${low ? "low" : ""}`}><i class=${`tick ${low ? "down" : ""}`}></i>
    <${Name} name=${player.name} /><b class="figures">${said}</b></div>`;
}

/**
 * `marks`: turns, from 0, that bear a number on the curve, the first of them 1.
 * @param {{frame: Frame, width?: number, marks?: number[]}} props
 */
export function Graph({ frame, width = 876, marks = [] }) {
  const RIGHT = width - LEFT;
  const END = marks.length ? RIGHT : RIGHT - SCALE; // the figures of the scale stand behind the curve
  const [left, right] = seated(frame.players);
  const turns = turnsOf(frame.scores ?? [], left.number);
  const heights = turns.flatMap(({ player, gain, lead }) => [
    lead,
    player === left.number ? gain : -gain,
  ]);
  const reach = (/** @type {number} */ sign) =>
    Math.ceil(Math.max(LEAST_POINTS, ...heights.map((height) => height * sign)) / STEP) * STEP;
  const [up, down] = [reach(1), reach(-1)];
  const middle = TOP + ((BOTTOM - TOP) * up) / (up + down);
  const over = frame.phase === "over"; // a game that is over fills the width
  const wide = (END - LEFT) / Math.max(ROOM.least, turns.length + (over ? 0 : ROOM.ahead));
  /** @param {number} at */
  const x = (at) => LEFT + wide * at;
  /** @param {number} points */
  const y = (points) => middle - (points / (up + down)) * (BOTTOM - TOP);
  const [endX, endY] = turns.length
    ? [x(turns.length), y(turns[turns.length - 1].lead)]
    : [LEFT, middle];
  const line = [[LEFT, middle], ...turns.map((turn, at) => [x(at + 1), y(turn.lead)])];
  const path = line.map((point) => point.map((length) => length.toFixed(1)).join(",")).join(" L");
  const area = `M${path} L${endX.toFixed(1)},${middle} Z`;
  const lead = turns.at(-1)?.lead ?? 0;
  const leader = lead === 0 ? null : lead > 0 ? left : right;
  const leads = over ? "" : text("lead_by", { points: Math.abs(lead) });
  return html`<section class="graph panel"><svg viewBox=${`0 0 ${width} 392`} role="img" aria-label=${text("graph")}>
    <defs>
      <clipPath id="above"><rect x="0" y=${TOP - 20} width=${width} height=${middle - TOP + 20} /></clipPath>
      <clipPath id="below"><rect x="0" y=${middle} width=${width} height=${BOTTOM - middle + 20} /></clipPath>
    </defs>
    <line class="zero" x1=${LEFT} x2=${RIGHT} y1=${middle} y2=${middle} />
    ${(marks.length ? [] : [up, -down]).map((points) => html`<g key=${points} class="scale"><line x1=${LEFT} x2=${RIGHT} y1=${y(points)} y2=${y(points)} /><text x=${RIGHT} y=${y(points) + (points > 0 ? 26 : -8)}>${Math.abs(points)}</text></g>`)}
    ${turns.map((turn, at) => {
      const gain = turn.player === left.number ? turn.gain : -turn.gain;
      const tip = y(gain);
      return html`<rect key=${at} class=${`turn player-${turn.player}`} x=${(x(at) + wide * 0.2).toFixed(1)} width=${(wide * 0.6).toFixed(1)}
        y=${Math.min(tip, middle).toFixed(1)} height=${Math.abs(tip - middle).toFixed(1)} />`;
    })}
    <path class=${`area player-${left.number}`} clip-path="url(#above)" d=${area} />
    <path class=${`area player-${right.number}`} clip-path="url(#below)" d=${area} />
    <path class="curve" d=${`M${path}`} />
    <circle class="end" cx=${endX} cy=${endY} r="7" />
    ${marks.map((at, number) => {
      const turn = turns[at];
      if (!turn) return null;
      const across = Math.min(RIGHT - MARK, x(at + 1));
      return html`<g key=${number} class=${`mark player-${turn.player}`}><circle cx=${across} cy=${y(turn.lead)} r=${MARK} />
        <text x=${across} y=${y(turn.lead) + 13}>${number + 1}</text></g>`;
    })}
  </svg>
    <${Side} player=${left} said=${leader === left ? leads : leader || over ? "" : text("level")} />
    <${Side} player=${right} said=${leader === right ? leads : ""} low />
  </section>`;
}
