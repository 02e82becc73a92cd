import { CheckFailure, type Exchange } from "../../contract/check.js";
import { type Outlet, outlet } from "../../faults/outlet.js";
import type { Player } from "../../faults/player.js";
import { opcodes } from "../../programs/web-socket-frames.js";
import { CarriedWire, type CheckedWire } from "../wire.js";
import { type Closing, openWebSocket, type RawWebSocket, type RefusedUpgrade } from "./web-socket.js";

/** A client of a gateway: one connection of it. */
export interface GatewayClient
  extends CheckedWire,
    Pick<RawWebSocket, "stall" | "resume" | "drop" | "protocol"> {
  /** Sends one frame, by default the last of its message. */
  frame(opcode: number, payload: Uint8Array, isLast?: boolean): void;
  /** Decides whether this connection is lost and opened again, where such faults are ordered. */
  loses(): boolean;
  /** Sends a ping, and resolves with the contents of the next pong. */
  ping(payload: Uint8Array): Promise<Uint8Array>;
  /** Resolves once the connection is closed, whoever closes it. */
  ended(): Promise<Closing>;
}

interface GatewayLineOptions {
  /** The name of the client in the transcript. */
  readonly name: string;
  /** Absent where no faults are ordered. */
  readonly player: Player | undefined;
  record(exchange: Exchange): void;
  /** Called with the name of the awaited thing, and with undefined when it came. */
  awaiting(name: string | undefined): void;
}

/** The connection of a client of a gateway. */
export class GatewayLine {
  readonly #options: GatewayLineOptions;
  readonly #out: Outlet;
  readonly #wire: CarriedWire;
  #socket: RawWebSocket | undefined;
  #ponged: (payload: Uint8Array) => void = () => {};

  constructor(options: GatewayLineOptions) {
    const { player, awaiting } = options;
    this.#options = options;
    this.#out = outlet({
      player,
      write: (parts) => this.#socket?.write(parts),
      note: (text) => this.#record({ kind: "note", text }),
    });
    this.#wire = new CarriedWire({
      hasOthers: true,
      transmit: (text, mayRepeat) => this.#out.send([{ bytes: Buffer.from(text), mayRepeat }]),
      repeatsAnswers: () => player?.happens("repeat") ?? false,
      record: (exchange) => this.#record(exchange),
      awaiting,
    });
  }

  /** The server's first output that no client could read. */
  get violation(): CheckFailure | undefined {
    return this.#wire.violation;
  }

  /** Cuts the connection at once, whatever waits to be sent. */
  cut(): void {
    this.#socket?.drop();
  }

  async open(
    address: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<GatewayClient | RefusedUpgrade> {
    const { name, record } = this.#options;
    record({ kind: "note", text: `${name} connects to ${address.replace(/#.*/, "")}` });
    const opening = openWebSocket(address, headers, {
      text: (bytes) => this.#wire.take(bytes),
      pong: (payload) => this.#ponged(payload),
      broken: (expected) => this.#wire.violated(new CheckFailure(expected, "something else")),
      closed: (closing) => this.#closed(closing),
    });
    const opened = await this.#until("an answer to the request for a WebSocket", opening);
    if ("status" in opened) return opened;
    this.#socket = opened;
    return this.#client(opened);
  }

  #client(socket: RawWebSocket): GatewayClient {
    const { name, player } = this.#options;
    const wire = this.#wire;
    return {
      ...wire,
      get violation() {
        return wire.violation;
      },
      frame: (...words) => this.#out.after(() => socket.send(...words)),
      stall: socket.stall,
      resume: socket.resume,
      drop: () => this.#out.after(socket.drop),
      loses: () => player?.happens("drop") ?? false,
      protocol: socket.protocol,
      ping: (payload) => this.#ping(socket, payload),
      ended: () => this.#until(`the end of the connection of ${name}`, socket.closed),
    };
  }

  #ping(socket: RawWebSocket, payload: Uint8Array): Promise<Uint8Array> {
    const pong = new Promise<Uint8Array>((resolve) => {
      this.#ponged = resolve;
    });
    this.#out.after(() => socket.send(opcodes.ping, payload));
    return this.#until("a pong", pong);
  }

  #closed({ code, reason }: Closing): void {
    const { name, record } = this.#options;
    record({ kind: "note", text: `${name} is closed with ${code} ${reason}` });
    this.#wire.finish((wanted) => new CheckFailure(wanted, `the end of the connection with code ${code}`));
  }

  async #until<T>(name: string, coming: Promise<T>): Promise<T> {
    this.#options.awaiting(name);
    const came = await coming;
    this.#options.awaiting(undefined);
    return came;
  }

  #record({ kind, text }: Exchange): void {
    this.#options.record({ kind, text: `${this.#options.name}: ${text}` });
  }
}
