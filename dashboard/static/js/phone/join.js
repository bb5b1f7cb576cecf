/** A phone without a code asks to join, and waits until a director says what it is. */
import { html, render } from "../shared/dom.js";
import { text } from "../shared/texts.js";
import { Awake } from "./awake.js";

const EVERY_MS = 1500;
const AGAIN_MS = 20000;

/** @type {{number: string, secret: string, fault: string}} */
const state = { number: "", secret: "", fault: "" };

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, said: await answer.json() };
}

const model = () => /iPhone|iPad|Android/.exec(navigator.userAgent)?.[0] ?? "phone";

async function begin() {
  const { status, said } = await post("/api/join", { kind: "phone", name: model() });
  state.number = status === 200 ? said.number : "";
  state.secret = status === 200 ? said.secret : "";
  state.fault = status === 200 ? "" : String(said.detail);
}

/** One step: ask, or ask for the answer. How long to wait for the next, in milliseconds. */
async function step() {
  if (!state.secret) {
    await begin();
    return state.secret ? EVERY_MS : AGAIN_MS;
  }
  const { status, said } = await post("/api/join/answer", { secret: state.secret });
  if (said.state === "added") location.replace(said.to);
  if (status === 404) {
    state.secret = state.number = "";
    state.fault = text("turned_away");
    return AGAIN_MS;
  }
  state.fault = "";
  return EVERY_MS;
}

async function run() {
  let pause = EVERY_MS;
  try {
    pause = await step();
  } catch {
    state.fault = text("no_connection");
  }
  draw();
  setTimeout(run, pause);
}

function draw() {
  render(
    html`<h1>${text("ask_to_join")}</h1>
      ${
        state.number &&
        html`<p>${text("give_number")}</p>
      <p class="number">${state.number}</p>`
      }
      <p id="state" role="status">${state.fault || text(state.number ? "waits_for_director" : "asking")}</p>`,
    document.body,
  );
}

new Awake(() => {});
draw();
run();
