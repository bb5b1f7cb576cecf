/** The administrator's page: users, sessions, overlay tokens; made and revoked here. */
import { html, render } from "../shared/dom.js";
import { part } from "../shared/part.js";
import { hasText, text } from "../shared/texts.js";

/** @import { Access, Token } from "../shared/frames" */
/** @typedef {SubmitEvent & {currentTarget: HTMLFormElement}} Submit */

/** @type {Access & {tokens: Token[], message: string, token: string}} */
const state = {
  users: [],
  roles: [],
  sessions: [],
  locked: [],
  tokens: [],
  message: "",
  token: "",
};

/**
 * Ask the server; what it refuses is shown as it says it.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  const data = await answer.json();
  if (answer.ok) return data;
  throw new Error(typeof data.detail === "string" ? data.detail : text("not_accepted"));
}

async function refresh() {
  const [access, tokens] = await Promise.all([
    ask("GET", "/api/access"),
    ask("GET", "/api/tokens"),
  ]);
  Object.assign(state, access, { tokens });
  draw();
}

/**
 * Do something, then show how things stand.
 * @param {() => Promise<unknown>} work
 */
async function act(work) {
  state.message = "";
  state.token = "";
  try {
    await work();
    await refresh();
  } catch (fault) {
    state.message = fault.message;
    draw();
  }
}

/** @param {Submit} event */
function addUser(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const { table, ...rest } = Object.fromEntries(new FormData(form));
  const body = { ...rest, table: Number(table) || 0 };
  act(async () => {
    await ask("POST", "/api/users", body);
    form.reset();
  });
}

/** @param {Submit} event */
function addToken(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const { label, table } = Object.fromEntries(new FormData(form));
  const scope = table ? `racks:table-${table}` : "racks:*";
  act(async () => {
    state.token = (await ask("POST", "/api/tokens", { label, scope })).token;
    form.reset();
  });
}

/** @param {number} ms */
const when = (ms) =>
  new Date(ms).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });

/** @param {{cells: string[], what: string, path: string}} props */
function Row({ cells, what, path }) {
  return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}
    <td class="num"><button type="button" onClick=${() => confirm(`${what}: ${cells[0]}?`) && act(() => ask("DELETE", path))}>${what}</button></td></tr>`;
}

/** A role as people call it. @param {string} role */
const called = (role) => {
  const code = `role_${role.replaceAll("-", "_")}`;
  return hasText(code) ? text(code) : role;
};

function Page() {
  return html`
    <p role="alert" class="complaint">${state.message}</p>
    <h2>${text("accounts")}</h2>
    <table>${state.users.map((user) => html`<${Row} cells=${[user.name, user.table ? text("account_at", { role: called(user.role), table: user.table }) : called(user.role)]} what=${text("remove")} path=${`/api/users/${encodeURIComponent(user.name)}`} />`)}</table>
    <form onSubmit=${addUser}>
      <input name="name" aria-label=${text("user_name")} placeholder=${text("user_name")} required maxlength="40" />
      <select name="role" aria-label=${text("user_role")}>${state.roles.map((role) => html`<option value=${role}>${called(role)}</option>`)}</select>
      <input name="table" aria-label=${text("user_table")} placeholder=${text("user_table_short")} pattern="[1-9][0-9]{0,3}" />
      <input name="password" type="password" aria-label=${text("user_password")} placeholder=${text("user_password_short")} required minlength="10" autocomplete="new-password" />
      <button>${text("save_user")}</button>
    </form>
    <h2>${text("signed_in_now")}</h2>
    <table>${state.sessions.map((session) => html`<${Row} cells=${[session.name, called(session.role), text("since", { when: when(session.since) })]} what=${text("sign_out")} path=${`/api/sessions/${session.id}`} />`)}</table>
    ${
      state.locked.length > 0 &&
      html`<h2>${text("locked_out")}</h2>
    <table>${state.locked.map(({ who, wait_s }) => html`<tr><td>${who}</td><td>${wait_s} s</td></tr>`)}</table>
    <button type="button" onClick=${() => act(() => ask("DELETE", "/api/locked"))}>${text("unlock_all")}</button>`
    }
    <h2>${text("rack_keys")}</h2>
    <table>${state.tokens.map((token) => html`<${Row} cells=${[token.label, token.scope, text("since", { when: when(token.since) })]} what=${text("revoke")} path=${`/api/tokens/${token.id}`} />`)}</table>
    ${state.tokens.length === 0 && html`<p class="soft">${text("no_rack_keys")}</p>`}
    ${state.token && html`<p role="status">${text("shown_once")} <code>${state.token}</code></p>`}
    <form onSubmit=${addToken}>
      <input name="label" aria-label=${text("key_label")} placeholder=${text("key_label_short")} required maxlength="40" />
      <input name="table" aria-label=${text("key_table")} placeholder=${text("key_table_short")} pattern="[1-9][0-9]{0,3}" />
      <button>${text("make_key")}</button>
    </form>`;
}

function draw() {
  render(html`<${Page} />`, part("#tool"));
}

act(async () => {});
