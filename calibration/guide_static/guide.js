// Shows the state of each step as the program tells it, and sends what the person answers.

import { text } from "./texts.js";

const EVERY_MS = 500;
const sections = new Map();

async function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  await refresh();
}

function option(kind) {
  const found = document.createElement("span");
  if (kind === "camera") {
    found.append(labelled("check", text("check"), "checkbox"));
    found.append(labelled("fixed", text("fixed"), "checkbox"));
    found.append(sides());
  }
  if (kind === "racks") found.append(labelled("letters", text("letters"), "text"));
  if (kind === "scale") found.append(labelled("set", text("set"), "number", "0"));
  return found;
}

function labelled(name, words, type, value) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.name = name;
  input.type = type;
  if (value !== undefined) input.value = value;
  label.append(...(type === "checkbox" ? [input, " ", words] : [words, " ", input]));
  return label;
}

function sides() {
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.name = "up";
  for (const side of ["top", "right", "bottom", "left"]) select.append(new Option(text(side), side));
  label.append(`${text("its_top")} `, select);
  return label;
}

function wishes(section) {
  const found = {};
  for (const input of section.querySelectorAll(".options input, .options select")) {
    found[input.name] = input.type === "checkbox" ? input.checked : input.value;
  }
  return found;
}

function build(job) {
  const section = document.getElementById("job").content.firstElementChild.cloneNode(true);
  const part = (name) => section.querySelector(name);
  section.id = `job-${job.name}`;
  part("h2").textContent = job.name;
  part(".about").textContent = text(`about_${job.kind}`);
  part(".options").append(option(job.kind));
  part(".start").onclick = () => send(`/start/${job.name}`, wishes(section));
  part(".give-up").onclick = () => send(`/give-up/${job.name}`, {});
  part(".answer").onsubmit = (event) => {
    event.preventDefault();
    const input = part(".answer input");
    send(`/answer/${job.name}`, { text: input.value });
    input.value = "";
  };
  document.getElementById("jobs").append(section);
  return section;
}

function list(element, lines) {
  if (element.dataset.lines === JSON.stringify(lines)) return;
  element.dataset.lines = JSON.stringify(lines);
  element.replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
}

function draw(job) {
  if (!sections.has(job.name)) sections.set(job.name, build(job));
  const section = sections.get(job.name);
  const part = (name) => section.querySelector(name);
  const running = job.state === "running";
  section.dataset.state = job.state;
  part(".start").hidden = running;
  part(".start").textContent = job.state === "idle" ? text("start") : text("again");
  part(".give-up").hidden = !running;
  part(".answer").hidden = !job.request;
  part(".request").textContent = job.request;
  part(".verdict").textContent = text(job.state.replace(" ", "_"));
  part(".figures").dataset.good = String(!job.faults.length);
  list(part(".figures"), job.figures);
  list(part(".faults"), job.faults);
  list(part(".lines"), job.lines);
  const image = part("img");
  if (job.picture && image.dataset.number !== String(job.picture)) {
    image.dataset.number = String(job.picture);
    image.src = `/picture/${job.name}?n=${job.picture}`;
  }
  image.hidden = !job.picture;
}

async function refresh() {
  try {
    const state = await (await fetch("/state")).json();
    document.getElementById("table").textContent = text("title", { table: state.table });
    state.jobs.forEach(draw);
    document.getElementById("lost").hidden = true;
  } catch {
    document.getElementById("lost").hidden = false;
  }
}

refresh();
setInterval(refresh, EVERY_MS);
