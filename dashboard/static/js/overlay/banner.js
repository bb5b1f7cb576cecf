/**
 * One banner at a time: the director's word before a challenge, a challenge before a hold. Nothing
 * is drawn while there is nothing to say.
 */
import { View, html } from "../shared/dom.js";
import { Entering } from "./last-play.js";
import { LONG_NAME } from "../shared/score.js";
import { onFrame, wake } from "../shared/ticker.js";

/** @import { Call as Called, Frame, Now } from "../shared/frames" */
/** @typedef {{ends?: number, since: number, now: Now}} Since */

const TITLES = { hold: "Hold", challenge: "Challenge" };

/**
 * Whole seconds left as 1:05, never below zero.
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Time left of a hold, or how long it lasts where the rules set no end; painted by the ticker.
 * @extends {View<Since>}
 */
class Countdown extends View {
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
    const { ends, since, now } = this.props;
    const left = ends === undefined ? 1 : ends - now();
    const text = ends === undefined ? countdown(now() - since - 999) : countdown(left);
    if (text !== this.shown) {
      this.shown = text;
      this.root.textContent = text;
    }
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

/** @param {{call: Called, name: string, now: Now}} props */
function Call({ call, name, now }) {
  return html`<div class=${`call row player-${call.player}`}>
    <div class="edge"></div><span class="title">${TITLES[call.kind] ?? call.kind}</span>
    <span class=${`name ellipsis ${name.length > LONG_NAME ? "long" : ""}`}>${name}</span>
    ${call.kind === "hold" && html`<${Countdown} ends=${call.ends} since=${call.since} now=${now} />`}</div>`;
}

/** @param {{frame: Frame, now: Now}} props */
export function Banner({ frame, now }) {
  const { banner, call, players } = frame;
  if (banner) {
    return html`<section class="banner panel"><${Entering} key=${`said ${banner}`}><div class="said row">
      <span class="title">Director</span><span class=${`text ${banner.length > 64 ? "long" : ""}`}>${banner}</span></div></${Entering}></section>`;
  }
  if (!call) return null;
  return html`<section class="banner panel"><${Entering} key=${`${call.kind} ${call.since}`}>
    <${Call} call=${call} name=${players[call.player].name} now=${now} /></${Entering}></section>`;
}
