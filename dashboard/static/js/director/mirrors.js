/** Where this table's game is mirrored to, how far, and what a director has to choose. */
import { html } from "../shared/dom.js";
import { change, view } from "./desk.js";
import { ask } from "./asking.js";
import { dayAndTime, timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { Mirror } from "./models" */

/**
 * How a mirror is, in words.
 * @param {Mirror} mirror
 */
export const standing = (mirror) =>
  worded(`mirror_${mirror.state}`, {
    sent: mirror.sent,
    turns: mirror.turns,
    service: mirror.service,
  });

/**
 * @param {Mirror} mirror
 * @param {string} choice
 * @param {() => unknown} then
 */
async function choose(mirror, choice, then) {
  const difference = mirror.difference?.key ?? "";
  await ask("POST", "/api/mirrors", { game: mirror.game, difference, choice });
  await then();
}

/** @param {{mirror: Mirror, onChosen: () => unknown}} props */
export function Difference({ mirror, onChosen }) {
  const { difference, state, service } = mirror;
  const choices = difference ? difference.choices : state === "stopped" ? ["go_on"] : [];
  return html`${
    difference &&
    html`<p class="why">${mirror.needs.map(({ text }) => text)}</p>
    <dl class="sides"><dt>${worded("mirror_here")}</dt><dd>${difference.ours}</dd><dt>${service}</dt><dd>${difference.theirs}</dd></dl>`
  }
  ${
    choices.length > 0 &&
    html`<div class="row">${choices.map((choice, at) => html`<button type="button" class=${difference && at === 0 ? "main" : ""} onClick=${() => choose(mirror, choice, onChosen)}>${worded(`mirror_choose_${choice}`)}</button>`)}</div>`
  }`;
}

/** The mirror of this table's newest game, or of an earlier one that has a fault; without a mirror nothing. */
export function Mirrors() {
  const mirror =
    view.mirrors.findLast(({ difference }) => difference) ??
    view.mirrors.findLast(({ state }) => state === "away") ??
    view.mirrors.at(-1);
  if (!mirror) return null;
  return html`<section class="card mirrors" aria-label=${worded("mirrored_to")}><h2>${worded("mirrored_to")} ${mirror.site ? html`<a href=${mirror.site} target="_blank" rel="noopener">${mirror.service}</a>` : mirror.service} <span class="soft">${mirror.since ? worded("mirror_since", { time: dayAndTime(mirror.since) }) : ""}</span></h2>
    <p class=${`mirror-state ${mirror.state}`}>${standing(mirror)}${mirror.text && `: ${mirror.text}`}</p>
    <${Difference} mirror=${mirror} onChosen=${refreshMirrors} />
    ${mirror.journal.length > 1 && html`<details><summary>${worded("mirror_journal")}</summary>${mirror.journal.map((line) => html`<p class="soft">${timeOfDay(line.at)} ${line.what}</p>`)}</details>`}</section>`;
}

const table = Number(document.documentElement.dataset.table);

export async function refreshMirrors() {
  try {
    change({ mirrors: await ask("GET", `/api/mirrors?table=${table}`) });
  } catch {
    // What was heard last stays: the mirror goes on without this page.
  }
}
