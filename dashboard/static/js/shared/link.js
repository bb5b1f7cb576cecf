/**
 * The connection of a page to its table: one WebSocket, a snapshot, then changes.
 *
 * It never gives up and never shows anything itself. What was last received stays; a gap in the
 * numbers is answered by asking for a snapshot; silence of more than two seconds is a loss.
 */
import { patched } from "./merge-patch.js";
import { Pauses } from "./pauses.js";
import { ServerClock } from "./server-clock.js";

/** @import { LinkMessage } from "./frames" */

const PING_MS = 800;
const SILENCE_MS = 2000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 1400;

/** Hundreds of spectators come back over so long a time: they ask for files until then. */
const CALM_PAUSE_MS = 10_000;

/** @param {number} calm */
export const pausesFor = (calm) =>
  calm > 1
    ? new Pauses(CALM_PAUSE_MS, CALM_PAUSE_MS, 0.98)
    : new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

/** @template F the frames of this channel */
export class Link {
  /**
   * @param {string} path of the WebSocket on this server
   * @param {{assets: string, scene: string, key?: string, report?: () => object, calm?: number}} page
   *   what this page is, the key that it shows at every connection, what else its pings tell, and
   *   how many times slower than on air it pings and gives up
   * @param {(state: {frame: F | null, fresh: boolean}) => void} onFrame called with every new frame;
   *   `fresh` is true for a snapshot (draw it without movement)
   * @param {(online: boolean) => void} [onLine] called when the connection comes or goes
   */
  constructor(path, page, onFrame, onLine = () => {}) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.page = page;
    this.onFrame = onFrame;
    this.onLine = onLine;
    this.clock = new ServerClock();
    /** @type {F | null} */
    this.frame = null;
    this.epoch = "";
    this.seq = -1;
    this.pauses = pausesFor(page.calm ?? 1);
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heardAt = 0;
    this.calm = page.calm ?? 1;
    setInterval(() => this.beat(), PING_MS * this.calm);
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onmessage = (event) => {
      this.heardAt = performance.now();
      this.receive(JSON.parse(event.data));
    };
    socket.onopen = () => {
      if (this.page.key) this.send({ type: "key", key: this.page.key });
      this.beat();
    };
    socket.onclose = () => this.lose(socket);
  }

  /**
   * Give this socket up, whatever its state, and try again a little later.
   * @param {WebSocket} socket
   */
  lose(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.onLine(false);
    setTimeout(() => this.connect(), this.pauses.next());
  }

  beat() {
    const socket = this.socket;
    if (!socket) return;
    if (performance.now() - this.heardAt > SILENCE_MS * this.calm) {
      this.lose(socket);
    } else if (socket.readyState === WebSocket.OPEN) {
      const report = this.page.report?.() ?? {};
      this.send({
        type: "ping",
        t: performance.now(),
        scene: this.page.scene,
        seq: this.seq,
        ...report,
      });
    }
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {LinkMessage<F>} message */
  receive(message) {
    switch (message.type) {
      case "pong":
        this.clock.sample(message.t, message.now);
        break;
      case "hello":
        // A newer program serves newer files; the old page would not understand it for long.
        if (message.assets !== this.page.assets) location.reload();
        this.pauses.end();
        this.clock.first(message.now);
        this.onLine(true);
        break;
      case "snapshot":
        this.take(message, message.frame, true);
        break;
      case "patch":
        if (message.epoch === this.epoch && message.from_seq === this.seq) {
          this.take(message, patched(this.frame, message.patch), false);
        } else {
          this.send({ type: "snapshot?" });
        }
        break;
    }
  }

  /**
   * @param {{epoch: string, seq: number}} message
   * @param {F | null} frame
   * @param {boolean} fresh
   */
  take(message, frame, fresh) {
    this.epoch = message.epoch;
    this.seq = message.seq;
    this.frame = frame;
    this.onFrame({ frame: this.frame, fresh });
  }
}
