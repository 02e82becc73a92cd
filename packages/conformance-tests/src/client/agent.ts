import type { Socket } from "node:net";
import { byteLines } from "../byte-lines.js";
import { inShort } from "../expectations.js";
import { outlet } from "../faults/outlet.js";
import { onStream } from "../faults/stream.js";
import { frameReader, frames } from "./agent-frames.js";
import { framesDown, framesUp } from "./agent-program.js";
import { inbox, type Line, type Surroundings } from "./line.js";
import { outgoing } from "./outgoing.js";

/** The circumstances of the agent's start. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The agent that a client has launched, played by a check. */
export interface Agent extends Line, Launch {
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
export function acceptAgent(socket: Socket, surroundings: Surroundings): Promise<Agent> {
  const { transcript, onSent, rules } = surroundings;
  const player = surroundings.player?.();
  const lines: Uint8Array[] = [];
  const askedToEnd: string[] = [];
  let ignoresEnd = false;
  let received = 0;
  let pid: number | undefined;

  const tell = (kind: number, content: Uint8Array) => {
    for (const frame of frames(kind, content)) socket.write(frame);
  };
  const out = outlet({
    player,
    write: (parts) => tell(framesDown.data, onStream(parts)),
    note: (what) => transcript.add("note", what),
  });
  const exit = (status: number) => out.after(() => tell(framesDown.exit, Uint8Array.of(status)));
  const write = (parts: readonly (object | string | Uint8Array)[]) => {
    const bytes = Buffer.concat(parts.map(asBytes));
    transcript.add("sent", bytes.toString().trimEnd());
    if (parts.every(isMessage)) out.send(parts.map(outgoing));
    // Whoever writes bytes looks at them.
    else out.after(() => tell(framesDown.data, bytes));
    sent.push(bytes);
  };
  const sent = byteLines((line) => {
    const text = Buffer.from(line).toString();
    rules.told(text);
    onSent(text);
  });

  const { hear, finish, take, messages } = inbox(surroundings, (reply) => write([reply]));
  const read = (line: Uint8Array) => {
    lines.push(line);
    hear(line);
  };
  const cut = byteLines(read);
  const endOfInput = () => {
    const rest = cut.end();
    if (rest.length > 0) read(rest);
    askToEnd("the end of its input");
  };
  const askToEnd = (how: string) => {
    askedToEnd.push(how);
    transcript.add("note", `the agent saw ${how}`);
    if (!ignoresEnd) exit(0);
    if (how === "the end of its input") finish(how);
  };
  const data = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > MAX_RECEIVED) socket.destroy();
    // A copy: the frame's buffer is cut on.
    else cut.push(Uint8Array.from(chunk));
  };

  const gone = new Promise<void>((resolve) => {
    socket.once("close", () => {
      transcript.add("note", "the agent has ended");
      finish("the end of the agent");
      resolve();
    });
  });
  // An error tells nothing more than the close that follows.
  socket.on("error", () => {});

  return new Promise((resolve) => {
    const readFrames = frameReader((kind, content) => {
      if (kind === framesUp.data) data(content);
      else if (kind === framesUp.end) endOfInput();
      else if (kind === framesUp.signal) askToEnd(content.toString());
      else {
        const { pid: own, ...launch } = JSON.parse(content.toString()) as Launch & { pid: number };
        pid = own;
        transcript.add("note", `the agent was launched with ${inShort(launch.argv)} in ${launch.cwd}`);
        resolve(agent(launch));
      }
    });
    socket.on("data", readFrames);
  });

  function agent(launch: Launch): Agent {
    return {
      ...launch,
      lines,
      messages,
      askedToEnd,
      gone,
      send: (...parts) => write(parts),
      take,
      ignoreEnd() {
        ignoresEnd = true;
      },
      closeInput: () => out.after(() => tell(framesDown.closeInput, new Uint8Array())),
      exit,
      die() {
        // The socket is open as long as the process lives, so the number is still its own.
        out.after(() => {
          if (pid !== undefined && !socket.closed) process.kill(pid, "SIGKILL");
        });
      },
    };
  }
}

const isMessage = (part: object | string | Uint8Array): part is object =>
  typeof part === "object" && !(part instanceof Uint8Array);

function asBytes(part: object | string | Uint8Array): Uint8Array {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return Buffer.from(part);
  return onStream([{ bytes: outgoing(part).bytes, isLast: true }]);
}
