/**
 * What a director can order, as forms: the fields of each and the order that they make. `build`
 * gives null while something is lacking; what the recorder thinks of it, the preview says.
 */
import { html, View } from "../shared/dom.js";
import { playerName, give, orderId } from "./desk.js";
import { close, Dialog, Preview } from "./dialog.js";
import { check, field, number, player, readClock, whole } from "./fields.js";

/** @import { GameEvents } from "../shared/messages" */
/** @import { Act, Chosen, Entry, Form, FormContext, FormField, PreviewTold, Values } from "./models" */
/** @typedef {{name?: string, form?: Form, ctx: FormContext, can: boolean}} OrderProps */
/** @typedef {{values: Values, found: PreviewTold | null, busy: boolean}} OrderState */

const KINDS = [
  ["exchange", "exchange"],
  ["pass", "pass"],
  ["no_play", "exchange or pass, nobody knows"],
];
/**
 * The record takes no line breaks.
 * @param {string | undefined} text
 */
export const oneLine = (text) => (text ?? "").replace(/\s+/g, " ").trim();
/** @param {Entry} entry */
const at = ({ entry, part }) => ({ entry, part });

/**
 * @param {Chosen} ctx
 * @param {object} change
 * @returns {Act}
 */
const correct = (ctx, change) => ({ type: "order.correct", data: { ...at(ctx.entry), ...change } });
/**
 * @template {keyof GameEvents} Type
 * @param {Partial<Chosen>} ctx
 * @param {Type} type
 * @param {GameEvents[Type]} data
 * @param {boolean} agreed
 * @returns {Act}
 */
const insert = (ctx, type, data, agreed = false) => ({
  type: "order.insert",
  data: { ...(ctx.entry ? at(ctx.entry) : { entry: 0 }), event: { type, data }, agreed },
});

/**
 * What one rack is worth at the end, in an array; nothing where there are no points.
 * @param {"game.end_rack_points" | "game.end_rack_penalty"} type
 * @param {number} player
 * @param {number | null} points
 * @param {string} tiles
 */
const left = (type, player, points, tiles) =>
  points ? [{ type, data: { player, points, tiles } }] : [];

/**
 * @param {Values} v
 * @param {Partial<Chosen>} ctx
 */
function inserted(v, ctx) {
  const who = Number(v.player);
  const [points, count] = [whole(v.points), whole(v.count)];
  switch (v.what) {
    case "play":
      return v.position && v.word
        ? insert(
            ctx,
            "game.played",
            {
              player: who,
              position: v.position.toUpperCase(),
              word: v.word,
              score: points ?? 0,
              rack: "",
            },
            points !== null,
          )
        : null;
    case "exchange":
      return count
        ? insert(ctx, "game.exchanged", { player: who, count, tiles: "", rack: "" })
        : null;
    case "pass":
      return insert(ctx, "game.passed", { player: who, rack: "" });
    case "bonus":
      return points === null ? null : insert(ctx, "game.challenge_bonus", { player: who, points });
    default:
      return points === null
        ? null
        : insert(ctx, "game.penalty", { player: who, points, reason: v.reason ?? "" });
  }
}

const INSERTED = [
  ["play", "a play"],
  ["exchange", "an exchange"],
  ["pass", "a pass"],
  ["bonus", "a challenge bonus"],
  ["penalty", "a penalty"],
];
const INSERT_FIELDS = [
  field("what", "What was missed", {
    type: "select",
    options: () => INSERTED,
    value: () => "play",
  }),
  player(),
  field("position", "Position (8H across, H8 down)", { when: (v) => v.what === "play" }),
  field("word", "Word (lower case: a blank)", { when: (v) => v.what === "play" }),
  number("count", "Tiles", { when: (v) => v.what === "exchange" }),
  number("points", "Points", {
    when: (v) => !["exchange", "pass"].includes(v.what),
    hint: "for a play only if agreed at the table",
  }),
  field("reason", "Reason or rule", { when: (v) => v.what === "penalty" }),
];

/** @param {Chosen} chosen */
const isPlay = ({ entry }) => entry.type === "game.played";

/**
 * About an entry of the record, by name; each says which ones it `fits`.
 * @type {Record<string, Form<Chosen>>}
 */
export const ENTRY_FORMS = {
  letter: {
    title: "Letter",
    fits: isPlay,
    fields: (ctx) => [
      field("square", "Square", {
        type: "select",
        options: () => ctx.entry.squares.map((square) => [square, square]),
        value: () =>
          ctx.item.doubt?.squares.find((square) => ctx.entry.squares.includes(square)) ??
          ctx.entry.squares[0],
      }),
      field("letter", "Letter (? if nobody knows it)", { most: 1 }),
      check("blank", "It is a blank"),
    ],
    build: (v, ctx) =>
      v.letter?.trim()
        ? correct(ctx, {
            letters: { [v.square]: v.blank ? v.letter.toLowerCase() : v.letter.toUpperCase() },
          })
        : null,
  },
  place: {
    title: "Word or place",
    fits: (ctx) =>
      isPlay(ctx) ||
      "count" in ctx.entry ||
      ctx.entry.type === "game.no_play" ||
      ctx.entry.type === "game.passed",
    fields: (ctx) => [
      field("position", "Position (8H across, H8 down)", { value: () => ctx.entry.position ?? "" }),
      field("word", "Word in full (lower case: a blank)", {
        value: () => (ctx.entry.word ?? "").replaceAll(".", "") && ctx.entry.word,
      }),
    ],
    build: (v, ctx) =>
      v.position && v.word
        ? correct(ctx, { position: v.position.toUpperCase(), word: v.word })
        : null,
  },
  kind: {
    title: "Exchange or pass",
    fits: (ctx) => /played|exchanged|passed|no_play/.test(ctx.entry.type),
    fields: () => [
      field("kind", "The turn was", {
        type: "select",
        options: () => KINDS,
        value: () => "exchange",
      }),
      number("count", "Tiles exchanged", { when: (v) => v.kind === "exchange", value: () => "7" }),
    ],
    build: (v, ctx) =>
      v.kind !== "exchange" || whole(v.count)
        ? correct(ctx, {
            kind: v.kind,
            ...(v.kind === "exchange" ? { count: whole(v.count) } : {}),
          })
        : null,
  },
  score: {
    title: "Score as agreed",
    fits: (ctx) => "score" in ctx.entry || "points" in ctx.entry,
    fields: (ctx) => [
      number("score", "Points as agreed at the table", {
        value: () => String(ctx.entry.score ?? ctx.entry.points ?? ""),
      }),
    ],
    build: (v, ctx) => (whole(v.score) === null ? null : correct(ctx, { score: whole(v.score) })),
  },
  player: {
    title: "It was the opponent's turn",
    fits: () => true,
    fields: (ctx) => [
      { ...player("player", "The turn was made by"), value: () => String(1 - ctx.entry.player) },
    ],
    build: (v, ctx) => correct(ctx, { player: Number(v.player) }),
  },
  challenge: {
    title: "Challenge",
    fits: isPlay,
    fields: () => [
      field("outcome", "The play", {
        type: "select",
        options: () => [
          ["off", "comes off"],
          ["stands", "stands"],
          ["withdrawn", "was challenged; that is withdrawn"],
        ],
        value: () => "off",
      }),
      number("bonus", "Points for its player", { when: (v) => v.outcome === "stands" }),
      number("penalty", "Points off the challenger", { when: (v) => v.outcome === "stands" }),
      check("turn_lost", "The challenger loses a turn", { when: (v) => v.outcome === "stands" }),
    ],
    build: (v, ctx) => ({
      type: "order.challenge",
      data: {
        ...at(ctx.entry),
        outcome: v.outcome,
        ...(v.outcome === "stands"
          ? {
              bonus: whole(v.bonus) ?? 0,
              penalty: whole(v.penalty) ?? 0,
              turn_lost: Boolean(v.turn_lost),
            }
          : {}),
      },
    }),
  },
  insert: {
    title: "Missed after this",
    fits: () => true,
    fields: () => INSERT_FIELDS,
    build: inserted,
  },
  remove: {
    title: "Did not happen",
    fits: () => true,
    fields: () => [],
    build: (_, ctx) => ({ type: "order.remove", data: at(ctx.entry) }),
  },
};

/**
 * About the table, by name; the ruling and the note may name an entry.
 * @type {Record<string, Form<FormContext>>}
 */
const TABLE_FORMS = {
  first: {
    title: "Missed at the beginning",
    fields: () => INSERT_FIELDS,
    build: (v) => inserted(v, {}),
  },
  ruling: {
    title: "Ruling",
    key: "r",
    plain: true,
    fields: () => [
      field("rule", "Rule (such as OVERDRAW-3; may be empty)", { most: 80 }),
      field("text", "The ruling", { type: "area", most: 2000 }),
    ],
    build: (v, ctx) =>
      v.text?.trim()
        ? {
            type: "order.ruling",
            data: {
              text: oneLine(v.text),
              rule: v.rule ?? "",
              ...(ctx.entry ? at(ctx.entry) : {}),
            },
          }
        : null,
  },
  note: {
    title: "Note for directors",
    plain: true,
    fields: () => [field("text", "Note", { type: "area", most: 2000 })],
    build: (v, ctx) =>
      v.text?.trim()
        ? {
            type: "order.note",
            data: { text: oneLine(v.text), ...(ctx.entry ? at(ctx.entry) : {}) },
          }
        : null,
  },
  banner: {
    title: "Banner on air",
    key: "b",
    plain: true,
    fields: (ctx) => [
      field("text", "Text for everybody (empty: take the banner off)", {
        type: "area",
        most: 400,
        value: () => ctx.banner ?? "",
      }),
    ],
    build: (v) => ({ type: "order.banner", data: { text: oneLine(v.text) } }),
  },
  clock: {
    title: "Adjust a clock",
    fields: (ctx) => [
      player(),
      field("left", "Time left (12:05; -0:30 is overtime)", { value: () => ctx.clock?.[0] ?? "" }),
    ],
    build: (v) => {
      const left_ms = readClock(v.left);
      return left_ms === null
        ? null
        : { type: "order.clock", data: { player: Number(v.player), left_ms } };
    },
  },
  absent: {
    title: "A player is not there",
    fields: () => [
      player(),
      number("due", "Minutes since games were due (empty: since this game was opened)"),
    ],
    build: (v) => {
      const due = whole(v.due);
      const due_s = due === null ? {} : { due_s: 60 * due };
      return { type: "order.absent", data: { player: Number(v.player), ...due_s } };
    },
  },
  arrived: {
    title: "The player has come",
    fields: () => [player()],
    build: (v) => ({ type: "order.arrived", data: { player: Number(v.player) } }),
  },
  end: { title: "End the game", fields: () => [], build: () => ({ type: "order.end", data: {} }) },
  racks: {
    title: "Tiles left",
    fields: () =>
      [0, 1].flatMap((player) => [
        field(`tiles${player}`, `${playerName(player)}: tiles left on the rack`),
        number(`plus${player}`, "Points that the opponent gets for them"),
        number(`minus${player}`, "Points that come off for them"),
      ]),
    build: (v) => ({
      type: "order.end_racks",
      data: {
        points: [0, 1].flatMap((player) => {
          const tiles = (v[`tiles${player}`] ?? "").toUpperCase();
          return [
            ...left("game.end_rack_points", 1 - player, whole(v[`plus${player}`]), tiles),
            ...left("game.end_rack_penalty", player, whole(v[`minus${player}`]), tiles),
          ];
        }),
      },
    }),
  },
  overtime: {
    title: "Overtime penalty",
    fields: () => [player(), number("points", "Points (0: none)")],
    build: (v) => {
      const points = whole(v.points);
      return points === null
        ? null
        : { type: "order.time_penalty", data: { player: Number(v.player), points } };
    },
  },
  concede: {
    title: "Forfeit or resignation",
    fields: () => [
      { ...player(), label: "Who loses" },
      field("how", "By", {
        type: "select",
        options: () =>
          ["forfeit", "resignation", "left", "overtime", "lateness"].map((how) => [how, how]),
        value: () => "forfeit",
      }),
      number("margin", "Margin in points"),
    ],
    build: (v) => {
      const margin = whole(v.margin);
      return margin === null
        ? null
        : { type: "order.concede", data: { player: Number(v.player), margin, how: v.how } };
    },
  },
};

/** @type {Record<string, Form>} */
export const FORMS = { ...ENTRY_FORMS, ...TABLE_FORMS };

/**
 * One labelled field of a form.
 * @param {{field: FormField, value: string | boolean, onValue: (name: string, value: string | boolean) => void, focus?: boolean}} props
 */
export function Field({ field: one, value, onValue, focus }) {
  /** @param {{currentTarget: HTMLInputElement}} event */
  const input = (event) =>
    onValue(
      one.name,
      one.type === "check" ? event.currentTarget.checked : event.currentTarget.value,
    );
  const common = { name: one.name, autofocus: focus };
  if (one.type === "check")
    return html`<label class="check"><input type="checkbox" ...${common} checked=${value} onInput=${input} />${one.label}</label>`;
  return html`<label><span>${one.label}</span>
    ${
      one.type === "select"
        ? html`<select ...${common} value=${value} onInput=${input}>${one.options?.().map(([key, text]) => html`<option value=${key}>${text}</option>`)}</select>`
        : one.type === "area"
          ? html`<textarea ...${common} rows="3" maxlength=${one.most ?? 400} value=${value} onInput=${input}></textarea>`
          : html`<input ...${common} inputmode=${one.type === "number" ? "numeric" : "text"} autocomplete="off" spellcheck="false" maxlength=${one.most ?? 60} value=${value} onInput=${input} />`
    }
    ${one.hint && html`<small class="soft">${one.hint}</small>`}</label>`;
}

/**
 * A form with what its order would change; nothing is recorded before it is confirmed.
 * @extends {View<OrderProps, OrderState>}
 */
export class OrderDialog extends View {
  /** @type {HTMLButtonElement | null} */
  confirm = null;

  /** @param {OrderProps} props */
  constructor(props) {
    super(props);
    this.id = orderId();
    this.form = props.form ?? FORMS[props.name ?? ""];
    /** @type {Values} */
    const values = {};
    for (const asked of this.form.fields(props.ctx))
      values[asked.name] = asked.value?.() ?? (asked.type === "check" ? false : "");
    /** @type {OrderState} */
    this.state = { values, found: null, busy: false };
  }

  /**
   * A form without fields is confirmed by Enter as soon as its change is on the page.
   * @param {OrderProps} _
   * @param {OrderState} before
   */
  componentDidUpdate(_, before) {
    const button = this.confirm;
    if (this.state.found && !before.found && button && !this.form.fields(this.props.ctx).length)
      button.focus();
  }

  /**
   * @param {OrderProps} props
   * @param {OrderState} state
   */
  render({ ctx, can }, { values, found, busy }) {
    const { title, fields, build, plain } = this.form;
    const act = build(values, ctx);
    /**
     * @param {string} name
     * @param {string | boolean} value
     */
    const onValue = (name, value) =>
      this.setState({ values: { ...this.state.values, [name]: value } });
    const shown = fields(ctx).filter((asked) => !asked.when || asked.when(values));
    /** @param {Event} event */
    const confirm = async (event) => {
      event.preventDefault();
      if (!act) return;
      this.setState({ busy: true });
      if (await give(act, this.id)) close();
      else this.setState({ busy: false });
    };
    return html`<${Dialog} title=${ctx.entry ? `${title}: ${ctx.entry.text}` : title}>
      <form class="order" onSubmit=${confirm}>
        ${shown.map((asked, index) => html`<${Field} key=${asked.name} field=${asked} value=${values[asked.name]} onValue=${onValue} focus=${index === 0} />`)}
        ${
          plain
            ? html`<p class="soft">No score changes.</p>`
            : html`<${Preview} act=${act} id=${this.id} onFound=${(/** @type {PreviewTold | null} */ next) => this.setState({ found: next })} />`
        }
        <footer><button type="button" onClick=${close}>Cancel</button>
          <button class="main" ref=${(/** @type {HTMLButtonElement | null} */ element) => {
            this.confirm = element;
          }} disabled=${!can || busy || !act || (!plain && !found)}>Apply</button></footer>
      </form><//>`;
  }
}

/**
 * The form that takes back an order.
 * @param {string} order
 * @returns {Form}
 */
export const undoForm = (order) => ({
  title: "Undo an order",
  fields: () => [],
  build: () => ({ type: "order.undo", data: { order } }),
});
