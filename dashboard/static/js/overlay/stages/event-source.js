/** Feeds the scenes of the event: asks for it every few seconds, keeps what it has when the line is lost. */
import { EVENT_SCENES } from "./event-scenes.js";
import { render } from "../../shared/dom.js";

/** @import { EventModel } from "../../event/models" */
/** @import { Marks, Playing } from "./event-scenes" */

const EVERY_MS = 4000;
const PAGE_MS = 8000;

/**
 * @param {string} scene
 * @param {HTMLElement} root
 * @param {string} wanted the name of a division; empty is the first
 * @param {() => Playing} playing the table whose pair is shown, and the game there
 * @param {Marks} marks
 * @param {string} [source] where the event is told
 */
export function showEvent(scene, root, wanted, playing, marks, source = "/event/data.json") {
  /** @type {EventModel | null} */
  let event = null;

  /** Pages turn by the time of day, so that two sources of a scene agree. */
  const draw = () => {
    const game = playing();
    const named = wanted || (scene === "meeting" && game.event?.division);
    const found = event?.divisions.find(({ name }) => !named || name === named);
    const page = Math.floor(Date.now() / PAGE_MS);
    const shown = event && found && { event, division: found, game, page, marks };
    render(shown ? EVENT_SCENES[scene](shown) : null, root);
    if (shown) root.dataset.seq = String(found?.round ?? 0);
    else delete root.dataset.seq;
  };

  const refresh = async () => {
    try {
      const answer = await fetch(source);
      if (!answer.ok) throw new Error(String(answer.status));
      event = await answer.json();
      root.dataset.online = "true";
    } catch {
      root.dataset.online = "false";
    }
    draw();
    setTimeout(refresh, EVERY_MS);
  };
  refresh();
  setInterval(draw, 1000);
}
