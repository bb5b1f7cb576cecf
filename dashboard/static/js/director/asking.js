/** One request to the server, for pages of people at work. */
import { text as worded } from "../shared/texts.js";

/**
 * Ask the server; what it refuses is thrown as it says it.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error(worded("no_connection"));
  });
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  const detail = typeof data.detail === "string" ? data.detail : worded("not_accepted");
  throw new Error(detail);
}
