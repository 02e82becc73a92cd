import type { RawData, WebSocket } from "ws";

/** A message as it came, which nobody reads on its way. */
export interface PassedMessage {
  readonly data: RawData;
  readonly isBinary: boolean;
}

/** The messages of a client before it is known who serves it: its first one, and what came in the same bytes. */
export class HeldMessages {
  /** Resolves with the first message, or once the client is gone. */
  readonly first: Promise<PassedMessage | undefined>;
  readonly #webSocket: WebSocket;
  readonly #all: PassedMessage[] = [];
  #heard: (first: PassedMessage | undefined) => void = () => {};

  /** Reads no further than the first message. */
  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
    this.first = new Promise((resolve) => {
      this.#heard = resolve;
    });
    webSocket.on("message", this.#hold);
    webSocket.once("close", this.#gone);
  }

  /** Gives the messages to who serves the client, and holds none from now on. */
  take(): readonly PassedMessage[] {
    this.#webSocket.off("message", this.#hold);
    this.#webSocket.off("close", this.#gone);
    return this.#all.splice(0);
  }

  readonly #gone = (): void => this.#heard(undefined);

  readonly #hold = (data: RawData, isBinary: boolean): void => {
    this.#all.push({ data, isBinary });
    this.#webSocket.pause();
    this.#heard(this.#all[0]);
  };
}
