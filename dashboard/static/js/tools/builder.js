/** Builds the address of an overlay, with a live preview; directors point slots here. */
import { part } from "../shared/part.js";
import { text as worded } from "../shared/texts.js";

/** @import { PageData, Slot } from "../shared/frames" */
const { scenes, table } = /** @type {PageData} */ (document.documentElement.dataset);
/** @type {[name: string, title: string, width: number, height: number][]} */
const SCENES = JSON.parse(scenes);
/** @type {{[scene: string]: [width: number, height: number]}} */
const SIZES = Object.fromEntries(SCENES.map(([name, , width, height]) => [name, [width, height]]));
const RULES = { top: "by_top", closest: "by_closest", moment: "rule_moment" };
/** @type {(id: string) => HTMLElement} */
const $ = (id) => part(`#${id}`);
const options = /** @type {HTMLFormElement} */ ($("options"));
const pointing = /** @type {HTMLFormElement} */ ($("point"));
/**
 * What a form says under a name; empty where it says nothing.
 * @param {FormData} form
 * @param {string} name
 */
const typed = (form, name) => String(form.get(name) ?? "");
/**
 * What is chosen among options.
 * @param {string} name
 */
const chosen = (name) => typed(new FormData(options), name);
let director = false;

function address() {
  const form = new FormData(options);
  const url = new URL(`/o/${typed(form, "slot")}/${typed(form, "scene")}`, location.origin);
  const query = {
    theme: typed(form, "theme") === "studio" ? "" : typed(form, "theme"),
    scale: typed(form, "scale") === "1" ? "" : typed(form, "scale"),
    align: [typed(form, "down"), typed(form, "across")].filter(Boolean).join(","),
    player: typed(form, "player"),
    hide: form.getAll("hide").join(","),
    safe: typed(form, "safe"),
    coords: typed(form, "coords"),
    stage: typed(form, "stage"),
    guide: typed(form, "guide"),
  };
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  if (form.get("key")) url.hash = `key=${form.get("key")}`;
  return url;
}

let timer = 0;
function refresh() {
  const url = address();
  const shown = new URL(url);
  const sampled = chosen("preview") === "sample";
  if (sampled) shown.searchParams.set("sample", "1");
  $("size").textContent = `${Math.round(Number(chosen("scale")) * 100)} %`;
  $("checkers").classList.toggle("camera", chosen("behind") === "camera");
  const scene = chosen("scene");
  const [width, height] = SIZES[scene];
  $("address").textContent = url.href.replaceAll("%2C", ",");
  $("box").textContent = worded("box", { width, height });
  $("key-row").hidden = scene !== "racks";
  const slot = chosen("slot");
  $("fields").textContent = `${location.origin}/o/${slot}/field/score.txt`;
  /** @type {HTMLAnchorElement} */ ($("all-fields")).href = `/o/${slot}/fields.json`;
  /** @type {HTMLAnchorElement} */ ($("obs-scenes")).href = `/o/${slot}/obs-scenes.json`;
  /** @type {HTMLAnchorElement} */ ($("obs-upright")).href =
    `/o/${slot}/obs-scenes.json?shape=vertical`;
  clearTimeout(timer);
  timer = setTimeout(() => {
    const frame = $("preview");
    const fresh = /** @type {HTMLIFrameElement} */ (frame.cloneNode());
    fresh.style.width = `${width}px`;
    fresh.style.height = `${height}px`;
    fresh.src = shown.href;
    frame.replaceWith(fresh); // a new frame: a change behind the # alone would not load anew
    fit();
  }, 150);
}

function fit() {
  const [width, height] = SIZES[chosen("scene")];
  const box = $("checkers");
  const factor = Math.min(box.clientWidth / width, box.clientHeight / height);
  const left = (box.clientWidth - width * factor) / 2;
  const top = (box.clientHeight - height * factor) / 2;
  $("preview").style.transform = `translate(${left}px, ${top}px) scale(${factor})`;
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} text
 */
function copies(button, text) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? "");
      button.textContent = worded("copied");
    } catch {
      getSelection()?.selectAllChildren(text); // without https some browsers keep the clipboard shut
      button.textContent = worded("selected");
    }
    setTimeout(() => {
      button.textContent = worded("copy");
    }, 1600);
  });
}

/** @param {Slot} slot */
const target = (slot) =>
  [
    slot.table !== null && worded("slot_table", { table: slot.table }),
    slot.follow && worded("slot_follows", { player: slot.follow }),
    slot.rule && worded(RULES[/** @type {"top"} */ (slot.rule)]),
  ]
    .filter(Boolean)
    .join(", ");

/**
 * What a slot shows now: the table that a rule chose, or that there is nothing to show.
 *
 * @param {Slot} slot
 * @param {number[]} tables of which there is a game
 */
function now(slot, tables) {
  if (slot.table === null || slot.rule)
    return slot.shows ? worded("slot_now", { table: slot.shows }) : worded("slot_nothing");
  if (tables.includes(slot.table)) return "";
  const values = { table: slot.table, tables: tables.join(", ") };
  return worded(tables.length ? "slot_clear_others" : "slot_clear", values);
}

/**
 * @param {Slot} slot
 * @param {number[]} tables
 */
function row(slot, tables) {
  const line = document.createElement("div");
  line.className = "slot-row";
  const texts = [
    target(slot),
    now(slot, tables),
    slot.racks ? worded("racks_for_all") : "",
    slot.streaming ? worded("slot_open", { count: slot.streaming }) : worded("slot_not_open"),
  ];
  const name = document.createElement("b");
  name.textContent = slot.name;
  line.append(
    name,
    ...texts
      .filter(Boolean)
      .map((text) =>
        Object.assign(document.createElement("span"), { className: "soft", textContent: text }),
      ),
  );
  if (director && slot.name !== "featured") {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: worded("remove"),
    });
    button.addEventListener("click", async () => {
      if (
        slot.streaming &&
        !confirm(worded("slot_in_use", { name: slot.name, count: slot.streaming }))
      )
        return;
      await fetch(`/api/slots/${slot.name}`, { method: "DELETE" });
      load();
    });
    line.append(button);
  }
  return line;
}

async function load() {
  const answer = await (await fetch("/api/slots")).json();
  director = answer.director;
  $("point").hidden = !director;
  /** @type {Slot[]} */
  const all = answer.slots;
  /** @type {number[]} */
  const tables = answer.tables;
  $("slots").replaceChildren(...all.map((slot) => row(slot, tables)));
  const before = chosen("slot");
  const numbers = tables.length ? tables : [table];
  const names = [...all.map((slot) => slot.name), ...numbers.map((number) => `table-${number}`)];
  $("slot").replaceChildren(
    ...[...new Set(names)].map((name) => new Option(name, name, false, name === before)),
  );
  refresh();
}

pointing.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(pointing);
  const how = typed(form, "how"),
    what = typed(form, "what").trim();
  const shows =
    how === "table"
      ? { table: Number(what || 1) }
      : how === "follow"
        ? { follow: what }
        : how === "moment" && what
          ? { rule: how, ...(/^\d+$/.test(what) ? { table: Number(what) } : { follow: what }) }
          : { rule: how };
  const answer = await fetch(`/api/slots/${encodeURIComponent(typed(form, "name"))}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...shows, racks: form.has("racks") }),
  });
  $("said").textContent = answer.ok ? worded("slot_pointed") : (await answer.json()).detail;
  if (answer.ok) load();
});

$("scene").replaceChildren(...SCENES.map(([name, title]) => new Option(title, name)));
options.addEventListener("input", refresh);
addEventListener("resize", fit);
copies($("copy"), $("address"));
copies($("copy-fields"), $("fields"));
load();
