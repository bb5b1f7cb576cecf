/** The history beside the commentator's board: every line with clock, time and verdict. */
import { html } from "../shared/dom.js";
import { formatClock } from "../shared/game/clock.js";
import { PlayWord } from "./panels.js";
import { lostWords } from "./review.js";
import { written } from "../shared/game/standing.js";
import { plainWord } from "../shared/game/tiles.js";

/** @import { BoothLine, Missed, Named, Review } from "../shared/frames" */

/** @type {{[kind: string]: string}} */
const NAMES = {
  exchange: "exchange",
  pass: "pass",
  no_play: "exchange or pass",
  unseen: "turns not seen",
  withdraw: "challenged off",
  challenge: "challenge failed",
  penalty: "penalty",
  end_rack: "opponent's tiles",
  end_rack_penalty: "own tiles",
  time: "overtime",
  conceded: "conceded",
};
const VERDICTS = { good: "valid", bad: "phony", undecided: "open" };

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
  return html`<span class="soft">${NAMES[line.kind] ?? line.kind} ${word || plainWord(line.tiles) || line.count || ""}</span>`;
}

/** @param {{line: BoothLine}} props */
function Verdict({ line }) {
  const word = line.verdict && VERDICTS[line.verdict];
  return word ? html`<span class=${`verdict ${line.verdict}`}>${word}</span>` : "";
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
    ${rated && html`<td class="num soft lost" title=${missed ? `best: ${missed.best.position} ${plainWord(missed.best.text)} ${missed.best.score}` : ""}>${missed ? lostWords(missed) : ""}</td>`}
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
  return html`<section class=${`card sheet ${timed ? "" : "untimed"}`}><h2>History<span class="grow"></span>
      <span class="steps" role="group" aria-label="Step through the game">
        ${button("First", "Home", () => onMove("Home"), none)}${button("Earlier", "ArrowLeft", () => onMove("ArrowLeft"), none)}
        ${button("Later", "ArrowRight", () => onMove("ArrowRight"), step === null)}${button("Live", "End", () => onMove("End"), step === null)}</span></h2>
    <div class="scroll" role="region" tabindex="0" aria-label="Lines of the history"><table><thead><tr><th class="num">#</th><th>Play</th><th>List</th><th class="num">Points</th>${rated && html`<th class="num" title="points given away against the best play">Lost</th>`}
      <th class="num">Total</th><th class="num took">Took</th><th class="num pressed">Clock</th></tr></thead><tbody>${rows}</tbody></table>
    ${none && html`<div class="empty"><b>No play yet</b>Each turn becomes a line: the play, the clock, the time it took.</div>`}</div></section>`;
}
