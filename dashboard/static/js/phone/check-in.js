/** Check-in: players tap their name before the first round, or an assistant taps those who are there. */
import { html, render } from "../shared/dom.js";
import { text } from "../shared/texts.js";

/** @import { CheckInDivision, CheckInModel, CheckInPlayer } from "../event/models" */

const EVERY_MS = 5000;
const address = "/api/check-in";

/** @type {{model: CheckInModel | null, online: boolean, typed: string, answer: string}} */
const state = { model: null, online: true, typed: "", answer: "" };

/**
 * @param {string} division
 * @param {CheckInPlayer} player
 */
async function tick(division, { number, name, here }) {
  if (here && !window.confirm(text("not_here", { name }))) return;
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ division, number, here: !here }),
    });
    const found = await answer.json();
    state.answer = answer.ok ? replied(found) : found.detail;
    if (answer.ok && found.state === "accepted") state.typed = "";
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

/** @param {{division: CheckInDivision, alone: boolean}} props */
function Division({ division: { name, open, players }, alone }) {
  const typed = state.typed.trim().toLocaleLowerCase();
  const shown = players
    .filter((player) => player.name.toLocaleLowerCase().includes(typed))
    .sort((first, second) => first.name.localeCompare(second.name));
  const here = players.filter((player) => player.here).length;
  return html`<section class="check-in"><p class="soft">${alone ? "" : `${text("division", { name })}: `}${text("here_of", { here, players: players.length })}</p>
    ${!open && html`<p>${text("round_is_paired")}</p>`}
    ${shown.map(
      (player) =>
        html`<button type="button" key=${player.number} aria-pressed=${String(player.here)} disabled=${!open} onClick=${() => tick(name, player)}>
      <span>${player.name}</span><b>${player.here ? text("is_here") : ""}</b></button>`,
    )}</section>`;
}

/** @param {Event} event */
function typed(event) {
  if (event.target instanceof HTMLInputElement) state.typed = event.target.value;
  draw();
}

function draw() {
  const divisions = state.model?.divisions ?? [];
  render(
    html`<header><h1>${text("check_in")}</h1><p role="status">${state.online ? "" : text("no_connection")}</p></header>
    <p>${text("tap_name")}</p>
    <input type="search" autocomplete="off" value=${state.typed} aria-label=${text("find_name")} placeholder=${text("find_name")} onInput=${typed} />
    <p class="result-answer" role="status">${state.answer}</p>
    ${divisions.map((division) => html`<${Division} key=${division.name} division=${division} alone=${divisions.length === 1} />`)}`,
    document.body,
  );
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
