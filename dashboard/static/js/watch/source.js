/**
 * Where a page's model comes from: a socket, an address asked again and again, or a file that stays as
 * it is. The same page code draws them all.
 */
import { Link } from "../shared/link.js";
import { ServerClock } from "../shared/server-clock.js";
import { text } from "../shared/texts.js";
import { Polled } from "./polled.js";

/** @import { Now } from "../shared/frames" */

const { feed, polled, assets, first, now } = document.documentElement.dataset;

/** Milliseconds since the page was answered. */
function answeredAgo() {
  const [answer] = performance.getEntriesByType("navigation");
  return performance.now() - /** @type {PerformanceNavigationTiming} */ (answer).responseStart;
}

/** Hundreds are at home: their pages ping every four seconds, and spare the phone's battery. */
const CALM = 5;

/**
 * Feed the page; returns the time that its clocks live in.
 * @template M
 * @param {(model: M | null) => void} draw null where there is nothing yet
 * @param {(state: string) => void} tell what is to be said of the connection
 * @returns {Now}
 */
export function open(draw, tell) {
  if (feed?.endsWith(".json")) {
    fetch(feed)
      .then((answer) => answer.json())
      .then(draw, () => tell(text("lost")));
    return () => 0;
  }
  tell(text("waiting"));
  if (!feed) {
    const clock = new ServerClock();
    /** @type {Polled<M>} */
    const only = new Polled(polled ?? "", clock, draw, (heard) => tell(heard ? "" : text("lost")));
    only.begin();
    return () => clock.now();
  }
  /** @type {Link<M>} */
  const link = new Link(
    feed ?? "",
    { assets: assets ?? "", scene: "watch", calm: CALM },
    ({ frame }) => draw(frame),
    (online) => {
      if (online) instead.end();
      else instead.begin();
      tell(online ? "" : text("lost"));
      // A table where no game has begun sends nothing: the page must say so.
      if (online && !link.frame) setTimeout(() => link.frame ?? draw(null), 1500);
    },
  );
  /** @type {Polled<M>} */
  const instead = new Polled(polled ?? "", link.clock, draw, (heard) => heard && tell(""));
  if (first) {
    // The page carries what there was when it was asked for: drawn before the line stands.
    link.clock.first(Number(now) + answeredAgo());
    queueMicrotask(() => link.receive(JSON.parse(first)));
  }
  return () => link.clock.now();
}
