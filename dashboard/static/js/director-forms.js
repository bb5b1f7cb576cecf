/**
 * What a director can order, as forms: the fields of each and the order that they make. `build`
 * gives null while something is lacking; what the recorder thinks of it, the preview says.
 */
import { html, View } from "./dom.js";
import { playerName, give, orderId } from "./director-desk.js";
import { close, Dialog, Preview } from "./director-dialog.js";

const PLAYERS = () => [["0", playerName(0)], ["1", playerName(1)]];
const KINDS = [["exchange", "exchange"], ["pass", "pass"], ["no_play", "exchange or pass, nobody knows"]];
const whole = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : null);
const at = ({ entry }) => ({ entry: entry.entry, part: entry.part });

const field = (name, label, more = {}) => ({ name, label, type: "text", ...more });
const number = (name, label, more = {}) => field(name, label, { type: "number", ...more });
const player = (name = "player", label = "Player") => field(name, label, { type: "select", options: PLAYERS, value: () => "0" });
const check = (name, label, more = {}) => field(name, label, { type: "check", ...more });

/** Minutes and seconds as 12:05, with a minus for overtime; null when it is neither. */
export function readClock(text) {
  const found = /^([-\u2212])?(\d{1,3}):([0-5]\d)$/.exec((text ?? "").trim());
  return found && (Number(found[2]) * 60 + Number(found[3])) * 1000 * (found[1] ? -1 : 1);
}

const correct = (ctx, more) => ({ type: "order.correct", data: { ...at(ctx), ...more } });
const insert = (ctx, type, data, agreed = false) => ({ type: "order.insert",
  data: { ...(ctx.entry ? at(ctx) : { entry: 0 }), event: { type, data }, agreed } });

function inserted(v, ctx) {
  const who = Number(v.player);
  const points = whole(v.points);
  switch (v.what) {
    case "play":
      return v.position && v.word ? insert(ctx, "game.played", { player: who, position: v.position.toUpperCase(), word: v.word, score: points ?? 0, rack: "" }, points !== null) : null;
    case "exchange":
      return whole(v.count) ? insert(ctx, "game.exchanged", { player: who, count: whole(v.count), tiles: "", rack: "" }) : null;
    case "pass":
      return insert(ctx, "game.passed", { player: who, rack: "" });
    case "bonus":
      return points === null ? null : insert(ctx, "game.challenge_bonus", { player: who, points });
    default:
      return points === null ? null : insert(ctx, "game.penalty", { player: who, points, reason: v.reason ?? "" });
  }
}

const INSERTED = [["play", "a play"], ["exchange", "an exchange"], ["pass", "a pass"], ["bonus", "a challenge bonus"], ["penalty", "a penalty"]];
const INSERT_FIELDS = [
  field("what", "What was missed", { type: "select", options: () => INSERTED, value: () => "play" }),
  player(),
  field("position", "Position (8H across, H8 down)", { when: (v) => v.what === "play" }),
  field("word", "Word (lower case: a blank)", { when: (v) => v.what === "play" }),
  number("count", "Tiles", { when: (v) => v.what === "exchange" }),
  number("points", "Points", { when: (v) => !["exchange", "pass"].includes(v.what), hint: "for a play only if agreed at the table" }),
  field("reason", "Reason or rule", { when: (v) => v.what === "penalty" }),
];

const isPlay = ({ entry }) => entry.type === "game.played";

/** By name: `title`, `fields`, `build(values, ctx)`, `fits(ctx)` for entries, `key` to call it. */
export const FORMS = {
  letter: { title: "Letter", about: "entry", fits: isPlay,
    fields: (ctx) => [
      field("square", "Square", { type: "select", options: () => ctx.entry.squares.map((one) => [one, one]), value: () => ctx.item.doubt?.squares.find((one) => ctx.entry.squares.includes(one)) ?? ctx.entry.squares[0] }),
      field("letter", "Letter (? if nobody knows it)", { most: 1 }),
      check("blank", "It is a blank")],
    build: (v, ctx) => (v.letter?.trim() ? correct(ctx, { letters: { [v.square]: v.blank ? v.letter.toLowerCase() : v.letter.toUpperCase() } }) : null) },
  place: { title: "Word or place", about: "entry", fits: (ctx) => isPlay(ctx) || "count" in ctx.entry || ctx.entry.type === "game.no_play" || ctx.entry.type === "game.passed",
    fields: (ctx) => [field("position", "Position (8H across, H8 down)", { value: () => ctx.entry.position ?? "" }),
      field("word", "Word in full (lower case: a blank)", { value: () => (ctx.entry.word ?? "").replaceAll(".", "") && ctx.entry.word })],
    build: (v, ctx) => (v.position && v.word ? correct(ctx, { position: v.position.toUpperCase(), word: v.word }) : null) },
  kind: { title: "Kind of turn", about: "entry", fits: (ctx) => /played|exchanged|passed|no_play/.test(ctx.entry.type),
    fields: () => [field("kind", "It was", { type: "select", options: () => KINDS, value: () => "exchange" }),
      number("count", "Tiles exchanged", { when: (v) => v.kind === "exchange", value: () => "7" })],
    build: (v, ctx) => (v.kind !== "exchange" || whole(v.count) ? correct(ctx, { kind: v.kind, ...(v.kind === "exchange" ? { count: whole(v.count) } : {}) }) : null) },
  score: { title: "Score agreed", about: "entry", fits: (ctx) => "score" in ctx.entry || "points" in ctx.entry,
    fields: (ctx) => [number("score", "Points as agreed at the table", { value: () => String(ctx.entry.score ?? ctx.entry.points ?? "") })],
    build: (v, ctx) => (whole(v.score) === null ? null : correct(ctx, { score: whole(v.score) })) },
  player: { title: "Other player", about: "entry", fits: () => true,
    fields: (ctx) => [{ ...player("player", "It was the turn of"), value: () => String(1 - ctx.entry.player) }],
    build: (v, ctx) => correct(ctx, { player: Number(v.player) }) },
  challenge: { title: "Challenge", about: "entry", fits: isPlay,
    fields: () => [field("outcome", "The play", { type: "select", options: () => [["off", "comes off"], ["stands", "stands"]], value: () => "off" }),
      number("bonus", "Points for its player", { when: (v) => v.outcome === "stands" }),
      number("penalty", "Points off the challenger", { when: (v) => v.outcome === "stands" }),
      check("turn_lost", "The challenger loses a turn", { when: (v) => v.outcome === "stands" })],
    build: (v, ctx) => ({ type: "order.challenge", data: { ...at(ctx), outcome: v.outcome,
      ...(v.outcome === "stands" ? { bonus: whole(v.bonus) ?? 0, penalty: whole(v.penalty) ?? 0, turn_lost: Boolean(v.turn_lost) } : {}) } }) },
  insert: { title: "Insert after", about: "entry", fits: () => true, fields: () => INSERT_FIELDS, build: inserted },
  remove: { title: "Remove", about: "entry", fits: () => true, fields: () => [],
    build: (_, ctx) => ({ type: "order.remove", data: at(ctx) }) },
  first: { title: "Insert at the beginning", fields: () => INSERT_FIELDS, build: (v) => inserted(v, {}) },
  ruling: { title: "Ruling", key: "r", plain: true, fields: () => [field("rule", "Rule (such as OVERDRAW-3; may be empty)", { most: 80 }),
    field("text", "The ruling", { type: "area", most: 400 })],
    build: (v, ctx) => (v.text?.trim() ? { type: "order.ruling", data: { text: v.text.trim(), rule: v.rule ?? "", ...(ctx.entry ? at(ctx) : {}) } } : null) },
  note: { title: "Note for directors", plain: true, fields: () => [field("text", "Note", { type: "area", most: 400 })],
    build: (v, ctx) => (v.text?.trim() ? { type: "order.note", data: { text: v.text.trim(), ...(ctx.entry ? at(ctx) : {}) } } : null) },
  banner: { title: "Banner on air", key: "b", plain: true,
    fields: (ctx) => [field("text", "Text for everybody (empty: take the banner off)", { type: "area", most: 400, value: () => ctx.banner ?? "" })],
    build: (v) => ({ type: "order.banner", data: { text: (v.text ?? "").trim() } }) },
  clock: { title: "Adjust a clock", fields: (ctx) => [player(), field("left", "Time left (12:05; -0:30 is overtime)", { value: () => ctx.clock?.[0] ?? "" })],
    build: (v) => (readClock(v.left) === null ? null : { type: "order.clock", data: { player: Number(v.player), left_ms: readClock(v.left) } }) },
  end: { title: "End the game", fields: () => [], build: () => ({ type: "order.end", data: {} }) },
  racks: { title: "Tiles left", fields: () => [0, 1].flatMap((one) => [
    field(`tiles${one}`, `${playerName(one)}: tiles left on the rack`),
    number(`plus${one}`, "Points that the opponent gets for them"),
    number(`minus${one}`, "Points that come off for them")]),
    build: (v) => ({ type: "order.end_racks", data: { points: [0, 1].flatMap((one) => {
      const tiles = (v[`tiles${one}`] ?? "").toUpperCase();
      return [
        ...(whole(v[`plus${one}`]) ? [{ type: "game.end_rack_points", data: { player: 1 - one, points: whole(v[`plus${one}`]), tiles } }] : []),
        ...(whole(v[`minus${one}`]) ? [{ type: "game.end_rack_penalty", data: { player: one, points: whole(v[`minus${one}`]), tiles } }] : [])];
    }) } }) },
  overtime: { title: "Overtime penalty", fields: () => [player(), number("points", "Points (0: none)")],
    build: (v) => (whole(v.points) === null ? null : { type: "order.time_penalty", data: { player: Number(v.player), points: whole(v.points) } }) },
  concede: { title: "Forfeit or resignation", fields: () => [{ ...player(), label: "Who loses" },
    field("how", "By", { type: "select", options: () => ["forfeit", "resignation", "overtime", "lateness"].map((one) => [one, one]), value: () => "forfeit" }),
    number("margin", "Margin in points")],
    build: (v) => (whole(v.margin) === null ? null : { type: "order.concede", data: { player: Number(v.player), margin: whole(v.margin), how: v.how } }) },
};

/** One labelled field of a form. */
export function Field({ field: one, value, onValue, focus }) {
  const input = (event) => onValue(one.name, one.type === "check" ? event.currentTarget.checked : event.currentTarget.value);
  const common = { name: one.name, autofocus: focus };
  if (one.type === "check") return html`<label class="check"><input type="checkbox" ...${common} checked=${value} onInput=${input} />${one.label}</label>`;
  return html`<label><span>${one.label}</span>
    ${one.type === "select" ? html`<select ...${common} value=${value} onInput=${input}>${one.options().map(([key, text]) => html`<option value=${key}>${text}</option>`)}</select>`
      : one.type === "area" ? html`<textarea ...${common} rows="3" maxlength=${one.most ?? 400} value=${value} onInput=${input}></textarea>`
        : html`<input ...${common} inputmode=${one.type === "number" ? "numeric" : "text"} autocomplete="off" spellcheck="false" maxlength=${one.most ?? 60} value=${value} onInput=${input} />`}
    ${one.hint && html`<small class="soft">${one.hint}</small>`}</label>`;
}

/** A form with what its order would change; nothing is recorded before it is confirmed. */
export class OrderDialog extends View {
  constructor(props) {
    super(props);
    this.id = orderId();
    this.form = props.form ?? FORMS[props.name];
    const values = {};
    for (const one of this.form.fields(props.ctx)) values[one.name] = one.value?.() ?? (one.type === "check" ? false : "");
    this.state = { values, found: null, busy: false };
  }

  /** A form without fields is confirmed by Enter as soon as its change is on the page. */
  componentDidUpdate(_, before) {
    const button = this.confirm;
    if (this.state.found && !before.found && button && !this.form.fields(this.props.ctx).length) button.focus();
  }

  render({ ctx, can }, { values, found, busy }) {
    const { title, fields, build, plain } = this.form;
    const act = build(values, ctx);
    const onValue = (name, value) => this.setState({ values: { ...this.state.values, [name]: value } });
    const shown = fields(ctx).filter((one) => !one.when || one.when(values));
    const confirm = async (event) => {
      event.preventDefault();
      this.setState({ busy: true });
      if (await give(act, this.id)) close();
      else this.setState({ busy: false });
    };
    return html`<${Dialog} title=${ctx.entry ? `${title}: ${ctx.entry.text}` : title}>
      <form class="order" onSubmit=${confirm}>
        ${shown.map((one, index) => html`<${Field} key=${one.name} field=${one} value=${values[one.name]} onValue=${onValue} focus=${index === 0} />`)}
        ${plain ? html`<p class="soft">No score changes.</p>`
          : html`<${Preview} act=${act} id=${this.id} onFound=${(next) => this.setState({ found: next })} />`}
        <footer><button type="button" onClick=${close}>Leave it</button>
          <button class="main" ref=${(element) => { this.confirm = element; }} disabled=${!can || busy || !act || (!plain && !found)}>Confirm</button></footer>
      </form><//>`;
  }
}

/** The form that takes back an order. */
export const undoForm = (order) => ({ title: "Undo an order",
  fields: () => [], build: () => ({ type: "order.undo", data: { order } }) });
