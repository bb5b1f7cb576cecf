/**
 * This page as a device: events are numbered and kept here until the recorder itself has them.
 *
 * Written down before it is sent, sent again until the recorder's ack, deleted on that alone: a
 * network that drops, a server that dies and a page that is reloaded lose nothing and double
 * nothing, for the recorder knows device, boot and number. Every load of the page is a new boot.
 */
import { newBoot, phonePauses } from "./boot.js";
import { ServerClock } from "../shared/server-clock.js";

/** @import { Command, DeviceMessage } from "../shared/frames" */
/** @import { Observations } from "../shared/messages" */

const BEAT_MS = 1000;
const SILENCE_MS = 4000;
const AGAIN_MS = 2000;
const SYNC_EVERY_MS = 30000;

export class DeviceLink {
  /**
   * @param {string} device name of the wire contract
   * @param {string} path of the WebSocket on this server
   * @param {{onCommand?: (command: Command) => string, onChange: () => void}} page `onCommand`
   *   gives the reason when an order cannot be obeyed, else ""
   */
  constructor(device, path, page) {
    this.device = device;
    this.page = page;
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.boot = newBoot();
    this.seq = 0;
    this.store = `tilecast:${device}:waiting`;
    /** @type {{boot: string, seq: number, payload: string, sent: number}[]} */
    this.waiting = JSON.parse(localStorage.getItem(this.store) ?? "[]");
    /** @type {WebSocket | null} */
    this.socket = null;
    this.bus = false;
    this.acked = false;
    this.taken = false;
    this.pauses = phonePauses();
    this.heardAt = 0;
    this.recorder = new ServerClock();
    this.syncedAt = 0;
    setInterval(() => this.beat(), BEAT_MS);
    addEventListener("online", () => this.socket ?? this.connect());
    this.connect();
  }

  /** Milliseconds since this boot: whole, and never backwards. */
  now() {
    return Math.floor(performance.now());
  }

  /** Whether the venue's machine answers; its broker may be away all the same. */
  get isHere() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Whether the recorder can be reached, as far as this page knows. */
  get isOnline() {
    return this.isHere && this.bus;
  }

  /**
   * Note an event of now; it is on its way when this returns, whatever the network does.
   * @template {keyof Observations} Type
   * @param {Type} type
   * @param {Observations[Type]} data
   */
  put(type, data) {
    this.seq += 1;
    const payload = JSON.stringify({
      v: 1,
      dev: this.device,
      boot: this.boot,
      seq: this.seq,
      t: this.now(),
      type,
      data,
    });
    this.waiting.push({ boot: this.boot, seq: this.seq, payload, sent: 0 });
    this.write();
    this.flush();
    this.page.onChange();
  }

  write() {
    localStorage.setItem(this.store, JSON.stringify(this.waiting));
  }

  flush() {
    if (!this.isOnline) return;
    const now = performance.now();
    for (const event of this.waiting) {
      if (event.sent && now - event.sent < AGAIN_MS) continue;
      event.sent = now;
      this.send({ type: "event", payload: event.payload });
    }
  }

  connect() {
    if (this.taken) return;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onopen = () => {
      for (const event of this.waiting) event.sent = 0;
      this.send({ type: "hello", boot: this.boot, model: navigator.userAgent.slice(0, 60) });
      this.beat();
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => this.lose(socket);
  }

  /** @param {WebSocket} socket */
  lose(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.bus = false;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    setTimeout(() => this.socket ?? this.connect(), this.pauses.next());
    this.page.onChange();
  }

  beat() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const isAnswered = this.acked || this.recorder.samples.length > 0;
    if (performance.now() - this.heardAt > SILENCE_MS && isAnswered) {
      this.lose(this.socket);
      return;
    }
    this.send({ type: "beat", t: this.now(), seq_high: this.seq, outbox: this.waiting.length });
    this.flush();
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {DeviceMessage} message */
  receive(message) {
    this.heardAt = performance.now();
    switch (message.type) {
      case "bus":
        this.bus = message.connected;
        this.pauses.end();
        this.flush();
        break;
      case "ack":
        this.acked = true;
        this.waiting = this.waiting.filter(
          (event) => event.boot !== message.boot || event.seq > message.upto,
        );
        this.write();
        break;
      case "time":
        this.synced(message);
        break;
      case "command":
        this.send({
          type: "response",
          id: message.id,
          error: this.page.onCommand?.(message) ?? "not for this device",
        });
        break;
      case "taken":
        this.taken = true;
        break;
    }
    this.page.onChange();
  }

  /**
   * The recorder's time for one of our beats: how the two compare is for the record too.
   * @param {{t: number, received: number, sent: number}} times
   */
  synced({ t, received, sent }) {
    this.recorder.sample(t, (received + sent) / 2);
    const best = this.recorder.samples.reduce((a, b) => (b.way < a.way ? b : a));
    if (this.recorder.samples.length < 5 || this.now() - this.syncedAt < SYNC_EVERY_MS) return;
    this.syncedAt = this.now();
    this.put("time.sync", {
      reference: "recorder",
      device_ms: this.now(),
      offset_ms: best.offset,
      error_ms: best.way / 2,
    });
  }
}
