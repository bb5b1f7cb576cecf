/** Check-in: players tap their name before the first round, or an assistant taps those who are there. */
import { html, render } from "../shared/dom.js";

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
  if (here && !window.confirm(`${name} is not here?`)) return;
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
    state.answer = "No connection: nothing was sent. Try again.";
  }
  await refresh();
}

/** @param {{state: string, reason: {text: string} | null}} found */
function replied(found) {
  if (found.state === "refused") return `Not taken: ${found.reason?.text}`;
  return found.state === "waiting" ? "Kept; it is sent on as soon as the recorder answers." : "";
}

/** @param {{division: CheckInDivision, alone: boolean}} props */
function Division({ division: { name, open, players }, alone }) {
  const typed = state.typed.trim().toLocaleLowerCase();
  const shown = players
    .filter((player) => player.name.toLocaleLowerCase().includes(typed))
    .sort((first, second) => first.name.localeCompare(second.name));
  const here = players.filter((player) => player.here).length;
  return html`<section class="check-in"><p class="soft">${alone ? "" : `Division ${name}: `}${here} of ${players.length} are here</p>
    ${!open && html`<p>Round 1 is paired. If you have come since, tell the director.</p>`}
    ${shown.map(
      (player) =>
        html`<button type="button" key=${player.number} aria-pressed=${String(player.here)} disabled=${!open} onClick=${() => tick(name, player)}>
      <span>${player.name}</span><b>${player.here ? "here ✓" : ""}</b></button>`,
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
    html`<header><h1>Check-in</h1><p role="status">${state.online ? "" : "No connection, trying again"}</p></header>
    <p>Tap your name when you have come.</p>
    <input type="search" autocomplete="off" value=${state.typed} aria-label="Find a name" placeholder="Find a name" onInput=${typed} />
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
