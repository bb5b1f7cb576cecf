/**
 * What a commentator wants at hand of both players: how their event goes, how they played each other,
 * and notes of one's own, which stay in this browser and come back with the player.
 */
import { html } from "../shared/dom.js";
import { seated } from "../shared/game/score.js";
import { halves, signed } from "../shared/game/standing.js";
import { text as said } from "../shared/texts.js";

/** @import { EventModel, EventPlace, EventRounds, PlayerLine } from "../event/models" */
/** @import { Named } from "../shared/frames" */
/** @typedef {{row: EventPlace, lines: PlayerLine[], names: Map<number, string>}} Form */

const LATEST = 5;
/** @param {string} name */
const place = (name) => `tilecast-notes/${name}`;

/** @param {string} name */
function noted(name) {
  try {
    return localStorage.getItem(place(name)) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function note(name, text) {
  try {
    localStorage.setItem(place(name), text);
  } catch {
    // A private window keeps notes while it is open: they stand in the field.
  }
}

/**
 * How players' events went so far, by name; empty where there is no event.
 * @param {string[]} names
 * @param {string | undefined} playing the division that they play in; where nobody said, any
 * @returns {Promise<Map<string, Form>>}
 */
export async function formsOf(names, playing) {
  /** @type {Map<string, Form>} */
  const forms = new Map();
  const answer = await fetch("/event/data.json").catch(() => null);
  if (!answer?.ok) return forms;
  /** @type {EventModel} */
  const event = await answer.json();
  for (const { name, standings } of event.divisions) {
    if (playing && name !== playing) continue;
    const found = standings.filter((row) => names.includes(row.name));
    if (!found.length) continue;
    const all = await fetch(`/event/rounds.json?division=${encodeURIComponent(name)}`).catch(
      () => null,
    );
    if (!all?.ok) continue;
    /** @type {EventRounds} */
    const { players } = await all.json();
    const known = new Map(players.map((player) => [player.id, player.name]));
    for (const row of found) {
      const lines = players.find(({ id }) => id === row.id)?.rounds ?? [];
      forms.set(row.name, { row, lines, names: known });
    }
  }
  return forms;
}

/** @param {PlayerLine} line */
const isPlayed = ({ own, other }) => own !== null && other !== null;

/** @param {{line: PlayerLine, round: number, names: Map<number, string>}} props */
function Game({ line, round, names }) {
  const apart = line.margin ?? (line.own ?? 0) - (line.other ?? 0);
  return html`<li><b>${said(apart > 0 ? "won_letter" : apart < 0 ? "lost_letter" : "tied_letter")}</b> ${line.own}\u2013${line.other} <span class="soft"><bdi>${names.get(line.opponent ?? 0) ?? ""}</bdi>, ${said("round_of", { round })}</span></li>`;
}

/** @param {{players: Named[], forms: Map<string, Form>}} props */
export function Notes({ players, forms }) {
  const names = players.map(({ name }) => name);
  return html`<div class="notes">${seated(players).map((player) => {
    const form = forms.get(player.name);
    const games = (form?.lines ?? []).map((line, at) => ({ line, round: at + 1 }));
    const played = games.filter(({ line }) => isPlayed(line));
    const met = played.filter(
      ({ line }) => form?.names.get(line.opponent ?? 0) === names[1 - player.number],
    );
    return html`<section key=${player.name} class=${`player-${player.number}`}><h3><i class="dot"></i>${player.name}</h3>
      ${
        form
          ? html`<p>${[form.row.rank && said("rank_of", { place: form.row.rank }), `${halves(form.row.wins)}\u2013${halves(form.row.losses)}`, signed(form.row.spread), form.row.average[0] && said("average_of", { points: form.row.average[0] })].filter(Boolean).join(", ")}</p>
          <ul>${played
            .slice(-LATEST)
            .reverse()
            .map((game) => html`<${Game} key=${game.round} ...${game} names=${form.names} />`)}</ul>
          <p class="soft">${met.length ? said("met", { games: met.map(({ line, round }) => `${said("round_of", { round })}, ${line.own}\u2013${line.other}`).join("; ") }) : said("never_met")}</p>`
          : html`<p class="soft">${said("unknown_to_event")}</p>`
      }
      <label>${said("notes")} <textarea rows="4" maxlength="2000" value=${noted(player.name)} onInput=${(
        /** @type {Event} */ event,
      ) => {
        if (event.target instanceof HTMLTextAreaElement) note(player.name, event.target.value);
      }}></textarea></label></section>`;
  })}</div>`;
}
