/** Unseen tiles: a grid that never changes its size; a count of zero fades its letter out. */
import { html } from "../../shared/dom.js";

import { text } from "../../shared/texts.js";

/** @import { Frame } from "../../shared/frames" */

/** @param {{frame: Frame}} props */
export function Unseen({ frame }) {
  const { tiles, bag, vowels, consonants, blanks } = frame.unseen;
  const unseen = vowels + consonants + blanks;
  /** @type {[code: string, count: number][]} */
  const parts = [
    ["unseen_count", unseen],
    ["vowels", vowels],
    ["consonants", consonants],
    ["blanks", blanks],
  ];
  if (!bag) parts.shift(); // the figure beside it is the same one then
  const kinds = [...Object.keys(frame.tile_set.values), "?"];
  return html`<section class="unseen panel">
    <div class="bag">
      <div class="label">${text(bag ? "bag" : "on_racks_short")}</div>
      <div class="count figures">${bag || unseen}</div>
    </div>
    <div class="rest"><div class="grid">${kinds.map((letter) => {
      const count = Math.max(0, tiles[letter] ?? 0);
      return html`<div class=${`kind ${count ? "" : "none"}`} key=${letter}>
        <span class="letter figures" data-long=${letter.length}>${letter === "?" ? "" : letter}</span>
        <span class="number figures">${count}</span></div>`;
    })}</div>
    <div class="kinds figures">${parts.map(([code, count]) => html`<span key=${code}>${text(code)} <b>${count}</b></span>`)}</div></div>
  </section>`;
}
