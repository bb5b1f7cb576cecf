/** What the commentator's and the director's pages share: the connection and its visible state. */
import { render } from "./dom.js";
import { Link } from "./link.js";
import { allow, hush } from "./motion.js";
import { wake } from "./ticker.js";

export const page = document.documentElement.dataset;

/** Hours, minutes and seconds of a time of day, in this browser's zone. */
export function timeOfDay(ms) {
  return new Date(ms).toLocaleTimeString("en-GB");
}

/** How old something is, for people: 4 s, 3 min, 2 h. */
export function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** A tool page: `draw(model, now)` answers the view. Returns the way to draw again. */
export function openTool(path, draw) {
  const root = document.getElementById("tool");
  const state = document.getElementById("line");
  let model = null;
  let link = null;
  const now = () => link.clock.now();
  const redraw = () => {
    if (model) render(draw(model, now), root);
    wake();
  };
  link = new Link(path, { assets: page.assets, scene: "tool" }, ({ frame, fresh }) => {
    if (fresh) hush();
    if (!model) root.replaceChildren();
    model = frame;
    redraw();
    allow();
  }, (online) => {
    document.body.dataset.online = online;
    state.textContent = online ? "live" : "no connection, trying again";
  });
  return redraw;
}
