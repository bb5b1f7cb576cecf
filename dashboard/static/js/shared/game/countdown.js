/** A hold or a challenge that is on: what it is called, and how long a hold lasts. */
import { View, html } from "../dom.js";
import { onFrame, wake } from "../ticker.js";

/** @import { Now } from "../frames" */
/** @typedef {{ends?: number, since: number, now: Now, onEnd?: () => void}} Since */

export const CALLS = { hold: "Hold", challenge: "Challenge", play_out: "Played out" };

/**
 * Whole seconds left as 1:05, never below zero.
 * @param {number} ms
 */
function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Time left of a hold, or how long it lasts where the rules set no end; painted by the ticker.
 * @extends {View<Since>}
 */
export class Countdown extends View {
  stop = () => {};
  shown = "";

  componentDidMount() {
    this.stop = onFrame(() => this.paint());
    this.paint();
    wake();
  }

  componentWillUnmount() {
    this.stop();
  }

  paint() {
    const { ends, since, now, onEnd } = this.props;
    const left = ends === undefined ? 1 : ends - now();
    const text = ends === undefined ? countdown(now() - since - 999) : countdown(left);
    if (text !== this.shown) {
      this.shown = text;
      this.root.textContent = text;
    }
    if (left <= 0) onEnd?.();
    return left > 0;
  }

  /** @param {Since} next */
  shouldComponentUpdate(next) {
    this.props = next;
    wake();
    return false;
  }

  render() {
    return html`<span class="countdown figures" ref=${this.own}></span>`;
  }
}
