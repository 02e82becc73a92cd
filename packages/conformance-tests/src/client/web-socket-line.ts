import type { Duplex } from "node:stream";
import { type Outlet, outlet } from "../faults/outlet.js";
import type { Player } from "../faults/player.js";
import { frame, frameReader, opcodes, textFrames } from "../programs/web-socket-frames.js";
import { type ClientLine, type ClientMessage, type Inbox, inbox, type LineSurroundings } from "./line.js";
import { outgoing } from "./outgoing.js";

/** The limit of a client's output on one connection, in bytes. */
const MAX_RECEIVED = 64 * 1_048_576;
const ABNORMAL = 1006;

/** A WebSocket of a client, of which a check plays the server. */
export class WebSocketLine implements ClientLine {
  readonly #stream: Duplex;
  readonly #surroundings: LineSurroundings & { readonly name: string };
  readonly #player: Player | undefined;
  readonly #out: Outlet;
  readonly #inbox: Inbox;
  /** The bytes of the client so far. */
  #received = 0;
  /** The client's close code. */
  #code: number | undefined;
  #saidClose = false;
  /** The frames of an unfinished message of the check. */
  #parts: Uint8Array[] = [];
  /** The contents of each pong so far. */
  readonly pongs: string[] = [];
  /** Resolves at the end with the client's close code: 1005 for a close without a code, 1006 without a close. */
  readonly closed: Promise<number>;

  /**
   * @param stream was upgraded to a WebSocket.
   * @param head the bytes that came with the upgrade.
   */
  constructor(stream: Duplex, head: Buffer, surroundings: LineSurroundings & { readonly name: string }) {
    this.#stream = stream;
    this.#surroundings = surroundings;
    this.#player = surroundings.player?.();
    this.#out = outlet({
      player: this.#player,
      write: textFrames(frame, (bytes) => this.#write(bytes)),
      note: (what) => this.#note(what),
    });
    this.#inbox = inbox(surroundings, (reply) => this.send(reply));
    this.closed = this.#untilClosed();
    this.#read(head);
  }

  get messages() {
    return this.#inbox.messages;
  }

  take(expected: string, fits: (message: ClientMessage) => boolean): Promise<ClientMessage> {
    return this.#inbox.take(expected, fits);
  }

  send(...messages: readonly object[]): void {
    for (const message of messages) {
      const text = JSON.stringify({ jsonrpc: "2.0", ...message });
      this.#surroundings.transcript.add("sent", text);
      this.#out.send([outgoing(message)]);
      this.#told(text);
    }
  }

  /** Writes a frame unchanged, which may be part of a message. */
  frame(opcode: number, payload: Uint8Array, isLast = true): void {
    this.#out.after(() => this.#write(frame(opcode, payload, isLast)));
    if (opcode !== opcodes.text && opcode !== opcodes.more) return;
    this.#parts.push(payload);
    if (!isLast) return;
    this.#told(Buffer.concat(this.#parts).toString());
    this.#parts = [];
  }

  /** Decides whether it is cut and opened again, where such faults are ordered. */
  loses(): boolean {
    return this.#player?.happens("drop") ?? false;
  }

  /** Closes it by a code. */
  close(code: number): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#note(`${this.#surroundings.name} is closed with ${code}`);
    this.#out.after(() => this.#sayClose(payload));
  }

  /** Cuts it without a word. */
  drop(): void {
    this.#note(`${this.#surroundings.name} is cut`);
    this.#out.after(() => this.#stream.destroy());
  }

  /** Reads what comes, beginning with the bytes that came with the upgrade. */
  #read(head: Buffer): void {
    const stream = this.#stream;
    const push = frameReader(
      {
        message: (opcode, payload) => this.#hear(opcode, payload),
        broken: (expected) => {
          this.#note(`${this.#surroundings.name} sent something else than ${expected}`);
          stream.destroy();
        },
      },
      "client",
    );
    const take = (chunk: Buffer) => {
      this.#received += chunk.length;
      if (this.#received > MAX_RECEIVED) stream.destroy();
      else push(chunk);
    };
    stream.on("error", () => stream.destroy());
    stream.on("data", take);
    stream.on("end", () => stream.end());
    take(head);
  }

  #hear(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) return this.#write(frame(opcodes.pong, payload));
    if (opcode === opcodes.pong) return void this.pongs.push(payload.toString());
    if (opcode !== opcodes.close) return this.#inbox.hear(payload);
    this.#code ??= payload.length < 2 ? 1005 : payload.readUInt16BE(0);
    this.#sayClose(payload.subarray(0, 2));
    this.#stream.end();
  }

  #sayClose(payload: Uint8Array): void {
    if (!this.#saidClose) this.#write(frame(opcodes.close, payload));
    this.#saidClose = true;
  }

  #untilClosed(): Promise<number> {
    return new Promise((resolve) => {
      this.#stream.once("close", () => {
        const by = this.#code ?? ABNORMAL;
        this.#note(`${this.#surroundings.name} is over, with the client's code ${by}`);
        this.#inbox.finish("the end of the connection");
        resolve(by);
      });
    });
  }

  #write(bytes: Uint8Array): void {
    if (!this.#stream.destroyed && this.#stream.writable) this.#stream.write(bytes);
  }

  #told(text: string): void {
    this.#surroundings.rules.told(text);
    this.#surroundings.onSent(text);
  }

  #note(text: string): void {
    this.#surroundings.transcript.add("note", text);
  }
}
