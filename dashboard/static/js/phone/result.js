/** The result phone of a table: each player says the result, or confirms what the other said. */
import { html, render } from "../shared/dom.js";
import { text } from "../shared/texts.js";

/** @import { ResultGame, ResultModel, ResultPlayer } from "../event/models" */

const EVERY_MS = 3000;
const table = document.documentElement.dataset.table;
const address = `/api/result/${table}`;

/** @typedef {[string | null, string | null]} Typed what a player wrote into the two fields, null where nobody did */

/** @type {{model: ResultModel | null, online: boolean, typed: Typed, of: string, answer: string}} */
const state = { model: null, online: true, typed: [null, null], of: "", answer: "" };

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

/** Nothing is typed yet of another game than the one before. */
function begin() {
  const { game } = state.model ?? {};
  if (!game || state.of === nameOf(game)) return;
  state.of = nameOf(game);
  state.typed = [null, null];
  state.answer = "";
}

/**
 * What stands in a field: what a player wrote, else what is recorded, or what a player said.
 * @param {ResultGame} game
 * @param {number} place
 */
function inField(game, place) {
  const recorded = state.model?.recorded;
  const known = recorded?.over ? recorded.scores : (saidBy(game, 0) ?? saidBy(game, 1));
  return state.typed[place] ?? String(known?.[place] ?? "");
}

/** @param {string} written */
const scoreOf = (written) => (/^-?\d{1,4}$/.test(written.trim()) ? Number(written) : null);

/**
 * @param {ResultGame} game
 * @param {number} place
 */
async function confirm(game, place) {
  const scores = [0, 1].map((field) => scoreOf(inField(game, field)));
  if (scores.includes(null)) {
    state.answer = text("write_both");
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
    state.answer = text("nothing_sent");
  }
  await refresh();
}

/** @param {{state: string, reason: {text: string} | null}} found */
function replied(found) {
  if (found.state === "refused") return text("not_taken", { why: found.reason?.text ?? "" });
  return found.state === "waiting" ? text("kept_for_recorder") : "";
}

/** @param {{game: ResultGame, place: number, signed: boolean}} props */
function Player({ game, place, signed }) {
  const player = game.players[place];
  const said = saidBy(game, place);
  return html`<div class="result-player">
    <label for=${`score-${place}`}><b>${player.name}</b><span>${place === 0 ? text("goes_first") : ""}</span></label>
    <input id=${`score-${place}`} inputmode="numeric" autocomplete="off" value=${inField(game, place)} aria-label=${text("score_of", { name: player.name })} onInput=${(/** @type {Event} */ event) => typed(event, place)} />
    <button type="button" class="go" onClick=${() => confirm(game, place)}>${text(said || signed ? "change_as" : "confirm_as", { name: player.name })}</button>
    <p class="soft">${signed ? text("has_confirmed") : said ? text("says_scores", { scores: said.join("–") }) : text("not_confirmed")}</p></div>`;
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
  if (!game) return html`<p>${text("no_game_waits")}</p>`;
  const head = html`<p class="soft">${text("division_round", { division: game.division, round: game.round })}</p>`;
  if (game.scores)
    return html`${head}<div class="result-done"><h2>${text("result_recorded")}</h2>${game.players.map(
      (player, place) => html`<p><span>${player.name}</span><b>${game.scores?.[place]}</b></p>`,
    )}</div><p>${text("something_wrong")}</p>`;
  if (recorded && !recorded.over)
    return html`${head}<h2>${game.players.map(({ name }) => name).join(" – ")}</h2><p>${text("game_is_on")}</p>`;
  return html`${head}
    ${disagreed(game) && html`<p class="result-alarm" role="alert">${text("disagree")}</p>`}
    ${recorded?.over && html`<p>${text("as_recorded", { scores: recorded.scores.join("–") })}</p>`}
    <${Player} game=${game} place=${0} signed=${recorded?.signed[0] ?? false} />
    <${Player} game=${game} place=${1} signed=${recorded?.signed[1] ?? false} />`;
}

function draw() {
  const { model } = state;
  render(
    html`<header><h1>${text("table_number", { table: table ?? "" })}</h1><p role="status">${state.online ? "" : text("no_connection")}</p></header>
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
