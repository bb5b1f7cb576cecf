/** The event for directors: the entry of orders in words, pairings and standings. */
import { html, render } from "../shared/dom.js";
import { Crosstable } from "./crosstable.js";
import { DrawnRound, wordsOf } from "./draw.js";
import { part } from "../shared/part.js";
import { signed } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { Games, Highs, Next, Out, Standings, standingsTitle } from "./tables.js";

/** @import { Need } from "../director/frames" */
/** @import { Drawn } from "../shared/dom" */
/** @import { EventDivision, EventDraw, EventGame, EventModel, EventPreview, EventRounds } from "./models" */

const DESK_MS = 5000;
/** The usual ways to pair are buttons. */
const METHODS = ["swiss", "cop", "koth", "round_robin"];
/** The others are in a list. */
const OTHER_METHODS = ["australian", "random", "quads", "fontes", "factor", "teams", "interleaved"];
const SHEETS = [
  "pairings-by-name",
  "pairings-by-table",
  "standings",
  "score-cards",
  "wall-chart",
  "result-slips",
  "prizes",
];
const FORMS = ["tourney.js", "tsh", "archive", "tou", "csv", "standings"];
/** How a division is drawn: each is an order of that name. */
const SETUP = ["tables", "fixed", "prizes", "times"];
const UNSET = { tables: "any", fixed: "none", prizes: "0", times: "none" };
/** @type {{model: EventModel | null, online: boolean, words: string, answer: string, draw: EventDraw | null, rounds: EventRounds | null, player: number, roster: {division: string, name: string, rating: number, ident: string, doubt: string, note: string}[], ratings: string, collins: boolean, unseen: {words: string, changes: string[]} | null, given: {id: string, said: string} | null, chosen: string, absent: {[division: string]: string}}} */
const state = {
  model: null,
  online: false,
  words: "",
  answer: "",
  draw: null,
  rounds: null,
  player: 0,
  roster: [],
  ratings: "",
  collins: false,
  unseen: null,
  given: null,
  chosen: "",
  absent: {},
};

/** @param {string} division @returns {(game: EventGame) => Drawn} */
const undoOf =
  (division) =>
  ({ players: [first] }) => {
    const order = state.model?.given?.[`${division.toLowerCase()}/${first}`];
    return (
      order &&
      html`<button type="button" onClick=${() => say(`undo ${order}`)}>${text("undo_it")}</button>`
    );
  };

/**
 * Shows every round of a division, or hides them again.
 * @param {string} name
 */
async function allRounds(name) {
  const shown = state.rounds?.name === name;
  state.rounds = null;
  state.player = 0;
  if (!shown) {
    try {
      const answer = await fetch(`/event/rounds.json?division=${encodeURIComponent(name)}`);
      if (answer.ok) state.rounds = await answer.json();
    } catch {
      state.online = false;
    }
  }
  draw();
}

/** @param {{division: EventDivision}} props */
function Division({ division }) {
  const { name, round } = division;
  const open = state.rounds?.name === name;
  return html`<section><h2>${text("division", { name })}</h2>
    ${round > 0 && html`<h3>${text("round_number", { round })}</h3><${Games} division=${division} numbered after=${undoOf(name)} />`}
    <${Next} division=${division} /><${Out} division=${division} />
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
    <h3>${standingsTitle(division)}</h3><${Standings} division=${division} numbered />
    <${Highs} division=${division} /></section>`;
}

/**
 * @param {EventModel} model
 * @param {string} name
 */
function namesOf(model, name) {
  const found = model.divisions.find((division) => division.name === name);
  return new Map(found?.standings.map((row) => [row.id, row.name]));
}

/** The draw was changed by hand: so is the order that publishes it. */
function changed() {
  if (state.draw) state.words = wordsOf(state.draw);
  draw();
}

function again() {
  if (state.draw) pair(state.draw.division, state.draw.method, state.draw.round);
}

/**
 * The newest round of a division as it is published, to be changed or paired again.
 * @param {EventDivision} division
 */
function redo(division) {
  const { name, round, games, bye, sitting } = division;
  state.draw = {
    division: name,
    method: "swiss",
    round,
    pairs: games.map(({ table, players, scores, margins }) => ({
      table: table ?? 0,
      players,
      repeat: false,
      locked: Boolean(scores ?? margins),
      why: scores
        ? text("played_scores", { scores: scores.join("–") })
        : text(margins ? "settled_unplayed" : "published"),
    })),
    bye,
    out: sitting,
    again: games.some(({ scores, margins }) => scores ?? margins),
  };
  changed();
}

/**
 * Who has checked in before the first round, and who is missing.
 * @param {{division: EventDivision}} props
 */
function Present({ division: { name, standings } }) {
  const here = state.model?.here?.[name] ?? [];
  if (here.length === 0) return null;
  const expected = standings.filter(({ rank }) => rank !== null);
  const missing = expected.filter(({ id }) => !here.includes(id));
  const leave = () => {
    state.absent[name] = missing.map(({ id }) => id).join(" ");
    draw();
  };
  const counts = { here: expected.length - missing.length, expected: expected.length };
  const names = missing.map((row) => `${row.id} ${row.name}`).join("; ");
  return html`<p>${text("checked_in", counts)} ${
    missing.length > 0 &&
    html`${text("missing_players", { names })} <button type="button" onClick=${leave}>${text("leave_out")}</button>`
  }</p>`;
}

/** @param {{division: EventDivision, setup: {[order: string]: string}}} props */
function Rounds({ division, setup }) {
  const { name } = division;
  return html`<div class="methods">${text("pair_division", { name })} ${METHODS.map(
    (method) =>
      html`<button type="button" onClick=${() => pair(name, method)}>${text(`method_${method}`)}</button>`,
  )}
    <select aria-label=${text("other_ways_of", { name })} onChange=${(
      /** @type {Event} */ event,
    ) => {
      if (!(event.target instanceof HTMLSelectElement)) return;
      pair(name, event.target.value);
      event.target.value = "";
    }}><option value="">${text("other_ways")}</option>${OTHER_METHODS.map(
      (method) => html`<option value=${method}>${text(`method_${method}`)}</option>`,
    )}</select>
    ${division.round > 0 && html`<button type="button" onClick=${() => redo(division)}>${text("redo_round", { round: division.round })}</button>`}
    <${Present} division=${division} />
    <label>${text("without")} <input autocomplete="off" size="8" placeholder="4 17" aria-label=${text("absent_from", { name })} value=${state.absent[name] ?? ""}
      onInput=${(/** @type {Event} */ event) => {
        if (event.target instanceof HTMLInputElement) state.absent[name] = event.target.value;
      }} /></label>
    <details><summary>${text("set_up")}</summary>${SETUP.map(
      (order) =>
        html`<label>${text(`setup_${order}`)} <input autocomplete="off" value=${setup[order] ?? ""} onChange=${(
          /** @type {Event} */ event,
        ) => {
          if (event.target instanceof HTMLInputElement)
            say(
              `${order} ${name} ${event.target.value.trim() || UNSET[/** @type {"tables"} */ (order)]}`,
            );
        }} /></label> `,
    )}</details></div>`;
}

/** Sends a pasted list of people: to be looked at, or to be entered. @param {boolean} enter */
async function roster(enter) {
  const [list, division] = [part("#roster"), part("#roster-division")];
  if (!(list instanceof HTMLTextAreaElement && division instanceof HTMLInputElement)) return;
  try {
    const answer = await fetch("/api/event/roster", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text: list.value,
        division: division.value,
        give: enter,
        ratings: state.ratings,
        collins: state.collins,
      }),
    });
    const found = await answer.json();
    state.roster = answer.ok && !enter ? found.players : [];
    state.answer = !answer.ok
      ? found.detail
      : enter
        ? text("entered", { count: found.entered, refused: found.refused })
        : "";
    if (answer.ok && enter) list.value = "";
  } catch {
    state.answer = text("nothing_sent");
  }
  refresh();
}

/**
 * The text of a file that was chosen; "" where it was taken back. Spreadsheets write UTF-16 with a
 * mark, or the single bytes of Windows where it is no UTF-8.
 * @param {Event} event
 */
async function chosenText(event) {
  const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : undefined;
  if (!file) return "";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** @param {{model: EventModel}} props */
function Roster({ model }) {
  const sure = state.roster.filter(({ doubt }) => !doubt).length;
  return html`<details open=${model.divisions.length === 0}><summary>${text("enter_list")}</summary>
    <label for="roster">${text("line_for_each")} <code>Ashdown, Vera 1905</code>${text("or_table_with")} <code>name</code>, <code>rating</code>, <code>division</code>, <code>id</code></label>
    <div class="methods"><label>${text("or_file")} <input type="file" id="roster-file" accept=".csv,.txt,.tsv,text/*" onChange=${async (
      /** @type {Event} */ event,
    ) => {
      const list = part("#roster");
      if (list instanceof HTMLTextAreaElement) list.value = await chosenText(event);
    }} /></label>
      <label>${text("rating_list")} <input type="file" id="ratings" accept=".txt,.csv,.json,text/*" onChange=${async (
        /** @type {Event} */ event,
      ) => {
        state.ratings = await chosenText(event);
      }} /></label>
      <label><input type="checkbox" checked=${state.collins} onChange=${() => {
        state.collins = !state.collins;
      }} /> ${text("collins")}</label></div>
    <textarea id="roster" rows="6"></textarea>
    <div class="methods"><label>${text("division_head")} <input id="roster-division" value="A" size="6" /></label>
      <button type="button" onClick=${() => roster(false)}>${text("look_at_them")}</button>
      ${sure > 0 && html`<button type="button" onClick=${() => roster(true)}>${text("enter_players", { count: sure })}</button>`}</div>
    ${
      state.roster.length > 0 &&
      html`<table class="event-table"><thead><tr><th>${text("division_head")}</th><th>${text("player_head")}</th><th class="figure">${text("rating")}</th><th>${text("ident")}</th><th></th></tr></thead>
      <tbody>${state.roster.map((player) => html`<tr><td>${player.division}</td><td>${player.name}</td><td class="figure">${player.rating || ""}</td><td>${player.ident}</td><td>${player.doubt ? html`<b>${text("left_out_for", { why: player.doubt })}</b>` : player.note}</td></tr>`)}</tbody></table>`
    }</details>`;
}

/** @param {{need: Need}} props */
function Waits({ need: { code, text: what, asks, facts } }) {
  return html`<p class=${asks ? "event-need urgent" : "event-need"} role=${asks && "alert"}>${what}
    ${code === "still_running" && html` <button type="button" onClick=${() => endGame(Number(facts.table))}>${text("end_game_at", { table: String(facts.table) })}</button>`}</p>`;
}

/** @param {{model: EventModel}} props */
function Entry({ model }) {
  return html`<form class="event-entry" onSubmit=${give}>
    ${(model.needs ?? []).map((need) => html`<${Waits} key=${need.key} need=${need} />`)}
    <label for="words">${text("order_such_as")} <code>5 431 2 380</code>${text("order_means")}</label>
    <input id="words" autocomplete="off" value=${state.words} onInput=${typed} />
    ${
      model.divisions.length > 1 &&
      html`<label>${text("short_results")} <select onChange=${(/** @type {Event} */ event) => {
        if (event.target instanceof HTMLSelectElement) state.chosen = event.target.value;
      }}><option value="">${text("only_open_game")}</option>${model.divisions.map(({ name }) => html`<option value=${name} selected=${name === state.chosen}>${text("division_in_doubt", { name })}</option>`)}</select></label>`
    }
    <div><button type="submit">${state.draw && state.words === wordsOf(state.draw) ? text("publish") : text("give_order")}</button> <button type="button" onClick=${preview}>${text("what_would_it_do")}</button></div>
    ${model.divisions.map((division) => html`<${Rounds} key=${division.name} division=${division} setup=${model.setup?.[division.name] ?? {}} />`)}
    ${
      model.follow &&
      html`<details open=${Boolean(model.follow.fault || model.follow.lines)}><summary>${text("following", { source: model.follow.source })}</summary>
      ${model.follow.fault && html`<p class="event-need urgent">${model.follow.fault}</p>`}
      ${model.follow.lines ? html`<p>${text("results_to_type")}</p><pre>${model.follow.lines}</pre>` : html`<p>${text("has_every_result")}</p>`}</details>`
    }
    <div class="event-answer" role="status">${state.answer}
      ${state.given && html` <button type="button" onClick=${() => say(`undo ${state.given?.id}`)}>${text("undo_it")}</button>`}
      ${
        state.unseen &&
        html`<p class="event-need urgent">${text("check_this")}</p><ul>${state.unseen.changes.map((change) => html`<li>${change}</li>`)}</ul>
        <p><button type="submit">${text("do_it")}</button> <button type="button" onClick=${dropped}>${text("leave_it")}</button> ${text("enter_does_it")}</p>`
      }</div>
    ${state.draw && html`<${DrawnRound} draw=${state.draw} names=${namesOf(model, state.draw.division)} changed=${changed} again=${again} />`}
    <${Roster} model=${model} />
    <details><summary>${text("print_it")}</summary>${model.divisions.map(
      ({ name }) =>
        html`<div class="methods">${text("division_colon", { name })} ${SHEETS.map(
          (sheet) =>
            html`<a href=${`/director/event/print/${sheet}.pdf?division=${encodeURIComponent(name)}`} target="_blank">${text(`sheet_${sheet.replaceAll("-", "_")}`)}</a>`,
        )}</div>`,
    )}<div class="methods"><label>${text("codes_for_tables")} <input id="codes" inputmode="numeric" value="12" size="4" /></label>
      <button type="button" onClick=${() => codes("codes", { last: Number(codesField()) })}>${text("make_codes")}</button>
      <button type="button" onClick=${() => codes("check-in-code", {})}>${text("make_check_in_code")}</button> ${text("codes_lead_to", { address: location.origin })}</div></details>
    <details><summary>${text("take_away")}</summary><div class="methods">${FORMS.map(
      (form) => html`<a href=${`/director/event/export/${form}`} download>${form}</a>`,
    )}</div></details>
    <details><summary>${text("orders")}</summary><pre>${model.usage}</pre></details>
    <details><summary>${text("games")}</summary><ul>${(model.games ?? []).map(
      ({ table, game, players }) =>
        html`<li><a href=${`/director?table=${table}&game=${encodeURIComponent(game)}`}>${game}</a> ${text("game_at", { table, first: players[0], second: players[1] })}</li>`,
    )}</ul></details>
    <details><summary>${text("given_so_far")}</summary><ul>${(model.orders ?? []).map(
      (order) =>
        html`<li>${order.undo && html`<button type="button" onClick=${() => say(`undo ${order.undo}`)}>${text(order.holds ? "undo_it" : "redo_it")}</button>`}
          <code>${order.id}</code> ${order.who}: ${order.holds ? order.words : html`<s>${order.words}</s>`}</li>`,
    )}</ul></details></form>`;
}

function draw() {
  const { model } = state;
  part("#line").textContent = text(state.online ? "event_live" : "event_lost");
  if (!model) return;
  part("#name").textContent = model.name || text("title");
  render(html`<${Entry} model=${model} />`, part("#entry"));
  const divisions = model.divisions.map(
    (division) => html`<${Division} key=${division.name} division=${division} />`,
  );
  render(
    html`<div>${divisions}${divisions.length === 0 && html`<p>${text("no_event")}</p>`}</div>`,
    part("#event"),
  );
}

/** @param {Event} event */
function typed(event) {
  if (event.target instanceof HTMLInputElement) state.words = event.target.value;
}

/**
 * @param {string} path
 * @param {object} order
 * @returns {Promise<[Response, any]>}
 */
async function post(path, order) {
  const id = `w${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id, ...order }),
  });
  return [answer, await answer.json()];
}

/** @param {string} path */
const send = (path) =>
  post(path, {
    words: state.words,
    division: state.chosen,
    agreed: state.unseen?.words === state.words,
  });

/**
 * Ends the game that a table has on, as the button of its own page does.
 * @param {number} table
 */
async function endGame(table) {
  try {
    const [answer, found] = await post("/api/order", { table, type: "order.end", data: {} });
    const words = text("end_game_at", { table: String(table) });
    state.answer = answer.ok ? said({ ...found, said: words }) : found.detail;
  } catch {
    state.answer = text("nothing_sent");
  }
  refresh();
}

/**
 * The division in front of a result in short: the next ones are of it, too, where there is a doubt.
 * @param {string} words
 */
function divisionTyped(words) {
  const [, named] = /^(\S+)( -?\d+){4}$/.exec(words.trim()) ?? [];
  const typed = named?.toLowerCase();
  return state.model?.divisions.find(({ name }) => name.toLowerCase() === typed)?.name;
}

/** @param {Event} [event] */
async function give(event) {
  event?.preventDefault();
  const { words } = state;
  state.answer = "";
  try {
    const [answer, found] = await send("/api/event/order");
    const unseen = answer.ok && found.state === "unseen";
    const accepted = answer.ok && found.state === "accepted";
    if (accepted) state.words = "";
    await look(); // what is said to be recorded can be seen
    state.unseen = unseen ? { words, changes: found.changes } : null;
    state.answer = answer.ok ? said(found) : found.detail;
    state.given = accepted ? found : null;
    if (accepted) {
      state.chosen = divisionTyped(words) ?? state.chosen;
      if (state.draw) delete state.absent[state.draw.division];
      state.draw = null;
    }
  } catch {
    state.answer = text("nothing_sent");
  }
  draw();
}

/**
 * Gives an order that a button stands for.
 * @param {string} words
 */
function say(words) {
  state.words = words;
  give();
}

/** What the order would change beside itself is not wanted. */
function dropped() {
  state.unseen = null;
  state.words = "";
  draw();
}

/** @param {{state: string, reason: {text: string} | null, said?: string}} answer */
function said({ state: outcome, reason, said: words }) {
  if (outcome === "refused") return text("order_refused", { why: reason?.text ?? "" });
  if (outcome === "unseen") return "";
  return outcome === "accepted"
    ? text("order_recorded", { words: words ?? "" })
    : text("order_kept");
}

async function preview() {
  try {
    const [answer, found] = await send("/api/event/order/preview");
    state.answer = answer.ok ? previewed(found) : found.detail;
  } catch {
    state.answer = text("offline");
  }
  draw();
}

/**
 * Puts the order that would publish the next round into the entry, to be changed or given.
 *
 * @param {string} division
 * @param {string} method
 * @param {number} [round] the next one, unless one that is published is paired again
 */
async function pair(division, method, round) {
  const before = state.draw?.division === division && state.draw.round === round && state.draw;
  const absent = state.absent[division] ?? (before ? before.out.join(" ") : "");
  const away = absent.split(/[\s,]+/).map(Number);
  const locked = (before ? before.pairs : [])
    .filter(({ locked: is, players }) => is && !players.some((number) => away.includes(number)))
    .map(({ players }) => players);
  try {
    const answer = await fetch("/api/event/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ division, method, locked, absent, round: round ?? null }),
    });
    const found = await answer.json();
    state.answer = answer.ok ? missing(found.missing) : found.detail;
    if (answer.ok) {
      const { bye, out, pairs } = found;
      const again = before && before.again;
      state.draw = { division, method, round: found.round, pairs, bye, out, again };
      state.words = wordsOf(state.draw);
      for (const drawn of state.draw.pairs)
        drawn.locked = locked.some(
          ([first, second]) => drawn.players.includes(first) && drawn.players.includes(second),
        );
    }
  } catch {
    state.answer = text("offline");
  }
  draw();
}

/** How many tables get codes, as written. */
function codesField() {
  const field = part("#codes");
  return field instanceof HTMLInputElement ? field.value : "";
}

/**
 * Makes new codes for phones, as a PDF to print.
 * @param {string} what
 * @param {object} body
 */
async function codes(what, body) {
  try {
    const answer = await fetch(`/api/event/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) window.open(URL.createObjectURL(await answer.blob()));
    else state.answer = text("most_codes");
  } catch {
    state.answer = text("offline");
  }
  draw();
}

/** @param {number} count */
const missing = (count) => (count ? text("results_missing", { count }) : "");

/** @param {EventPreview} found */
function previewed(found) {
  if (!found.ok) return text("order_refused", { why: found.reason?.text ?? "" });
  const ranks = found.ranks.map(({ name, rank, spread }) =>
    text("place_change", {
      name,
      places: rank.join(" → "),
      spreads: spread.map(signed).join(" → "),
    }),
  );
  const left = found.left_out.map((id) => text("order_left_out", { order: id }));
  return [...ranks, ...found.changes, ...left].join("\n") || text("changes_no_place");
}

let [asked, shown] = [0, 0];

/** Fetches the event. What was asked for earlier than what is shown comes too late. */
async function look() {
  const mine = ++asked;
  try {
    const answer = await fetch("/api/event");
    if (answer.status === 401 || answer.status === 403) location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const model = await answer.json();
    if (mine < shown) return;
    shown = mine;
    state.model = model;
    state.online = true;
  } catch {
    state.online = false;
  }
}

async function refresh() {
  await look();
  draw();
}

/** Looks again and again. */
async function follow() {
  await refresh();
  setTimeout(follow, DESK_MS);
}

follow();
