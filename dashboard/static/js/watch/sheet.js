/** The score sheet, each line with a link of its own, and the buttons that step through it. */
import { View, html } from "../shared/dom.js";
import { text } from "../shared/texts.js";
import { signed } from "../shared/game/standing.js";
import { briefly } from "./telling.js";
import { isBlank, labelOf, tilesIn } from "../shared/game/tiles.js";

/** @import { Named, PublicLine } from "../shared/frames" */
/** @import { Shown } from "./game.js" */

/** What the heads of the columns cover while the lines go by below them. */
const HEAD_PX = 30;

/**
 * The name of a line in the address: the number of its turn; what follows in the same turn has a
 * second number.
 * @param {PublicLine[]} lines
 * @param {number} at
 */
export function anchorOf(lines, at) {
  if (at < 0) return "0";
  const { n } = lines[at];
  const earlier = lines.slice(0, at).filter((line) => line.n === n).length;
  return earlier ? `${n}.${earlier + 1}` : String(n);
}

/**
 * The line that an address names; null for the newest, also where the address names one that is not
 * there yet.
 * @param {PublicLine[]} lines
 * @param {string} hash
 */
export function lineAt(lines, hash) {
  const wanted = hash.replace(/^#/, "");
  if (wanted === "0") return lines.length ? -1 : null;
  const at = lines.findIndex((_, number) => anchorOf(lines, number) === wanted);
  return at < 0 ? null : at;
}

/** @param {{line: PublicLine}} props */
function What({ line }) {
  if (line.kind !== "play") return html`<span class="brief">${briefly(line)}</span>`;
  const laid = tilesIn(line.word);
  const letters = tilesIn(line.words[0] ?? line.word).map((tile, at) => {
    const look = laid[at] === "." ? "through" : isBlank(tile) ? "blank" : "";
    return html`<span class=${look}>${labelOf(tile) || "\u25a1"}</span>`;
  });
  return html`<span class="where">${line.position}</span> <b>${letters}</b>`;
}

/** The time that a turn took: 1:05. @param {number} ms */
function spent(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {{lines: PublicLine[], at: number, chosen: boolean, players: Named[], timed: boolean}} props */
function Row({ lines, at, chosen, players, timed }) {
  const line = lines[at];
  const again = at > 0 && lines[at - 1].n === line.n;
  return html`<tr class=${`player-${line.player} ${chosen ? "chosen" : ""}`} aria-current=${chosen ? "true" : null}>
    <td class="num soft">${again || !line.n ? "" : line.n}</td>
    <td class="what"><i class="dot"></i><a href=${`#${anchorOf(lines, at)}`}><span class="sr">${players[line.player].name}: </span><${What} line=${line} /></a></td>
    ${timed && html`<td class="num soft spent">${line.spent_ms === undefined ? "" : spent(line.spent_ms)}</td>`}
    <td class="num">${line.score || line.kind === "play" ? signed(line.score) : ""}</td>
    <td class="num total">${line.totals[line.player]}</td></tr>`;
}

/**
 * Where the sheet scrolls by itself the chosen line is in sight: the newest, unless another is asked for.
 * @extends {View<Shown>}
 */
export class Sheet extends View {
  /** @type {number | null} */
  seen = null;

  componentDidMount() {
    this.componentDidUpdate();
  }

  componentDidUpdate() {
    const shown = this.props.step ?? this.props.lines.length - 1;
    const row = this.root?.querySelector(".chosen");
    if (shown === this.seen || !this.root || !row) return;
    this.seen = shown;
    const [box, line] = [this.root.getBoundingClientRect(), row.getBoundingClientRect()];
    if (line.top < box.top + HEAD_PX) this.root.scrollTop += line.top - box.top - HEAD_PX;
    else if (line.bottom > box.bottom) this.root.scrollTop += Math.ceil(line.bottom - box.bottom);
  }

  /** @param {Shown} props */
  render({ model, lines, step }) {
    const shown = step ?? lines.length - 1;
    const timed = lines.some((line) => line.spent_ms !== undefined);
    const heads = ["move_number", "play", ...(timed ? ["time_spent"] : []), "points", "total"];
    return html`<section class="sheet"><h2>${text("score_sheet")}</h2>
    <div class="scroll" ref=${this.own} tabindex="0" role="region" aria-label=${text("score_sheet")}><table><thead><tr>${heads.map((code) => html`<th scope="col" key=${code} class=${code === "play" ? "" : "num"}>${text(code)}</th>`)}</tr></thead>
      <tbody>${lines.map((_, at) => html`<${Row} key=${at} lines=${lines} at=${at} chosen=${at === shown} players=${model.players} timed=${timed} />`)}</tbody></table></div></section>`;
  }
}

/** Lines that are a turn: the other player is next. */
export const TURNS = new Set(["play", "exchange", "pass", "no_play", "unseen"]);
/** Lines of a game that is over. */
export const AFTER = new Set(["end_rack", "end_rack_penalty", "time", "conceded"]);

/** @param {Shown} props */
export function Steps({ lines, step, onStep }) {
  const end = lines.length - 1;
  const at = step ?? end;
  const newest = () => onStep(null);
  /**
   * @param {string} code
   * @param {string} sign
   * @param {boolean} off
   * @param {() => void} move
   */
  const button = (code, sign, off, move) =>
    html`<button type="button" aria-label=${text(code)} title=${text(code)} disabled=${off} onClick=${move}>${sign}</button>`;
  const count = lines.at(-1)?.n ?? 0;
  const number = at < 0 ? 0 : (lines[at]?.n ?? 0);
  const after = AFTER.has(lines[at]?.kind);
  const place = after ? text("after_game") : text("move_of", { number, moves: count });
  return html`<nav class="steps" aria-label=${text("score_sheet")}>
    ${button("first", "\u00ab", at < 0, () => onStep(-1))}${button("earlier", "\u2039", at < 0, () => onStep(at - 1))}
    <span class="figures">${number || after ? place : text("start")}</span>
    ${button("later", "\u203a", step === null, () => (at + 1 >= end ? newest() : onStep(at + 1)))}${button("last", "\u00bb", step === null, newest)}</nav>`;
}
