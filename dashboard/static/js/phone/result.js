/** The result phone of a table: each player says the result, or confirms what the other said. */
import { html, render } from "../shared/dom.js";

/** @import { ResultGame, ResultModel, ResultPlayer } from "../event/models" */

const EVERY_MS = 3000;
const table = document.documentElement.dataset.table;
const address = `/api/result/${table}`;

/** @type {{model: ResultModel | null, online: boolean, typed: [string, string], of: string, answer: string}} */
const state = { model: null, online: true, typed: ["", ""], of: "", answer: "" };

/** @param {ResultGame} game */
const nameOf = (game) => `${game.division} ${game.round} ${game.players.map((p) => p.number)}`;

/**
 * The scores in the players' order, as one of them said them.
 * @param {ResultGame} game
 * @param {number} place
 * @returns {[number, number] | null}
 */
function saidBy(game, place) {
  const claim = game.players[place].claim;
  if (!claim) return null;
  return place === 0 ? claim : [claim[1], claim[0]];
}

/** What stands in the form at first: what is recorded, or what the first player said. */
function begin() {
  const { game, recorded } = state.model ?? {};
  if (!game || state.of === nameOf(game)) return;
  state.of = nameOf(game);
  const known = recorded?.over ? recorded.scores : (saidBy(game, 0) ?? saidBy(game, 1));
  state.typed = known ? [String(known[0]), String(known[1])] : ["", ""];
  state.answer = "";
}

/** @param {string} text */
const scoreOf = (text) => (/^-?\d{1,4}$/.test(text.trim()) ? Number(text) : null);

/**
 * @param {ResultGame} game
 * @param {number} place
 */
async function confirm(game, place) {
  const scores = state.typed.map(scoreOf);
  if (scores.includes(null)) {
    state.answer = "Write both scores first.";
    draw();
    return;
  }
  const id = `r${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  const [own, other] = place === 0 ? scores : [scores[1], scores[0]];
  const body = { id, number: game.players[place].number, round: game.round, own, other };
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const found = await answer.json();
    state.answer = answer.ok ? replied(found) : found.detail;
  } catch {
    state.answer = "No connection: nothing was sent. Try again.";
  }
  await refresh();
}

/** @param {{state: string, reason: {text: string} | null}} found */
function replied(found) {
  if (found.state === "refused") return `Not taken: ${found.reason?.text}`;
  return found.state === "waiting" ? "Kept; it is sent on as soon as the recorder answers." : "";
}

/** @param {{game: ResultGame, place: number, signed: boolean}} props */
function Player({ game, place, signed }) {
  const player = game.players[place];
  const said = saidBy(game, place);
  return html`<div class="result-player">
    <label for=${`score-${place}`}><b>${player.name}</b><span>${place === 0 ? "goes first" : ""}</span></label>
    <input id=${`score-${place}`} inputmode="numeric" autocomplete="off" value=${state.typed[place]} aria-label=${`Score of ${player.name}`} onInput=${(/** @type {Event} */ event) => typed(event, place)} />
    <button type="button" class="go" onClick=${() => confirm(game, place)}>${said || signed ? "Change it as" : "I confirm:"} ${player.name}</button>
    <p class="soft">${signed ? "has confirmed what was recorded" : said ? `says ${said[0]}–${said[1]}` : "has not confirmed yet"}</p></div>`;
}

/**
 * @param {Event} event
 * @param {number} place
 */
function typed(event, place) {
  if (event.target instanceof HTMLInputElement) state.typed[place] = event.target.value;
}

/** @param {ResultGame} game */
function disagreed(game) {
  const [first, second] = [saidBy(game, 0), saidBy(game, 1)];
  return first && second && (first[0] !== second[0] || first[1] !== second[1]);
}

/** @param {{model: ResultModel}} props */
function Result({ model }) {
  const { game, recorded } = model;
  if (!game) return html`<p>No game waits for this table.</p>`;
  const head = html`<p class="soft">Division ${game.division}, round ${game.round}</p>`;
  if (game.scores)
    return html`${head}<div class="result-done"><h2>Result recorded</h2>${game.players.map(
      (player, place) => html`<p><span>${player.name}</span><b>${game.scores?.[place]}</b></p>`,
    )}</div><p>Something wrong? Call the director.</p>`;
  if (recorded && !recorded.over)
    return html`${head}<h2>${game.players.map(({ name }) => name).join(" – ")}</h2><p>The game is on. Come back when it is over.</p>`;
  return html`${head}
    ${disagreed(game) && html`<p class="result-alarm" role="alert">You do not agree. The director has been told; until then either of you can put it right.</p>`}
    ${recorded?.over && html`<p>As recorded: ${recorded.scores.join("–")}. Confirm it, or write what is right.</p>`}
    <${Player} game=${game} place=${0} signed=${recorded?.signed[0] ?? false} />
    <${Player} game=${game} place=${1} signed=${recorded?.signed[1] ?? false} />`;
}

function draw() {
  const { model } = state;
  render(
    html`<header><h1>Table ${table}</h1><p role="status">${state.online ? "" : "No connection, trying again"}</p></header>
    ${model && html`<${Result} model=${model} />`}
    <p class="result-answer" role="status">${state.answer}</p>`,
    document.body,
  );
}

async function refresh() {
  try {
    const answer = await fetch(address);
    if (answer.status === 401) location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    state.model = await answer.json();
    state.online = true;
    begin();
  } catch {
    state.online = false;
  }
  draw();
}

refresh();
setInterval(refresh, EVERY_MS);
