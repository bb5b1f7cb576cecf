/** Unseen tiles: a grid that never changes its size; a count of zero fades its letter out. */
import { html } from "../shared/dom.js";

/** @import { Frame } from "../shared/frames" */

/** @param {{frame: Frame}} props */
export function Unseen({ frame }) {
  const { tiles, bag, vowels, consonants, blanks } = frame.unseen;
  const unseen = vowels + consonants + blanks;
  const kinds = [...Object.keys(frame.tile_set.values), "?"];
  return html`<section class="unseen panel">
    <div class="bag">
      <div class="label">${bag ? "Bag" : "On racks"}</div>
      <div class="count figures">${bag || unseen}</div>
    </div>
    <div class="rest"><div class="grid">${kinds.map((letter) => {
      const count = Math.max(0, tiles[letter] ?? 0);
      return html`<div class=${`kind ${count ? "" : "none"}`} key=${letter}>
        <span class="letter figures">${letter === "?" ? "" : letter}</span>
        <span class="number figures">${count}</span></div>`;
    })}</div>
    <div class="kinds figures"><b>${unseen}</b> unseen: <b>${vowels}</b> ${noun(vowels, "vowel")}, <b>${consonants}</b> ${noun(consonants, "consonant")}, <b>${blanks}</b> ${noun(blanks, "blank")}</div></div>
  </section>`;
}

/**
 * @param {number} count
 * @param {string} word
 */
const noun = (count, word) => (count === 1 ? word : `${word}s`);
