/** The history beside the commentator's board: every line with clock, time and verdict. */
import { html } from "../shared/dom.js";
import { formatClock } from "../shared/game/clock.js";
import { PlayWord } from "./panels.js";
import { lostWords } from "./review.js";
import { written } from "../shared/game/standing.js";
import { hasText, text } from "../shared/texts.js";
import { plainWord } from "../shared/game/tiles.js";

/** @import { BoothLine, Missed, Named, Review } from "../shared/frames" */

const VERDICTS = { good: "valid", bad: "phony", undecided: "undecided" };

/**
 * Seconds and minutes that a turn took: 45 s, 2:05.
 * @param {number} ms
 */
const spent = (ms) =>
  ms < 60000 ? `${Math.floor(ms / 1000)} s` : formatClock(ms).replace(/^0(\d)/, "$1");
/** @param {number} points */
const signed = (points) => (points > 0 ? `+${points}` : written(points));

/** @param {{line: BoothLine}} props */
function What({ line }) {
  if (line.kind === "play") {
    const others = line.words.slice(1).map(plainWord).join(", ");
    return html`<span class="where">${line.position}</span> <b><${PlayWord} text=${line.words[0]} word=${line.word} /></b>
      ${others && html` <span class="soft">${others}</span>`}`;
  }
  const word = plainWord(line.words[0] ?? "");
  const kind = hasText(`kind_${line.kind}`) ? `kind_${line.kind}` : line.kind;
  return html`<span class="soft">${text(kind)} ${word || plainWord(line.tiles) || line.count || ""}</span>`;
}

/** @param {{line: BoothLine}} props */
function Verdict({ line }) {
  const word = line.verdict && VERDICTS[line.verdict];
  return word ? html`<span class=${`verdict ${line.verdict}`}>${text(word)}</span>` : "";
}

/** @param {{line: BoothLine, at: number, missed?: Missed, rated: boolean, step: number | null, players: Named[], onStep: (step: number | null) => void}} props */
function Row({ line, at, missed, rated, step, players, onStep }) {
  const chosen = at === step;
  return html`<tr class=${`player-${line.player} ${chosen ? "chosen" : ""}`} aria-current=${chosen ? "true" : null}
      data-line=${at} onClick=${() => onStep(at)}>
    <td class="num">${line.n || ""}</td>
    <td class="what" title=${players[line.player].name}><i class="dot"></i><span class="sr">${players[line.player].name}</span><${What} line=${line} /></td>
    <td><${Verdict} line=${line} /></td>
    <td class="num">${signed(line.score)}</td>
    ${rated && html`<td class="num soft lost" title=${missed ? text("best_was", { play: `${missed.best.position} ${plainWord(missed.best.text)} ${missed.best.score}` }) : ""}>${missed ? lostWords(missed) : ""}</td>`}
    <td class="num">${line.total}</td>
    <td class="num soft took">${typeof line.spent_ms === "number" ? spent(line.spent_ms) : ""}</td>
    <td class="num soft pressed">${line.clocks ? formatClock(line.clocks[line.player]) : ""}</td></tr>`;
}

/**
 * `step`: the line shown, null for live. `onStep` takes a line's place, null for live.
 * @param {{sheet: BoothLine[], review: Review | null, step: number | null, players: Named[], onStep: (step: number | null) => void, onMove: (key: string) => void}} props
 */
export function Sheet({ sheet, review, step, players, onStep, onMove }) {
  const rated = Object.keys(review?.turns ?? {}).length > 0;
  const timed = sheet.some((line) => line.clocks);
  const rows = sheet
    .map(
      (line, at) =>
        html`<${Row} key=${at} line=${line} at=${at} missed=${review?.turns[at]} rated=${rated} step=${step} players=${players} onStep=${onStep} />`,
    )
    .reverse();
  /**
   * @param {string} name
   * @param {string} key
   * @param {() => void} move
   * @param {boolean} off
   */
  const button = (name, key, move, off) =>
    html`<button class="small" disabled=${off} aria-keyshortcuts=${key} onClick=${move}>${name}</button>`;
  const none = sheet.length === 0;
  return html`<section class=${`card sheet ${timed ? "" : "untimed"}`}><h2>${text("history")}<span class="grow"></span>
      <span class="steps" role="group" aria-label=${text("step_through")}>
        ${button(text("first_turn"), "Home", () => onMove("Home"), none)}${button(text("earlier_turn"), "ArrowLeft", () => onMove("ArrowLeft"), none)}
        ${button(text("later_turn"), "ArrowRight", () => onMove("ArrowRight"), step === null)}${button(text("live_turn"), "End", () => onMove("End"), step === null)}</span></h2>
    <div class="scroll" role="region" tabindex="0" aria-label=${text("history_lines")}><table><thead><tr><th class="num">#</th><th>${text("column_play")}</th><th>${text("column_list")}</th><th class="num">${text("column_points")}</th>${rated && html`<th class="num" title=${text("lost_about")}>${text("column_lost")}</th>`}
      <th class="num">${text("column_total")}</th><th class="num took">${text("column_took")}</th><th class="num pressed">${text("column_clock")}</th></tr></thead><tbody>${rows}</tbody></table>
    ${none && html`<div class="empty"><b>${text("no_play_yet")}</b>${text("no_play_about")}</div>`}</div></section>`;
}
