/**
 * One banner at a time: the director's word before a challenge, a challenge before a hold. Nothing
 * is drawn while there is nothing to say.
 */
import { View, html } from "../../shared/dom.js";
import { Entering } from "./last-play.js";
import { Countdown } from "../../shared/game/countdown.js";
import { Name } from "../../shared/game/name.js";

import { text } from "../../shared/texts.js";
import { publicWord } from "../../shared/game/tiles.js";

/** @import { Call as Called, Frame, Now } from "../../shared/frames" */

/** @param {{call: Called, name: string, word: string, now: Now, onEnd: () => void}} props */
function Call({ call, name, word, now, onEnd }) {
  const said = call.kind === "challenge" && !word ? "call_challenge_some" : `call_${call.kind}`;
  return html`<div class=${`call row player-${call.player}`}>
    <div class="edge"></div><div class="what"><${Name} name=${name} /><span class="title ellipsis">${text(said, { word })}</span></div>
    ${call.kind !== "challenge" && html`<${Countdown} ends=${call.ends} since=${call.since} now=${now} onEnd=${onEnd} />`}</div>`;
}

/**
 * A hold leaves when its time is over, also where nobody has said that it ended.
 * @extends {View<{frame: Frame, now: Now}>}
 */
export class Banner extends View {
  over = () => this.setState({});

  /** @param {{frame: Frame, now: Now}} props */
  render({ frame, now }) {
    return drawn(frame, now, this.over);
  }
}

/**
 * @param {Frame} frame
 * @param {Now} now
 * @param {() => void} onEnd
 */
function drawn(frame, now, onEnd) {
  const { banner, call, players, last_play: last } = frame;
  if (banner) {
    return html`<section class="banner panel"><${Entering} key=${`said ${banner}`}><div class="said row">
      <span class="title">${text("director")}</span><span class=${`text ${banner.length > 64 ? "long" : ""}`}>${banner}</span></div></${Entering}></section>`;
  }
  if (!call || (call.ends !== undefined && call.ends <= now())) return null;
  return html`<section class="banner panel"><${Entering} key=${`${call.kind} ${call.since}`}>
    <${Call} call=${call} name=${players[call.player].name} word=${publicWord(last?.words[0] ?? "")} now=${now} onEnd=${onEnd} /></${Entering}></section>`;
}
