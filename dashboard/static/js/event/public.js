/** The event for everybody: one's own seat, pairings, standings, highlights and finished games. */
import { html, render } from "../shared/dom.js";
import { part } from "../shared/part.js";
import { ordinal } from "../shared/game/plate.js";
import { halves, signed } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { Crosstable } from "./crosstable.js";
import { Archive, Highlights } from "./highlights.js";
import { Games, Highs, Next, Out, Standings, standingsTitle } from "./tables.js";

/** @import { EventDivision, EventModel, EventRounds } from "./models" */
/** @import { OverGame } from "./highlights" */

const ASKED_MS = 20000;
/** Where there are more bytes there are more players, and more phones: they look less often yet. */
const EASY_BYTES = 9000;
/** A viewer chooses a name once; the phone remembers it. */
const MINE = "tilecast-player";

/** @returns {string} */
function remembered() {
  try {
    return localStorage.getItem(MINE) ?? "";
  } catch {
    return "";
  }
}

/** @type {{model: EventModel | null, games: OverGame[], online: boolean, mine: string, all: boolean, rounds: EventRounds | null, player: number}} */
const state = {
  model: null,
  games: [],
  online: true,
  mine: remembered(),
  all: false,
  rounds: null,
  player: 0,
};

/** @param {Event} event */
function choose(event) {
  if (!(event.target instanceof HTMLSelectElement)) return;
  state.mine = event.target.value;
  try {
    localStorage.setItem(MINE, state.mine);
  } catch {
    // Private windows remember nothing; the choice holds while the page is open.
  }
  draw();
  refresh();
}

/**
 * What a player must know: where they sit, against whom, who goes first.
 * @param {EventDivision} division
 * @param {number} id
 */
function seatOf(division, id) {
  const game = division.games.find(({ players }) => players.includes(id));
  if (!game) return text(division.round ? "no_opponent" : "not_paired");
  const first = game.players[0] === id;
  const other = division.standings.find((row) => row.id === game.players[first ? 1 : 0]);
  const place = game.table ? `${text("table", { number: game.table })}, ` : "";
  const whom = place + text("against", { name: other?.name ?? "" });
  const own = first ? 0 : 1;
  const counted = game.margins ? ` (${signed(game.margins[own])})` : "";
  if (game.scores) return `${whom}: ${game.scores[own]}\u2013${game.scores[1 - own]}${counted}`;
  if (game.margins) return `${whom}: ${text("not_played")}, ${signed(game.margins[own])}`;
  return `${whom}; ${text(first ? "you_first" : "you_second")}`;
}

/** @param {{model: EventModel}} props */
function Mine({ model }) {
  const players = model.divisions.flatMap((division) =>
    division.standings.map((row) => ({ key: `${division.name}/${row.id}`, division, row })),
  );
  const found = players.find(({ key }) => key === state.mine);
  players.sort((first, second) => first.row.name.localeCompare(second.row.name));
  return html`<section class="mine"><label>${text("you_are")} <select onChange=${choose}><option value="">${text("choose_name")}</option>
    ${players.map(({ key, row }) => html`<option key=${key} value=${key} selected=${key === state.mine}>${row.name}</option>`)}</select></label>
    ${
      found &&
      html`<p class="mine-seat">${text("round_number", { round: found.division.round })}: ${seatOf(found.division, found.row.id)}</p>
      <p class="soft">${[found.row.rank && ordinal(found.row.rank), `${halves(found.row.wins)}\u2013${halves(found.row.losses)}`, signed(found.row.spread)].filter(Boolean).join(", ")}</p>`
    }
    ${
      state.mine &&
      (model.names?.length ?? 0) > 1 &&
      html`<p><button type="button" onClick=${() => {
        state.all = !state.all;
        refresh();
      }}>${text(state.all ? "own_division" : "all_divisions")}</button></p>`
    }</section>`;
}

/**
 * Shows every round of a division, or hides them again.
 * @param {string} name
 */
async function allRounds(name) {
  const shown = state.rounds?.name === name;
  const [division, number] = state.mine.split("/");
  state.rounds = null;
  state.player = division === name ? Number(number) : 0;
  if (!shown) {
    const answer = await fetch(`/event/rounds.json?division=${encodeURIComponent(name)}`).catch(
      () => null,
    );
    if (answer?.ok) state.rounds = await answer.json();
    else state.online = false;
  }
  draw();
}

/** @param {{division: EventDivision, many: boolean}} props */
function Division({ division, many }) {
  const { name, round } = division;
  const open = state.rounds?.name === name;
  return html`<section>${many && html`<h2>${text("division", { name })}</h2>`}
    ${round > 0 && html`<h3>${text("round_number", { round })}</h3><${Games} division=${division} />`}
    <${Next} division=${division} /><${Out} division=${division} />
    <h3>${standingsTitle(division)}</h3><${Standings} division=${division} />
    ${round > 0 && html`<p><button type="button" aria-expanded=${String(open)} onClick=${() => allRounds(name)}>${text("all_rounds")}</button></p>`}
    ${
      open &&
      html`<${Crosstable} rounds=${state.rounds} chosen=${state.player} choose=${(
        /** @type {number} */ id,
      ) => {
        state.player = id;
        draw();
      }} />`
    }
    <${Highs} division=${division} /></section>`;
}

function draw() {
  const { model, games, online } = state;
  part("#line").textContent = online ? "" : text("lost");
  if (!model) return;
  const many = (model.names ?? []).length > 1;
  const divisions = model.divisions.map(
    (division) => html`<${Division} key=${division.name} division=${division} many=${many} />`,
  );
  render(
    html`<h1>${text("pairings_standings")}</h1>
      ${divisions.length ? html`<${Mine} model=${model} />${divisions}` : html`<p>${text("no_event")}</p>`}
      <${Highlights} games=${games} event=${model} />
      ${games.length > 0 && html`<section class="earlier"><h2>${text("games_over")}</h2><${Archive} games=${games} /></section>`}`,
    part("#event"),
  );
}

/** The size of the last answer, as it came. */
let bytes = 0;

async function refresh() {
  const own = state.all ? "" : state.mine.split("/")[0];
  const asked = own ? `?division=${encodeURIComponent(own)}` : "";
  try {
    const [event, games] = await Promise.all(
      [`/event/data.json${asked}`, "/public/games.json"].map((address) => fetch(address)),
    );
    if (!event.ok || !games.ok) throw new Error(String(event.status));
    bytes = Number(event.headers.get("Content-Length"));
    [state.model, state.games] = [await event.json(), (await games.json()).games];
    state.online = true;
  } catch {
    state.online = false;
  }
  draw();
}

/** Looks again and again. */
async function follow() {
  await refresh();
  setTimeout(follow, ASKED_MS * Math.max(1, bytes / EASY_BYTES) + Math.random() * 1000);
}

follow();
