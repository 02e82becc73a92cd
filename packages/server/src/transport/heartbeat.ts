import type { WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";

/** Pings connections at intervals and cuts who did not answer: a peer that vanished says nothing itself. */
export class Heartbeat {
  readonly #webSockets: ReadonlySet<WebSocket>;
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #silent = new WeakSet<WebSocket>();
  #stop: () => void;

  constructor(webSockets: ReadonlySet<WebSocket>, ms: number, clock: Clock) {
    this.#webSockets = webSockets;
    this.#ms = ms;
    this.#clock = clock;
    this.#stop = this.#next();
  }

  /** Hears the answers of a connection. */
  hear(webSocket: WebSocket): void {
    webSocket.on("pong", () => this.#silent.delete(webSocket));
  }

  stop(): void {
    this.#stop();
  }

  #next(): () => void {
    return this.#clock.after(this.#ms, () => this.#beat());
  }

  #beat(): void {
    for (const webSocket of this.#webSockets) {
      // Its answers are not read meanwhile.
      if (webSocket.isPaused) continue;
      if (this.#silent.has(webSocket)) webSocket.terminate();
      this.#silent.add(webSocket);
      webSocket.ping();
    }
    this.#stop = this.#next();
  }
}
