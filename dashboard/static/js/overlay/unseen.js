/** Unseen tiles: a grid that never changes its size; a count of zero fades its letter out. */
import { html } from "../shared/dom.js";

/** @import { Frame } from "../shared/frames" */

/** @param {{frame: Frame}} props */
export function Unseen({ frame }) {
  const { tiles, bag, vowels, consonants, blanks } = frame.unseen;
  const kinds = [...Object.keys(frame.tile_set.values), "?"];
  return html`<section class="unseen panel">
    <div class="bag">
      <div class="label">in the bag</div>
      <div class="count figures">${bag}</div>
      <div class="kinds figures"><span>V <b>${vowels}</b></span><span>C <b>${consonants}</b></span></div>
    </div>
    <div class="grid" data-blanks=${blanks}>${kinds.map((letter) => {
      const count = Math.max(0, tiles[letter] ?? 0);
      return html`<div class=${`kind ${count ? "" : "none"}`} key=${letter}>
        <span class="letter figures">${letter === "?" ? "" : letter}</span>
        <span class="number figures">${count}</span></div>`;
    })}</div>
  </section>`;
}
