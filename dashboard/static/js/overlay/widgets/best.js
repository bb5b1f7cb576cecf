/** What the last turn could have been: only where the director shows it, late, words and points only. */
import { html } from "../../shared/dom.js";
import { Entering, Word } from "./last-play.js";
import { signed } from "../../shared/game/standing.js";

import { text as said } from "../../shared/texts.js";

/** @import { Frame } from "../../shared/frames" */

const MOST = 3;

/** @param {{position: string, word: string, text: string, score: number, made: boolean}} props */
function Option({ position, word, text, score, made }) {
  return html`<div class=${`option ${made ? "made" : ""}`}><span class="position figures">${position}</span>
    <${Word} play=${{ kind: "play", word, words: [text] }} />${made && html`<span class="tag">${said("tag_played")}</span>`}
    <span class="points figures">${signed(score)}</span></div>`;
}

/**
 * The best ones by their points, for what they keep back is nobody's to see, and below them what was
 * played if it is none of them.
 * @param {{frame: Frame}} props
 */
export function Best({ frame }) {
  const { best, last_play: last, players } = frame;
  if (!best?.plays?.length) return null;
  const plays = best.plays
    .slice(0, MOST)
    .map((play) => ({ ...play, made: false }))
    .sort((a, b) => b.score - a.score);
  if (last && last.n === best.n && last.kind === "play") {
    const same = plays.find((play) => play.position === last.position && play.word === last.word);
    if (same) same.made = true;
    else
      plays.push({
        position: last.position,
        word: last.word,
        text: last.words[0],
        score: last.score,
        made: true,
      });
  }
  const { ends = 0, missed } = best;
  const tag =
    (ends > 0 && said("wins_margin", { points: ends })) ||
    (missed && said("missed_by", { points: missed }));
  return html`<section class="best panel"><${Entering} key=${best.n}><div class=${`body player-${best.player}`}>
    <div class="head"><span class="title">${said("best_plays")}</span><span class="name ellipsis">${players[best.player].name}</span>${tag && html`<span class="missed">${tag}</span>`}</div>
    <div class="options">${plays.map((play) => html`<${Option} key=${`${play.position} ${play.word}`} ...${play} />`)}</div>
  </div></${Entering}></section>`;
}
