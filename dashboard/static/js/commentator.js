/** The commentator's page: board with coordinates, clocks, unseen tiles, the whole sheet. */
import { html } from "./dom.js";
import { Board } from "./board.js";
import { Score } from "./score.js";
import { openTool, page } from "./tool.js";
import { Unseen } from "./unseen.js";

const squares = page.premiums.split(" ");
const NAMES = { exchange: "exchange", pass: "pass", no_play: "exchange or pass", withdraw: "withdrawn",
  challenge: "challenge stands", end_rack: "tiles left", end_rack_penalty: "own tiles left", time: "overtime" };

const span = (from) => Array.from({ length: 15 }, (_, at) => html`<span>${from(at)}</span>`);

function What({ line }) {
  const word = (line.words[0] ?? "").toUpperCase();
  const others = line.words.slice(1).join(", ").toUpperCase();
  if (line.kind === "play") return html`<b>${word}</b> <span class="soft">${line.position}${others && ` with ${others}`}</span>`;
  return html`<span class="soft">${NAMES[line.kind]} ${word || line.tiles || line.count || ""}</span>`;
}

function Sheet({ sheet, players }) {
  const rows = [...sheet].reverse().map((line) => html`<tr class=${`player-${line.player}`}>
    <td class="num">${line.n}</td>
    <td><i class="dot"></i>${players[line.player].name}</td>
    <td><${What} line=${line} /></td>
    <td class="num">${line.score > 0 ? `+${line.score}` : String(line.score).replace("-", "\u2212")}</td>
    <td class="num">${line.total}</td></tr>`);
  return html`<div class="card sheet"><table><thead><tr><th class="num">Turn</th><th>Player</th>
    <th>Play</th><th class="num">Points</th><th class="num">Total</th></tr></thead><tbody>${rows}</tbody></table>
    ${rows.length === 0 && html`<div class="empty">No play yet.</div>`}</div>`;
}

openTool(`/ws/commentator/${page.table}`, ({ frame, sheet }, now) => html`<div class="booth">
  <div class="framed"><div class="rows">${span((at) => at + 1)}</div>
    <${Board} frame=${frame} premiums=${squares} labels />
    <div class="cols">${span((at) => "ABCDEFGHIJKLMNO"[at])}</div></div>
  <div class="side">
    <div class="scaled"><${Score} frame=${frame} now=${now} clocks /></div>
    <div class="scaled"><${Unseen} frame=${frame} /></div>
    <${Sheet} sheet=${sheet} players=${frame.players} />
  </div></div>`);
