/**
 * Where a page's model comes from: a server that is live, or a file beside the page. The same page
 * code draws both.
 */
import { Link } from "../shared/link.js";
import { text } from "../shared/texts.js";

/** @import { Now } from "../shared/frames" */

const { feed, assets, first, now } = document.documentElement.dataset;

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
  /** @type {Link<M>} */
  const link = new Link(
    feed ?? "",
    { assets: assets ?? "", scene: "watch", calm: CALM },
    ({ frame }) => draw(frame),
    (online) => {
      tell(online ? "" : text("lost"));
      // A table where no game has begun sends nothing: the page must say so.
      if (online && !link.frame) setTimeout(() => link.frame ?? draw(null), 1500);
    },
  );
  if (first) {
    // The page carries what there was when it was asked for: drawn before the line stands.
    link.clock.first(Number(now) + answeredAgo());
    queueMicrotask(() => link.receive(JSON.parse(first)));
  }
  return () => link.clock.now();
}
