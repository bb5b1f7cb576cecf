/** A player's clock. The figures are painted by the ticker; the view only draws the box. */
import { View, html } from "../dom.js";
import { part } from "../part.js";
import { hasText, text } from "../texts.js";
import { onFrame, wake } from "../ticker.js";
import { pointsLost } from "./overtime.js";

/** @import { Clocks, Now, Player } from "../frames" */
/** @typedef {{clock: Clocks, player: Player, now: Now}} ClockProps */

/**
 * Milliseconds left of a player at server time `now`; negative is overtime.
 * @param {Clocks} clock
 * @param {Player} player
 * @param {number} now
 */
export function remainingMs(clock, player, now) {
  const left = clock.remaining_ms[player];
  return clock.running === player ? left - Math.max(0, now - clock.at) : left;
}

/**
 * 24:59, tenths under ten seconds (0:09.4), overtime as \u22120:37 from its first whole second on.
 * @param {number} ms
 */
export function formatClock(ms) {
  if (ms >= 0 && ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(Math.abs(ms) / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  if (isOvertime(ms)) return `\u2212${minutes}:${rest}`;
  return ms < 0 ? "0:00" : `${String(minutes).padStart(2, "0")}:${rest}`;
}

/**
 * Overtime begins with its first whole second, as points do.
 * @param {number} ms
 */
export const isOvertime = (ms) => ms <= -1000;

/**
 * Pages for people at work carry no texts yet.
 * @param {number} points
 */
function penaltyText(points) {
  const code = "penalty_points";
  return hasText(code) ? text(code, { points: `\u2212${points}` }) : `\u2212${points} pts`;
}

/** @extends {View<ClockProps>} */
export class Clock extends View {
  stop = () => {};
  shown = "";

  componentDidMount() {
    this.stop = onFrame(() => this.paint());
    this.paint();
  }

  componentWillUnmount() {
    this.stop();
  }

  /** Write what the clock shows now; true while it runs. Touches the page only on a change. */
  paint() {
    const { clock, player, now } = this.props;
    const ms = remainingMs(clock, player, now());
    const text = formatClock(ms);
    if (text !== this.shown) {
      this.shown = text;
      const over = isOvertime(ms);
      const penalty = pointsLost(ms, clock.overtime);
      part(".time", this.root).textContent = text;
      part(".penalty", this.root).textContent = penalty ? penaltyText(penalty) : "";
      this.root.classList.toggle("overtime", over);
    }
    const runs = clock.running === player;
    this.root.classList.toggle("idle", !runs);
    return runs;
  }

  /**
   * Drawn once; afterwards the box belongs to `paint`.
   * @param {ClockProps} next
   */
  shouldComponentUpdate(next) {
    this.props = next;
    this.paint();
    wake();
    return false;
  }

  render() {
    return html`<div class="clock figures" ref=${this.own}><span class="time"></span><span class="penalty"></span></div>`;
  }
}
