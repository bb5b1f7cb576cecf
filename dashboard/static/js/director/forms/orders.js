/**
 * What a director can order, as forms: the fields of each and the order that they make. `build`
 * gives null while something is lacking; what the recorder thinks of it, the preview says.
 */
import { blanksOf, unsureSquare } from "./blanks.js";
import { html } from "../../shared/dom.js";
import { text } from "../../shared/texts.js";
import { TurnsBoard } from "./turns-board.js";
import { playerName } from "../desk.js";
import { check, field, number, player, readClock, whole } from "./fields.js";
import { noted } from "../../shared/game/tiles.js";

/** @import { GameEvents } from "../../shared/messages" */
/** @import { Act, Chosen, Entry, Form, FormContext, Values } from "../models" */

/**
 * Answers to choose from, each with its text.
 * @param {string[]} codes
 * @param {string} [before] what their codes in the catalogue begin with
 */
const options = (codes, before = "") => codes.map((code) => [code, text(before + code)]);

const KINDS = ["exchange", "pass", "no_play"];
/**
 * The record takes no line breaks.
 * @param {string | undefined} words
 */
export const oneLine = (words) => (words ?? "").replace(/\s+/g, " ").trim();
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

/**
 * One turn as somebody typed it: "8D FINS", "exchange 3" or "pass"; null where it is none of these.
 * @param {string} line
 * @param {number} who
 */
function typedTurn(line, who) {
  const words = line.split(/\s+/);
  const count = whole(words[1]);
  if (/^pass$/i.test(line)) return event("game.passed", { player: who, rack: "" });
  if (words.length !== 2) return null;
  if (/^exchange$/i.test(words[0]))
    return count ? event("game.exchanged", { player: who, count, tiles: "", rack: "" }) : null;
  const position = words[0].toUpperCase();
  return event("game.played", { player: who, position, word: words[1], score: 0, rack: "" });
}

/**
 * @template {keyof GameEvents} Type
 * @param {Type} type
 * @param {GameEvents[Type]} data
 */
const event = (type, data) => ({ type, data });

/**
 * Turns as somebody typed them, a line each; null while one is none. Players take turns.
 * @param {string} typed
 * @param {number} first
 */
function typedTurns(typed, first) {
  const lines = typed.split(/[\n,]/).flatMap((line) => line.trim() || []);
  const turns = lines.flatMap((line, at) => typedTurn(line, at % 2 ? 1 - first : first) ?? []);
  return turns.length && turns.length === lines.length ? turns : null;
}

const INSERTED = ["play", "exchange", "pass", "bonus", "penalty"];
const INSERT_FIELDS = [
  field("what", text("what_was_missed"), {
    type: "select",
    options: () => options(INSERTED),
    value: () => "play",
  }),
  player(),
  field("position", text("position"), { when: (v) => v.what === "play" }),
  field("word", text("word"), { when: (v) => v.what === "play" }),
  number("count", text("tiles_count"), { when: (v) => v.what === "exchange" }),
  number("points", text("points"), {
    when: (v) => !["exchange", "pass"].includes(v.what),
    hint: text("points_if_agreed"),
  }),
  field("reason", text("reason"), { when: (v) => v.what === "penalty" }),
];

/**
 * One tile as somebody typed its letter, with or without brackets.
 * @param {string} typed
 * @param {boolean} blank
 */
function typedTile(typed, blank) {
  const label = typed.trim().replace(/[[\]]/g, "");
  return noted([blank ? label.toLowerCase() : label.toUpperCase()]);
}

/** @param {Chosen} chosen */
const isPlay = ({ entry }) => entry.type === "game.played";

/**
 * About an entry of the record, by name; each says which ones it `fits`.
 * @type {Record<string, Form<Chosen>>}
 */
export const ENTRY_FORMS = {
  letter: {
    title: text("letter"),
    fits: isPlay,
    fields: (ctx) => [
      field("square", text("square"), {
        type: "select",
        options: () => ctx.entry.squares.map((square) => [square, square]),
        value: () => unsureSquare(ctx),
      }),
      field("letter", text("letter_now"), { most: 5 }),
      check("blank", text("is_blank"), { value: () => blanksOf(ctx.entry).has(unsureSquare(ctx)) }),
    ],
    build: (v, ctx) =>
      v.letter?.trim()
        ? correct(ctx, { letters: { [v.square]: typedTile(v.letter, Boolean(v.blank)) } })
        : null,
  },
  place: {
    title: text("word_or_place"),
    fits: (ctx) =>
      isPlay(ctx) ||
      "count" in ctx.entry ||
      ctx.entry.type === "game.no_play" ||
      ctx.entry.type === "game.passed",
    fields: (ctx) => [
      field("position", text("position"), { value: () => ctx.entry.position ?? "" }),
      field("word", text("word_in_full"), {
        value: () => (ctx.entry.word ?? "").replaceAll(".", "") && ctx.entry.word,
      }),
    ],
    build: (v, ctx) =>
      v.position && v.word
        ? correct(ctx, { position: v.position.toUpperCase(), word: v.word })
        : null,
  },
  kind: {
    title: text("exchange_or_pass"),
    fits: (ctx) => /played|exchanged|passed|no_play/.test(ctx.entry.type),
    fields: () => [
      field("kind", text("turn_was"), {
        type: "select",
        options: () => options(KINDS),
        value: () => "exchange",
      }),
      number("count", text("tiles_exchanged"), {
        when: (v) => v.kind === "exchange",
        value: () => "7",
      }),
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
    title: text("score_agreed"),
    fits: (ctx) => "score" in ctx.entry || "points" in ctx.entry,
    fields: (ctx) => [
      number("score", text("points_agreed"), {
        value: () => String(ctx.entry.score ?? ctx.entry.points ?? ""),
      }),
    ],
    build: (v, ctx) => (whole(v.score) === null ? null : correct(ctx, { score: whole(v.score) })),
  },
  player: {
    title: text("opponents_turn"),
    fits: () => true,
    fields: (ctx) => [
      { ...player("player", text("turn_made_by")), value: () => String(1 - ctx.entry.player) },
    ],
    build: (v, ctx) => correct(ctx, { player: Number(v.player) }),
  },
  challenge: {
    title: text("challenge"),
    fits: isPlay,
    fields: () => [
      field("outcome", text("the_play"), {
        type: "select",
        options: () => options(["off", "stands", "withdrawn"], "play_"),
        value: () => "off",
      }),
      number("bonus", text("points_for_player"), { when: (v) => v.outcome === "stands" }),
      number("penalty", text("points_off_challenger"), { when: (v) => v.outcome === "stands" }),
      check("turn_lost", text("challenger_loses_turn"), { when: (v) => v.outcome === "stands" }),
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
    title: text("missed_after"),
    fits: () => true,
    fields: () => INSERT_FIELDS,
    build: inserted,
  },
  split: {
    title: text("several_turns"),
    fits: (ctx) => /played|illegal|unseen/.test(ctx.entry.type),
    fields: (ctx) => [
      {
        ...player("player", text("first_turn_by")),
        value: () => String((ctx.entry.player + (ctx.entry.turns ?? 1) - 1) % 2),
      },
      field("turns", text("turns_in_order"), {
        type: "area",
        most: 2000,
        hint: text("turn_a_line"),
      }),
    ],
    beside: (values, ctx) => html`<${TurnsBoard} entry=${ctx.entry} values=${values} />`,
    build: (v, ctx) => {
      const turns = typedTurns(v.turns ?? "", Number(v.player));
      return turns && { type: "order.split", data: { ...at(ctx.entry), turns } };
    },
  },
  remove: {
    title: text("did_not_happen"),
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
    title: text("missed_at_beginning"),
    fields: () => INSERT_FIELDS,
    build: (v) => inserted(v, {}),
  },
  ruling: {
    title: text("ruling"),
    key: "r",
    plain: true,
    fields: () => [
      field("rule", text("rule_if_any"), { most: 80 }),
      field("text", text("the_ruling"), { type: "area", most: 2000 }),
    ],
    build: (v, ctx) =>
      v.text?.trim()
        ? {
            type: "order.ruling",
            data: {
              text: oneLine(v.text),
              rule: v.rule ?? "",
              ...(ctx.entry ? at(ctx.entry) : {}),
              ...(ctx.settles ? { settles: ctx.settles } : {}),
            },
          }
        : null,
  },
  note: {
    title: text("note_for_directors"),
    plain: true,
    fields: () => [field("text", text("note"), { type: "area", most: 2000 })],
    build: (v, ctx) =>
      v.text?.trim()
        ? {
            type: "order.note",
            data: { text: oneLine(v.text), ...(ctx.entry ? at(ctx.entry) : {}) },
          }
        : null,
  },
  banner: {
    title: text("banner_on_air"),
    key: "b",
    plain: true,
    fields: (ctx) => [
      field("text", text("banner_text"), {
        type: "area",
        most: 400,
        value: () => ctx.banner ?? "",
      }),
    ],
    build: (v) => ({ type: "order.banner", data: { text: oneLine(v.text) } }),
  },
  clock: {
    title: text("adjust_clock"),
    fields: (ctx) => [
      player(),
      field("left", text("time_left"), { value: () => ctx.clock?.[0] ?? "" }),
    ],
    follow: (name, value, ctx) =>
      name === "player" ? { left: ctx.clock?.[Number(value)] ?? "" } : {},
    build: (v) => {
      const left_ms = readClock(v.left);
      return left_ms === null
        ? null
        : { type: "order.clock", data: { player: Number(v.player), left_ms } };
    },
  },
  absent: {
    title: text("player_absent"),
    fields: () => [player(), number("due", text("minutes_due"))],
    build: (v) => {
      const due = whole(v.due);
      const due_s = due === null ? {} : { due_s: 60 * due };
      return { type: "order.absent", data: { player: Number(v.player), ...due_s } };
    },
  },
  arrived: {
    title: text("player_has_come"),
    fields: () => [player()],
    build: (v) => ({ type: "order.arrived", data: { player: Number(v.player) } }),
  },
  seats: {
    title: text("sit_other_way"),
    fields: () => [],
    build: (_, ctx) =>
      ctx.right === undefined ? null : { type: "order.seats", data: { player: ctx.right } },
  },
  end: {
    title: text("end_game"),
    fields: () => [],
    build: () => ({ type: "order.end", data: {} }),
  },
  racks: {
    title: text("tiles_left"),
    fields: () =>
      [0, 1].flatMap((player) => [
        field(`tiles${player}`, text("tiles_left_on_rack", { name: playerName(player) })),
        number(`plus${player}`, text("points_for_tiles")),
        number(`minus${player}`, text("points_off_for_tiles")),
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
    title: text("overtime_penalty"),
    fields: () => [player(), number("points", text("points_or_none"))],
    build: (v) => {
      const points = whole(v.points);
      return points === null
        ? null
        : { type: "order.time_penalty", data: { player: Number(v.player), points } };
    },
  },
  concede: {
    title: text("forfeit_or_resignation"),
    fields: () => [
      { ...player(), label: text("who_loses") },
      field("how", text("by"), {
        type: "select",
        options: () => options(["forfeit", "resignation", "left", "overtime", "lateness"], "by_"),
        value: () => "forfeit",
      }),
      number("margin", text("margin")),
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
 * The form that takes back an order, or puts it back by taking back what took it back.
 * @param {string} order
 * @param {boolean} puts_back
 * @returns {Form}
 */
export const undoForm = (order, puts_back) => ({
  title: puts_back ? text("put_order_back") : text("undo_order"),
  fields: () => [],
  build: () => ({ type: "order.undo", data: { order } }),
});
