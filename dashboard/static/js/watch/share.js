/** A link to the move that is looked at, to hand on; after the game the game itself to take away. */
import { View, html } from "../shared/dom.js";
import { text } from "../shared/texts.js";
import { anchorOf } from "./sheet.js";

/** @import { Shown } from "./game.js" */

const COPIED_MS = 2000;

/** @extends {View<Shown>} */
export class Share extends View {
  copied = false;

  share = async () => {
    const { lines, step } = this.props;
    const address = new URL(location.href);
    const move = step === null ? "" : anchorOf(lines, step);
    address.hash = move;
    if (move) address.searchParams.set("move", move);
    else address.searchParams.delete("move");
    if (navigator.share) {
      await navigator.share({ title: document.title, url: address.href }).catch(() => {});
      return;
    }
    await navigator.clipboard.writeText(address.href);
    this.copied = true;
    this.setState({});
    setTimeout(() => {
      this.copied = false;
      this.setState({});
    }, COPIED_MS);
  };

  /** @param {Shown} props */
  render({ model }) {
    const served = location.pathname.startsWith("/watch/");
    return html`<p class="share"><button type="button" onClick=${this.share}><span aria-live="polite">${text(this.copied ? "copied" : "copy_link")}</span></button>
      ${served && model.phase === "over" && html`<a href=${`/public/game/${model.table}/${model.game}.gcg`} download>${text("download_gcg")}</a>`}</p>`;
  }
}
