import type { Socket } from "node:net";
import { inShort } from "../contract/expectations.js";
import { type Outlet, outlet } from "../faults/outlet.js";
import { onStream } from "../faults/stream.js";
import { byteLines } from "../programs/byte-lines.js";
import { clientFrameReader, frames } from "./agent-frames.js";
import { framesDown, framesUp } from "./agent-program.js";
import { type ClientLine, type ClientMessage, type Inbox, inbox, type LineSurroundings } from "./line.js";
import { outgoing } from "./outgoing.js";

/** The circumstances of the agent's start. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The agent that a client has launched, played by a check. */
export interface CheckingAgent extends ClientLine, Launch {
  /** Writes in one go: an object as a line, a text or bytes as they are. */
  send(...parts: readonly (object | string | Uint8Array)[]): void;
  /** Every line of the client so far, as bytes. */
  readonly lines: readonly Uint8Array[];
  /** From now on neither the end of its input nor a signal ends it, but only a kill. */
  ignoreEnd(): void;
  /** Closes its standard input, and runs on. */
  closeInput(): void;
  exit(status: number): void;
  /** Dies by SIGKILL. */
  die(): void;
  /** The client's requests to end so far: `the end of its input`, or a signal's name. */
  readonly askedToEnd: readonly string[];
  /** Resolves when its process is gone. */
  readonly gone: Promise<void>;
}

/** The limit of a client's output in a check, in bytes. */
const MAX_RECEIVED = 64 * 1_048_576;

/** Resolves with the agent when its process has told its start. Never resolves for a process that ends before. */
export function acceptAgent(socket: Socket, surroundings: LineSurroundings): Promise<CheckingAgent> {
  return new Promise((resolve) => new PlayedAgent(socket, surroundings, resolve));
}

/** The agent at the socket of its process. */
class PlayedAgent implements Omit<CheckingAgent, keyof Launch> {
  readonly #socket: Socket;
  readonly #surroundings: LineSurroundings;
  readonly #launched: (agent: CheckingAgent) => void;
  readonly #out: Outlet;
  readonly #inbox: Inbox;
  readonly #input = byteLines((line) => this.#read(line));
  readonly #sent = byteLines((line) => this.#told(Buffer.from(line).toString()));
  #ignoresEnd = false;
  /** The bytes of the client so far. */
  #received = 0;
  #pid: number | undefined;
  readonly lines: Uint8Array[] = [];
  readonly askedToEnd: string[] = [];
  readonly gone: Promise<void>;

  constructor(socket: Socket, surroundings: LineSurroundings, launched: (agent: CheckingAgent) => void) {
    this.#socket = socket;
    this.#surroundings = surroundings;
    this.#launched = launched;
    this.#out = outlet({
      player: surroundings.player?.(),
      write: (parts) => this.#tell(framesDown.data, onStream(parts)),
      note: (what) => this.#note(what),
    });
    this.#inbox = inbox(surroundings, (reply) => this.send(reply));
    this.gone = this.#untilGone();
    // An error tells nothing more than the close that follows.
    socket.on("error", () => {});
    socket.on(
      "data",
      clientFrameReader((kind, content) => this.#hear(kind, content)),
    );
  }

  get messages() {
    return this.#inbox.messages;
  }

  take(expected: string, fits: (message: ClientMessage) => boolean): Promise<ClientMessage> {
    return this.#inbox.take(expected, fits);
  }

  send(...parts: readonly (object | string | Uint8Array)[]): void {
    const bytes = Buffer.concat(parts.map(asBytes));
    this.#surroundings.transcript.add("sent", bytes.toString().trimEnd());
    if (parts.every(isMessage)) this.#out.send(parts.map(outgoing));
    // Whoever writes bytes looks at them.
    else this.#out.after(() => this.#tell(framesDown.data, bytes));
    this.#sent.push(bytes);
  }

  ignoreEnd(): void {
    this.#ignoresEnd = true;
  }

  closeInput(): void {
    this.#out.after(() => this.#tell(framesDown.closeInput, new Uint8Array()));
  }

  exit(status: number): void {
    this.#out.after(() => this.#tell(framesDown.exit, Uint8Array.of(status)));
  }

  die(): void {
    // The socket is open as long as the process lives, so the number is still its own.
    this.#out.after(() => {
      if (this.#pid !== undefined && !this.#socket.closed) process.kill(this.#pid, "SIGKILL");
    });
  }

  #hear(kind: number, content: Buffer): void {
    if (kind === framesUp.data) this.#receive(content);
    else if (kind === framesUp.end) this.#endInput();
    else if (kind === framesUp.signal) this.#askToEnd(content.toString());
    else this.#launch(JSON.parse(content.toString()) as Launch & { pid: number });
  }

  #launch({ pid, ...launch }: Launch & { pid: number }): void {
    this.#pid = pid;
    this.#note(`the agent was launched with ${inShort(launch.argv)} in ${launch.cwd}`);
    this.#launched(Object.assign(this, launch));
  }

  #receive(chunk: Uint8Array): void {
    this.#received += chunk.length;
    if (this.#received > MAX_RECEIVED) this.#socket.destroy();
    // A copy: the frame's buffer is cut on.
    else this.#input.push(Uint8Array.from(chunk));
  }

  #read(line: Uint8Array): void {
    this.lines.push(line);
    this.#inbox.hear(line);
  }

  #endInput(): void {
    const rest = this.#input.end();
    if (rest.length > 0) this.#read(rest);
    const how = "the end of its input";
    this.#askToEnd(how);
    this.#inbox.finish(how);
  }

  #askToEnd(how: string): void {
    this.askedToEnd.push(how);
    this.#note(`the agent saw ${how}`);
    if (!this.#ignoresEnd) this.exit(0);
  }

  #told(text: string): void {
    this.#surroundings.rules.told(text);
    this.#surroundings.onSent(text);
  }

  #tell(kind: number, content: Uint8Array): void {
    for (const frame of frames(kind, content)) this.#socket.write(frame);
  }

  #untilGone(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once("close", () => {
        this.#note("the agent has ended");
        this.#inbox.finish("the end of the agent");
        resolve();
      });
    });
  }

  #note(text: string): void {
    this.#surroundings.transcript.add("note", text);
  }
}

const isMessage = (part: object | string | Uint8Array): part is object =>
  typeof part === "object" && !(part instanceof Uint8Array);

function asBytes(part: object | string | Uint8Array): Uint8Array {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return Buffer.from(part);
  return onStream([{ bytes: outgoing(part).bytes, isLast: true }]);
}
