// Shows cameras and clocks while they are plugged in, and sends the whole form at the end.

import { text } from "./texts.js";

const EVERY_MS = 700;
const form = document.getElementById("form");
const tables = document.getElementById("tables");
const known = { cameras: [], ports: [] };
let made = false;
let makes = "make";

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function rows() {
  return [...tables.children];
}

function field(row, name) {
  return row.querySelector(`[name="${name}"]`);
}

function nextFree(found, name) {
  const used = new Set(rows().map((row) => field(row, name).value));
  return found.find((value) => !used.has(value)) ?? "";
}

function addTable(given) {
  const row = document.getElementById("table").content.firstElementChild.cloneNode(true);
  field(row, "camera").value = nextFree(known.cameras, "camera");
  const port = nextFree(known.ports, "port");
  field(row, "port").value = port;
  const before = rows().at(-1);
  field(row, "clock").value = port ? "serial" : before && !known.ports.length ? field(before, "clock").value : "phone";
  for (const [name, value] of Object.entries(given ?? {})) field(row, name).value = value;
  row.querySelector(".remove").onclick = () => {
    row.remove();
    number();
  };
  field(row, "clock").onchange = number;
  tables.append(row);
  number();
}

function number() {
  const isEvent = form.elements.is_event.checked;
  rows().forEach((row, at) => {
    row.querySelector("h2").textContent = text("table", { number: at + 1 });
    row.querySelector("img").alt = text("sees", { number: at + 1 });
    row.querySelector(".players").hidden = isEvent;
    row.querySelector(".remove").hidden = rows().length === 1;
    const isSerial = field(row, "clock").value === "serial";
    row.querySelector(".port").hidden = !isSerial;
    row.querySelector(".heard").hidden = !isSerial;
  });
}

function fill(list, found) {
  const options = found.map(({ value, words }) => {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = words;
    return option;
  });
  document.getElementById(list).replaceChildren(...options);
}

// What was plugged in since goes to the first table that has none yet.
function give(name, found) {
  for (const value of found) {
    if (known[`${name}s`].includes(value)) continue;
    const row = rows().find((each) => field(each, name).value === "");
    if (!row || rows().some((each) => field(each, name).value === value)) continue;
    field(row, name).value = value;
    if (name === "port") field(row, "clock").value = "serial";
  }
  known[`${name}s`] = found;
}

async function look(row) {
  const source = field(row, "camera").value.trim();
  const seen = row.querySelector(".seen");
  const image = row.querySelector("img");
  if (!source) {
    image.hidden = true;
    seen.textContent = text("no_camera");
    return;
  }
  const { size, fault } = await ask(`/camera?source=${encodeURIComponent(source)}`);
  seen.dataset.fault = String(Boolean(fault));
  seen.textContent = fault || (size[0] ? `${size[0]} x ${size[1]}` : text("waiting"));
  image.hidden = !size[0];
  if (size[0]) image.src = `/picture?source=${encodeURIComponent(source)}&n=${Date.now()}`;
}

async function listen(row) {
  const path = field(row, "port").value.trim();
  if (field(row, "clock").value !== "serial" || !path) return;
  const { heard, name, presses } = await ask(`/port?path=${encodeURIComponent(path)}`);
  const shown = row.querySelector(".heard");
  shown.textContent = text(`heard_${heard}`, { name }) || heard;
  shown.dataset.pressed = String(presses > 0);
}

async function refresh() {
  if (made) return;
  try {
    const found = await ask("/found");
    give("camera", found.cameras.map((camera) => camera.source));
    give("port", found.ports.map((port) => port.path));
    fill("cameras", found.cameras.map(({ source, description }) => ({ value: source, words: description })));
    fill("ports", found.ports.map(({ path, description }) => ({ value: path, words: description })));
    number();
    // A field that is being typed in is no address yet.
    const still = (row) => !row.contains(document.activeElement) || document.activeElement.tagName !== "INPUT";
    await Promise.all(rows().filter(still).flatMap((row) => [look(row), listen(row)]));
    document.getElementById("lost").hidden = true;
  } catch {
    document.getElementById("lost").hidden = made;
  }
}

function whole() {
  const { elements } = form;
  return {
    folder: elements.folder.value,
    address: elements.address.value,
    tiles: elements.tiles.value,
    rules: elements.rules.value,
    delay: elements.delay.value || "0",
    pads: elements.pads.checked,
    is_event: elements.is_event.checked,
    tables: rows().map((row) =>
      Object.fromEntries(["first", "second", "camera", "clock", "port"].map((name) => [name, field(row, name).value])),
    ),
  };
}

function showMake() {
  document.getElementById("make").textContent = text(makes);
}

async function make(event) {
  event.preventDefault();
  const key = document.getElementById("make");
  const fault = document.getElementById("fault");
  key.disabled = true;
  key.textContent = text("making");
  fault.hidden = true;
  made = true;
  try {
    const headers = { "Content-Type": "application/json" };
    const to = `/make?lang=${document.documentElement.lang}`;
    const answer = await fetch(to, { method: "POST", headers, body: JSON.stringify(whole()) });
    const said = await answer.json();
    if (answer.ok) return show(said);
    fault.textContent = typeof said.detail === "string" ? said.detail : said.detail[0].msg;
  } catch {
    fault.textContent = text("ended");
  }
  made = false;
  fault.hidden = false;
  key.disabled = false;
  showMake();
}

function show({ folder, fault, links }) {
  const { elements } = form;
  const clocks = rows().map((row) => field(row, "clock").value);
  document.getElementById("begin").textContent = elements.is_event.checked
    ? text("begin_event")
    : clocks.every((clock) => clock === "none")
      ? text("begin_none")
      : text("begin_clock");
  document.getElementById("again").textContent = `tilecast venue ${folder}`;
  const items = links.map(({ what, address }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = address;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = what;
    item.append(link);
    return item;
  });
  document.querySelector(".links").replaceChildren(...items);
  form.hidden = document.getElementById("how").hidden = true;
  const done = document.getElementById("done");
  done.hidden = false;
  if (fault) {
    done.querySelector("h2").textContent = text("cannot_start");
    const why = document.getElementById("unstarted");
    why.textContent = text("then_type", { fault, folder });
    why.hidden = false;
  } else untilItRuns();
  done.scrollIntoView();
}

async function untilItRuns() {
  const heading = document.querySelector("#done h2");
  const running = heading.textContent;
  heading.textContent = text("starts");
  try {
    while (!(await ask("/runs"))) await new Promise((wake) => setTimeout(wake, 300));
    heading.textContent = running;
  } catch {
    heading.textContent = text("ended");
  }
}

async function begin() {
  const usual = await ask("/usual");
  const { elements } = form;
  elements.folder.value = usual.folder;
  elements.address.value = usual.address;
  for (const name of ["tiles", "rules"]) {
    elements[name].replaceChildren(...usual[name].map((value) => new Option(value, value)));
  }
  elements.tiles.value = usual.tiles_chosen ?? "english";
  elements.rules.value = usual.rules_chosen ?? "wespa4";
  if (usual.tables) {
    elements.is_event.checked = usual.is_event;
    elements.pads.checked = usual.pads;
    elements.delay.value = usual.delay;
    elements.folder.readOnly = true;
    document.querySelector("h1").textContent = text("title_change");
    makes = "change";
  }
  showMake();
  elements.is_event.onchange = number;
  document.getElementById("add").onclick = () => addTable();
  form.onsubmit = make;
  for (const table of usual.tables ?? [null]) addTable(table);
  await refresh();
  setInterval(refresh, EVERY_MS);
}

begin();
