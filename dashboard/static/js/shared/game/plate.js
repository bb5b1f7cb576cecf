/**
 * What a plate has beside the name: a picture or initials, and a line of flag, rating, record and place.
 * What is not known leaves no gap.
 */
import { View, html } from "../dom.js";
import { initialsOf } from "./name.js";
import { text } from "../texts.js";

/** @import { PlayerCard, Seated } from "../frames" */
/** @typedef {{player: Pick<Seated, "name" | "number">, card?: PlayerCard | null}} PlateProps */

const rules = new Intl.PluralRules(document.documentElement.lang || "en", { type: "ordinal" });

/** @param {number} place */
export const ordinal = (place) => text(`ordinal_${rules.select(place)}`, { place });

/**
 * 3\u20131, with draws 3\u20131\u20131; empty where nothing is known.
 * @param {PlayerCard | null | undefined} card
 */
export function record(card) {
  if (card?.wins === undefined || card.losses === undefined) return "";
  return `${card.wins}\u2013${card.losses}${card.draws ? `\u2013${card.draws}` : ""}`;
}

/**
 * Which places a player can still reach; empty where nobody can say.
 * @param {[number, number] | null | undefined} reach
 * @param {number} [prizes] how many places pay
 */
export function inReach(reach, prizes = 0) {
  if (!reach) return "";
  const [best, worst] = reach.map(ordinal);
  if (best === worst) return text("sure_of", { place: best });
  const paid = reach[1] <= prizes ? "sure_prize" : prizes && reach[0] > prizes ? "no_prize" : "";
  return [paid && text(paid), text("in_reach", { best, worst })].filter(Boolean).join(", ");
}

/**
 * A picture; a file that the browser cannot draw gives way to the initials.
 * @extends {View<PlateProps>}
 */
export class Portrait extends View {
  /** @type {string | undefined} */
  broken = undefined;

  fail = () => {
    this.broken = this.props.card?.photo;
    this.setState({});
  };

  /** @param {PlateProps} props */
  render({ player, card }) {
    const photo = card?.photo !== this.broken ? card?.photo : undefined;
    return html`<div class=${`portrait player-${player.number}`} ref=${this.own}>
      ${photo ? html`<img key=${photo} src=${photo} alt="" onError=${this.fail} />` : html`<span>${initialsOf(player.name)}</span>`}</div>`;
  }
}

/** @param {{card?: PlayerCard | null}} props */
export function Flag({ card }) {
  return card?.country
    ? html`<img class="flag" src=${`/flag/${card.country}.svg`} alt=${card.country} />`
    : null;
}

/**
 * Whether there is anything to say below a name.
 * @param {PlayerCard | null | undefined} card
 */
export const hasFacts = (card) =>
  Boolean(card && (card.country || card.rating || record(card) || card.place));

/** @param {{card?: PlayerCard | null}} props */
export function Facts({ card }) {
  if (!card || !hasFacts(card)) return null;
  return html`<div class="plate-facts"><${Flag} card=${card} />
    ${card.rating !== undefined && html`<span class="figures">${card.rating}</span>`}
    ${record(card) && html`<b class="figures">${record(card)}</b>`}
    ${card.place !== undefined && html`<span class="figures">${ordinal(card.place)}</span>`}</div>`;
}
