/** The event: pairings and standings for everybody; for directors the entry of orders in words. */
import { html, render } from "../shared/dom.js";
import { part } from "../shared/part.js";

/** @import { EventDivision, EventGame, EventModel, EventPair, EventPreview } from "./models" */

const EVERY_MS = 5000;
const METHODS = {
  swiss: "Swiss",
  australian: "Australian draw",
  koth: "king of the hill",
  round_robin: "round robin",
  random: "at random",
};
const desk = document.documentElement.dataset.desk === "desk";
const address = desk ? "/api/event" : "/event/data.json";

/** @type {{model: EventModel | null, online: boolean, words: string, answer: string}} */
const state = { model: null, online: false, words: "", answer: "" };

/** @param {number} count */
const halves = (count) => (count % 1 ? `${Math.floor(count) || ""}½` : String(count));

/** @param {number} points */
const signed = (points) => (points < 0 ? `−${-points}` : points > 0 ? `+${points}` : "0");

/** @param {{games: EventGame[], names: Map<number, string>}} props */
function Games({ games, names }) {
  /** @param {number} number */
  const player = (number) => (desk ? `${number} ` : "") + names.get(number);
  return html`<table class="event-table"><thead><tr><th>Table</th><th>Moves first</th><th></th><th>Moves second</th><th></th></tr></thead>
    <tbody>${games.map(
      ({
        table,
        players: [first, second],
        scores,
      }) => html`<tr><td>${table ?? ""}</td><td>${player(first)}</td><td class="figure">${scores?.[0]}</td>
      <td>${player(second)}</td><td class="figure">${scores?.[1]}</td></tr>`,
    )}</tbody></table>`;
}

/** @param {{division: EventDivision}} props */
function Division({ division }) {
  const names = new Map(division.standings.map((row) => [row.id, row.name]));
  return html`<section><h2>Division ${division.name}</h2>
    ${division.round > 0 && html`<h3>Round ${division.round}</h3><${Games} games=${division.games} names=${names} />`}
    ${division.out.length > 0 && html`<p class="soft">Without opponent: ${division.out.map((number) => names.get(number)).join("; ")}</p>`}
    <h3>Standings${division.after > 0 ? ` after round ${division.after}` : ""}</h3>
    <table class="event-table"><thead><tr><th class="figure">Place</th><th>Player</th><th class="figure">Wins</th><th class="figure">Losses</th><th class="figure">Spread</th></tr></thead>
    <tbody>${division.standings.map(
      (
        row,
      ) => html`<tr><td class="figure">${row.rank ?? "left"}</td><td>${desk && `${row.id} `}${row.name}</td><td class="figure">${halves(row.wins)}</td>
      <td class="figure">${halves(row.losses)}</td><td class="figure">${signed(row.spread)}</td></tr>`,
    )}</tbody></table></section>`;
}

/** @param {{model: EventModel}} props */
function Entry({ model }) {
  return html`<form class="event-entry" onSubmit=${give}>
    <label for="words">Order, such as <code>5 431 2 380</code>, the result of 5 and 2</label>
    <input id="words" autocomplete="off" value=${state.words} onInput=${typed} />
    <div><button type="submit">Give</button> <button type="button" onClick=${preview}>What would it do?</button></div>
    ${model.divisions.map(
      ({ name }) =>
        html`<div class="methods">Pair division ${name}: ${Object.entries(METHODS).map(
          ([method, called]) =>
            html`<button type="button" onClick=${() => pair(name, method)}>${called}</button>`,
        )}</div>`,
    )}
    <div class="event-answer" role="status">${state.answer}</div>
    <details><summary>Orders</summary><pre>${model.usage}</pre></details>
    <details><summary>Games</summary><ul>${(model.games ?? []).map(
      ({ table, game, players }) =>
        html`<li><a href=${`/director?table=${table}&game=${encodeURIComponent(game)}`}>${game}</a> table ${table}: ${players.join(" and ")}</li>`,
    )}</ul></details>
    <details><summary>Given so far</summary><ul>${(model.orders ?? []).map(
      (order) =>
        html`<li><code>${order.id}</code> ${order.who}: ${order.type} ${JSON.stringify(order.said)}</li>`,
    )}</ul></details></form>`;
}

function draw() {
  const { model } = state;
  part("#line").textContent = state.online ? (desk ? "live" : "") : "no connection, trying again";
  if (!model) return;
  part("#name").textContent = model.name || "Event";
  if (desk) render(html`<${Entry} model=${model} />`, part("#entry"));
  const divisions = model.divisions.map(
    (division) => html`<${Division} key=${division.name} division=${division} />`,
  );
  render(
    html`<div>${divisions}${divisions.length === 0 && html`<p>No event is kept yet.</p>`}</div>`,
    part("#event"),
  );
}

/** @param {Event} event */
function typed(event) {
  if (event.target instanceof HTMLInputElement) state.words = event.target.value;
}

/**
 * @param {string} path
 * @returns {Promise<[Response, any]>}
 */
async function send(path) {
  const id = `w${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id, words: state.words }),
  });
  return [answer, await answer.json()];
}

/** @param {Event} event */
async function give(event) {
  event.preventDefault();
  try {
    const [answer, found] = await send("/api/event/order");
    state.answer = answer.ok ? said(found.state, found.reason?.text) : found.detail;
    if (answer.ok && found.state === "accepted") state.words = "";
  } catch {
    state.answer = "no connection: nothing was sent";
  }
  refresh();
}

/**
 * @param {string} outcome
 * @param {string | undefined} reason
 */
function said(outcome, reason) {
  if (outcome === "refused") return `Refused: ${reason}`;
  return outcome === "accepted"
    ? "Recorded."
    : "No recorder has answered yet; the order is kept and sent on.";
}

async function preview() {
  try {
    const [answer, found] = await send("/api/event/order/preview");
    state.answer = answer.ok ? previewed(found) : found.detail;
  } catch {
    state.answer = "no connection";
  }
  draw();
}

/**
 * Puts the order that would publish the next round into the entry, to be changed or given.
 *
 * @param {string} division
 * @param {string} method
 */
async function pair(division, method) {
  try {
    const answer = await fetch("/api/event/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ division, method }),
    });
    const found = await answer.json();
    state.words = answer.ok ? found.words : state.words;
    state.answer = answer.ok
      ? [...missing(found.missing), ...found.pairs.map(paired)].join("\n")
      : found.detail;
  } catch {
    state.answer = "no connection";
  }
  draw();
}

/** @param {number} count */
const missing = (count) =>
  count ? [`${count} results are missing: this is paired without them.`] : [];

/** @param {EventPair} found */
function paired({ table, first, second, repeat, why }) {
  return `${table}  ${first} – ${second}${repeat ? " (REPEAT)" : ""}: ${why}`;
}

/** @param {EventPreview} found */
function previewed(found) {
  if (!found.ok) return `Refused: ${found.reason?.text}`;
  const ranks = found.ranks.map(
    (change) =>
      `${change.name}: place ${change.rank.join(" → ")}, spread ${change.spread.join(" → ")}`,
  );
  const paired = found.paired.map(
    (round) =>
      `Round ${round.round} of division ${round.division} is paired already, and stays as it is.`,
  );
  const left = found.left_out.map((id) => `Order ${id} would no longer fit, and would not count.`);
  return [...ranks, ...paired, ...left].join("\n") || "It changes no place.";
}

async function refresh() {
  try {
    const answer = await fetch(address);
    if (answer.status === 401 || answer.status === 403) location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    state.model = await answer.json();
    state.online = true;
  } catch {
    state.online = false;
  }
  draw();
}

refresh();
setInterval(refresh, EVERY_MS);
