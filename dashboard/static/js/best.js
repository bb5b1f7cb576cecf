/** What the last turn could have been: only where the director shows it, late, words and points only. */
import { html } from "./dom.js";
import { Entering } from "./last-play.js";

const MOST = 4;

export function Best({ frame }) {
  const { best, last_play: last, players } = frame;
  if (!best?.plays?.length) return null;
  const made = last && last.n === best.n && last.kind === "play" ? `${last.position} ${last.word}` : "";
  return html`<section class="best panel"><${Entering} key=${best.n}><div class=${`player-${best.player}`}>
    <div class="head"><i class="edge"></i><span class="title">Best plays</span><span class="name ellipsis">${players[best.player].name}</span></div>
    ${best.plays.slice(0, MOST).map((play) => {
      const position = play.position ?? "";
      const same = made !== "" && made === `${position} ${play.word}`;
      return html`<div class=${`option ${same ? "made" : ""}`} key=${`${position}${play.word}`}>
        <span class="position figures">${position}</span>
        <span class="word figures ellipsis">${(play.text ?? play.word).toUpperCase()}</span>
        ${same && html`<span class="tag">played</span>`}
        <span class="points figures">${play.score}</span></div>`;
    })}</div></${Entering}></section>`;
}
