/** Every mirrored table on one page: to which service, since when, how far. */
import { html, render } from "../shared/dom.js";
import { part } from "../shared/part.js";
import { ask } from "../director/asking.js";
import { Difference, standing } from "../director/mirrors.js";
import { text as worded } from "../shared/texts.js";
import { dayAndTime } from "../shared/tool.js";

/** @import { Mirror } from "../director/models" */

/** @param {{mirror: Mirror}} props */
const Line = ({ mirror }) =>
  html`<tr><td class="num">${mirror.table}</td><td>${mirror.players.join(" \u2013 ")}</td>
    <td>${mirror.site ? html`<a href=${mirror.site} target="_blank" rel="noopener">${mirror.service}</a>` : mirror.service}</td>
    <td>${mirror.since ? dayAndTime(mirror.since) : ""}</td>
    <td>${standing(mirror)}${mirror.text && `: ${mirror.text}`}<${Difference} mirror=${mirror} onChosen=${refresh} /></td></tr>`;

async function refresh() {
  /** @type {Mirror[]} */
  const mirrors = await ask("GET", "/api/mirrors").catch(() => []);
  const shown = mirrors.length
    ? html`<table class="mirrors"><thead><tr><th class="num">${worded("mirror_table")}</th><th>${worded("mirror_game")}</th><th>${worded("mirrored_to")}</th><th>${worded("mirror_begun")}</th><th>${worded("mirror_how")}</th></tr></thead>
      <tbody>${mirrors.map((mirror) => html`<${Line} key=${mirror.game} mirror=${mirror} />`)}</tbody></table>`
    : html`<p class="soft">${worded("mirror_none")}</p>`;
  render(shown, part("#tool"));
}

refresh();
setInterval(refresh, 2000);
