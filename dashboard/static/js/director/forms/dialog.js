/** Dialogs of the director's page: the frame around them, the doubt, an order with its preview. */
import { View, html } from "../../shared/dom.js";
import { ask } from "../asking.js";
import { change, give, orderId, orderOf, playerName } from "../desk.js";
import { Crops } from "../pictures.js";
import { written } from "../../shared/game/standing.js";
import { text as worded } from "../../shared/texts.js";

/** @import { Act, Candidate as Reading, Doubt, Item, OrderPreview } from "../models" */
/** @import { Drawn } from "../../shared/dom" */
/** @import { Line } from "../../shared/frames" */
/** @typedef {{title: string, wide?: boolean, onKey?: (event: KeyboardEvent) => void, children?: Drawn}} DialogProps */
/** @typedef {{item: Item, id: string}} Deciding a doubt with the id of the order that decides it */
/** @typedef {{item: Item & {doubt: Doubt}, can: boolean, onName: (item: Item, kind: "pass" | "exchange") => unknown}} DoubtProps */
/** @typedef {{act: Act | null, id: string, onFound: (found: OrderPreview | null) => void}} PreviewProps */
/** @typedef {{found: OrderPreview | null, fault: string}} PreviewState */

export const close = () => change({ dialog: null });

/**
 * A modal dialog; Escape and the cross close it, the browser keeps the focus inside.
 * @extends {View<DialogProps, object, HTMLDialogElement>}
 */
export class Dialog extends View {
  /** @type {HTMLElement | null} */
  before = null;

  componentDidMount() {
    this.before = /** @type {HTMLElement | null} */ (document.activeElement);
    this.root.showModal();
    const first = /** @type {HTMLElement | null} */ (
      this.root.querySelector("[autofocus]:not(:disabled)")
    );
    (first ?? this.root).focus();
  }

  componentWillUnmount() {
    if (this.root.open) this.root.close();
    this.before?.focus?.();
  }

  /** Ctrl+Enter does what the dialog is for, also from a field of several lines. @param {KeyboardEvent} event */
  onKey(event) {
    const main = /** @type {HTMLButtonElement | undefined} */ (
      [...this.root.querySelectorAll("form button.main:not(:disabled)")].at(-1)
    );
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) main?.click();
    else this.props.onKey?.(event);
  }

  /** @param {DialogProps} props */
  render({ title, wide, children }) {
    return html`<dialog ref=${this.own} tabindex="-1" class=${wide ? "wide" : ""} aria-label=${title}
        onCancel=${(/** @type {Event} */ event) => {
          event.preventDefault();
          close();
        }} onKeyDown=${(/** @type {KeyboardEvent} */ event) => this.onKey(event)}>
      <header><h2>${title}</h2><button type="button" class="quiet" aria-label=${worded("esc_close")} onClick=${close}>Esc</button></header>
      ${children}</dialog>`;
  }
}

/** @param {number} number */
export const signed = (number) => (number > 0 ? `+${number}` : written(number));

/** @type {{[type: string]: string}} */
const KINDS = {
  "game.played": worded("kind_play"),
  "game.exchanged": worded("kind_exchange"),
  "game.passed": worded("kind_pass"),
  "game.illegal": worded("kind_illegal"),
  "game.unseen": worded("kind_unseen"),
  "game.no_play": worded("kind_no_play"),
  "game.withdrawn": worded("kind_withdrawn"),
  "game.challenge_bonus": worded("kind_bonus"),
  "game.penalty": worded("kind_penalty"),
};

/**
 * How much less the pictures speak for a reading than for the one that stands.
 * @param {number | null} odds
 */
export function likely(odds) {
  if (typeof odds !== "number") return "";
  const times = Math.exp(Math.abs(odds));
  if (times < 1.5) return worded("equally_likely");
  return worded(times > 1000 ? "far_less_likely" : "less_likely");
}

/**
 * One reading of a turn: kind, place, word and points of each of its events.
 * @param {{number: number, candidate: Reading, doubt: Deciding}} props
 */
function Candidate({ number, candidate, doubt }) {
  const events = candidate.events.map(
    (event) => html`<span class="event"><span class="soft">${KINDS[event.type] ?? event.type}</span>
    ${event.position && html`<b>${event.position} ${event.word}</b>`}
    ${
      event.laid &&
      html`<b>${Object.entries(event.laid)
        .map((tile) => tile.join(" "))
        .join(", ")}</b>`
    }
    ${event.count ? html`<b>${worded("tiles", { tiles: event.count })}</b>` : ""}
    ${event.score !== undefined && html`<b class="points">${event.type === "game.withdrawn" ? signed(-event.score) : signed(event.score)}</b>`}
    ${event.points !== undefined && html`<b class="points">${written(event.points)}</b>`}
    <span class="soft">${playerName(event.player)}</span></span>`,
  );
  const weight = candidate.candidate === 0 ? worded("recorded") : likely(candidate.log_odds);
  return html`<button type="button" class="candidate" autofocus=${number === 1} onClick=${() => take(doubt, candidate)}>
    <kbd>${number}</kbd><span class="events">${events.length ? events : worded("no_event")}</span><span class="soft">${weight}</span></button>`;
}

/**
 * The readings of a doubt in the order in which they are offered: what is recorded comes first, but
 * a hole last, because a director who can say more fills it.
 * @param {Doubt} doubt
 */
export function offered({ candidates }) {
  const [recorded, ...others] = candidates;
  const is_hole = recorded?.events.some(({ type }) => type === "game.unseen");
  return is_hole ? [...others, recorded] : candidates;
}

/**
 * Whether a turn without a play is recorded that nobody has named: an exchange or a pass.
 * @param {Item} item
 */
export const isUnnamed = ({ entries }) => entries[0]?.type === "game.no_play";

/**
 * @param {Deciding} doubt
 * @param {Reading} candidate
 */
async function take({ item, id }, candidate) {
  const entry = item.entries[0] ?? { entry: item.seq, part: 0 };
  const data = { entry: entry.entry, part: entry.part, candidate: candidate.candidate };
  if (await give({ type: "order.accept", data }, id)) close();
}

/**
 * Two or more readings of one turn; a digit takes one, Enter the first.
 * @extends {View<DoubtProps>}
 */
export class DoubtDialog extends View {
  /** @param {DoubtProps} props */
  constructor(props) {
    super(props);
    this.id = orderId();
  }

  /** @param {DoubtProps} props */
  render({ item, can, onName }) {
    const doubt = { item, id: this.id };
    const { reasons, squares } = item.doubt;
    const candidates = offered(item.doubt);
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      const candidate = /^[1-9]$/.test(event.key) ? candidates[Number(event.key) - 1] : null;
      if (candidate && can) take(doubt, candidate);
    };
    return html`<${Dialog} title=${worded("which_was_played")} wide onKey=${onKey}>
      <p class="why">${reasons.join("; ")}</p>
      <${Crops} pictures=${item.pictures} squares=${squares} />
      <fieldset disabled=${!can}>${candidates.map((candidate, at) => html`<${Candidate} number=${at + 1} candidate=${candidate} doubt=${doubt} />`)}
        ${
          isUnnamed(item) &&
          html`<footer><button type="button" onClick=${async () => (await onName(item, "pass")) && close()}>${worded("pass")}</button>
          <button type="button" onClick=${() => onName(item, "exchange")}>${worded("exchange_of")}</button></footer>`
        }</fieldset>
      <p class="soft">${candidates.length > 1 ? html`<kbd>1</kbd>\u2013<kbd>${candidates.length}</kbd> ${worded("takes")}, <kbd>Enter</kbd> ${worded("takes_first")}` : html`<kbd>Enter</kbd> ${worded("takes")}`}, <kbd>Esc</kbd> ${worded("decides_later")}. ${worded("none_fits")}</p>
    <//>`;
  }
}

/** What the lines of a score sheet are, by their kind; plays have their word. */
/** @type {{[kind: string]: string}} */
const OF_LINE = {
  exchange: KINDS["game.exchanged"],
  pass: KINDS["game.passed"],
  illegal: KINDS["game.illegal"],
  unseen: KINDS["game.unseen"],
  no_play: KINDS["game.no_play"],
  withdraw: KINDS["game.withdrawn"],
  challenge: KINDS["game.challenge_bonus"],
  penalty: KINDS["game.penalty"],
  end_rack: worded("kind_rack"),
  end_rack_penalty: worded("kind_rack_off"),
  time: worded("by_overtime"),
  conceded: worded("kind_conceded"),
};

/** @param {Line} line */
const lineText = (line) =>
  `${playerName(line.player)}: ${
    line.kind === "play"
      ? `${line.position} ${line.word}`
      : `${OF_LINE[line.kind] ?? line.kind} ${line.word || line.tiles || line.count || ""}`
  }${line.kind === "conceded" ? "" : ` ${signed(line.score)}`}`;

/**
 * What an order would change: turns before and after, doubts that follow, totals.
 * @param {{found: OrderPreview}} props
 */
function Changes({ found }) {
  const { before, after } = found.totals;
  return html`${found.changes.length === 0 && html`<p class="soft">${worded("no_turn_otherwise")}</p>`}
    ${found.changes.map(
      (
        one,
      ) => html`<div class="changed"><div class="was">${one.before.map((line) => html`<div>${lineText(line)}</div>`)}${one.before.length === 0 && worded("nothing")}</div>
      <div class="arrow" aria-label=${worded("becomes")}>\u2192</div>
      <div class="will">${one.after.map((line) => html`<div>${lineText(line)}</div>`)}${one.after.length === 0 && worded("nothing")}
        ${one.doubts.map((doubt) => html`<div class="why">${worded("doubt_is", { why: doubt.text })}</div>`)}</div></div>`,
    )}
    <table class="totals"><tbody>${[0, 1].map(
      (
        number,
      ) => html`<tr><td>${playerName(number)}</td><td class="num">${written(before[number])}</td>
      <td>\u2192</td><td class="num">${written(after[number])}</td><td class="num soft">${after[number] === before[number] ? worded("as_before") : signed(after[number] - before[number])}</td></tr>`,
    )}</tbody></table>`;
}

/**
 * Asks for the preview of an act whenever it has become another one, and says so upwards.
 * @extends {View<PreviewProps, PreviewState>}
 */
export class Preview extends View {
  /** @param {PreviewProps} props */
  constructor(props) {
    super(props);
    /** @type {PreviewState} */
    this.state = { found: null, fault: "" };
    this.asked = "";
    this.timer = 0;
  }

  componentDidMount() {
    this.refresh();
  }

  componentDidUpdate() {
    this.refresh();
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.asked = "";
  }

  refresh() {
    const wanted = JSON.stringify(this.props.act);
    if (wanted === this.asked) return;
    this.asked = wanted;
    clearTimeout(this.timer);
    this.props.onFound(null);
    this.setState({ found: null, fault: "" });
    const { act } = this.props;
    if (act) this.timer = setTimeout(() => this.fetch(wanted, act), 200);
  }

  /**
   * @param {string} wanted
   * @param {Act} act
   */
  async fetch(wanted, act) {
    /** @type {PreviewState} */
    let next = { found: null, fault: "" };
    try {
      const found = await ask("POST", "/api/order/preview", orderOf(act, this.props.id));
      next = found.ok ? { found, fault: "" } : { found: null, fault: found.reason?.text ?? "" };
    } catch (fault) {
      next.fault = fault.message;
    }
    if (wanted !== this.asked) return;
    this.setState(next);
    this.props.onFound(next.found);
  }

  /**
   * @param {PreviewProps} props
   * @param {PreviewState} state
   */
  render({ act }, { found, fault }) {
    return html`<section class="preview" aria-live="polite"><h3>${worded("would_change")}</h3>
      ${fault && html`<p class="why">${fault}</p>`}
      ${!act && html`<p class="soft">${worded("fill_in")}</p>`}
      ${act && !found && !fault && html`<p class="soft">${worded("asking")}</p>`}
      ${found && html`<${Changes} found=${found} />`}</section>`;
  }
}
