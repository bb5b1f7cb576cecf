/** The score sheet in the order of the game: what holds now, each correction in the place of its turn. */
import { View, html } from "../shared/dom.js";
import { holding, playerName, view } from "./desk.js";
import { signed } from "./forms/dialog.js";
import { Doubt, select } from "./history.js";
import { text as worded } from "../shared/texts.js";
import { tilesIn } from "../shared/game/tiles.js";

/** @import { DeskModel, Entry, Item } from "./models" */
/** @import { Line } from "../shared/frames" */
/** @typedef {{item: Item, entry: Entry, line: Line | null}} Held */

/**
 * What a line says; its points stand in a column of their own.
 * @param {Held} held
 */
export function said({ entry, line }) {
  if (line?.kind === "play" && line.position)
    return html`<span class="where">${line.position}</span> <b>${tilesIn(line.words[0] ?? line.word).join("")}</b>`;
  return line ? entry.text.replace(/ [+\-\u2212]\d+$/, "") : entry.text;
}

/**
 * What stood here before it was corrected; empty where nothing was, or the same.
 * @param {DeskModel} model
 * @param {Item} item
 */
function before(model, item) {
  const was = model.timeline.find((earlier) => earlier.seq === item.supersedes);
  if (!was || (was.text === item.text && was.player === item.player)) return "";
  return was.player === item.player || was.player === null
    ? was.text
    : `${was.text} ${playerName(was.player)}`;
}

/**
 * The points of a line; nothing where there are none to say, or the text of the line has them.
 * @param {Held} held
 */
export const pointsOf = ({ line }) =>
  line && (line.score || line.kind === "play") ? signed(line.score) : "";

/** @param {{held: Held, model: DeskModel, again: boolean}} props */
function Row({ held, model, again }) {
  const { item, entry, line } = held;
  const chosen = view.selected?.seq === item.seq && view.selected.part === entry.part;
  const was = before(model, item);
  const ruled = item.orders.filter((order) => order.text);
  const first = entry.part === 0;
  const classes = ["entry", `player-${entry.player}`, item.doubt && "doubtful"];
  return html`<div class=${classes.filter(Boolean).join(" ")} role="option" tabindex="-1" data-seq=${item.seq}
      aria-selected=${chosen} onClick=${() => select(item.seq, entry.part)}>
    <span class="seq">${again || !line?.n ? "" : line.n}</span><i class="dot"></i>
    <span class="said">${said(held)}<small class="soft"> ${playerName(entry.player)}</small></span>
    <span class="odds"><b>${pointsOf(held)}</b></span>
    <span class="odds">${line ? line.total : ""}</span>
    ${first && was && html`<div class="facts-said">${worded("was", { text: was })}</div>`}
    ${first && ruled.length > 0 && html`<div class="ruled">${worded("ruled_by", { who: ruled[ruled.length - 1].who })}</div>`}
    ${first && item.doubt && html`<${Doubt} doubt=${item.doubt} />`}</div>`;
}

/**
 * A new turn comes into sight at the end, unless one is chosen that somebody looks at.
 * @extends {View<{model: DeskModel}>}
 */
export class Sheet extends View {
  lines = 0;

  componentDidMount() {
    this.componentDidUpdate();
  }

  componentDidUpdate() {
    const lines = holding(this.props.model).length;
    if (lines > this.lines && !view.selected && this.root)
      this.root.scrollTop = this.root.scrollHeight;
    this.lines = lines;
  }

  /** @param {{model: DeskModel}} props */
  render({ model }) {
    const lines = holding(model);
    return html`<div class="lines" ref=${this.own}><div role="listbox" aria-label=${worded("score_sheet")} tabindex="0">${lines.map(
      (
        held,
        at,
      ) => html`<${Row} key=${`${held.item.seq}.${held.entry.part}`} held=${held} model=${model}
      again=${at > 0 && held.line?.n === lines[at - 1].line?.n} />`,
    )}</div>
  ${lines.length === 0 && html`<div class="empty"><b>${worded("no_turn_yet")}</b>${worded("turns_appear")}</div>`}</div>`;
  }
}
