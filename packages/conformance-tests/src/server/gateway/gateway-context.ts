import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Check,
  type CheckContext,
  CheckFailure,
  type Circumstances,
  type Exchange,
} from "../../check.js";
import { outlet } from "../../faults/outlet.js";
import { exitInWords, type ProcessGroup, startGroup } from "../../process-group.js";
import { opcodes } from "../../web-socket-frames.js";
import { keptTranscript } from "../kept-transcript.js";
import { carriedWire, type Wire } from "../wire.js";
import { type Closing, openWebSocket, type RawWebSocket, type Refusal } from "./web-socket.js";

/** A client of a gateway: one connection of it. */
export interface GatewayClient extends Wire, Pick<RawWebSocket, "stall" | "resume" | "drop" | "protocol"> {
  /** Sends one frame, by default the last of its message. */
  frame(opcode: number, payload: Uint8Array, isLast?: boolean): void;
  /** Decides whether this connection is lost and opened again, where such faults are ordered. */
  loses(): boolean;
  /** Sends a ping, and resolves with the contents of the next pong. */
  ping(payload: Uint8Array): Promise<Uint8Array>;
  /** Resolves once the connection is closed, whoever closes it. */
  ended(): Promise<Closing>;
}

/** A server under check that listens for WebSockets. */
export interface Gateway {
  /** The address of a session, with the token in its fragment, as it was printed. */
  readonly address: string;
  /** The folder where its agent works. */
  readonly workDir: string;
  /** The address of another session, or with `undefined` that which makes one. */
  addressOf(sessionId: string | undefined): string;
  /** @throws CheckFailure if the upgrade is refused. */
  connect(address?: string): Promise<GatewayClient>;
  /** Opens a connection that may be refused. */
  knock(address: string, headers?: Readonly<Record<string, string>>): Promise<GatewayClient | Refusal>;
}

/** The tools of a check of a gateway. */
export interface GatewayContext extends CheckContext {
  /** Starts the server with a scripted model. */
  start(scripts?: readonly string[], flags?: readonly string[]): Promise<Gateway>;
  /** The server's first output that no client could read. */
  readonly violation: CheckFailure | undefined;
}

export type GatewayCheck = Check<GatewayContext>;

export async function openGatewayContext(
  command: readonly string[],
  circumstances: Circumstances,
): Promise<GatewayContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  const { transcript, record } = keptTranscript();
  const groups: ProcessGroup[] = [];
  const wires: Wire[] = [];
  const sockets: RawWebSocket[] = [];
  let awaiting: string | undefined;
  const { DEBUG: _, ...inherited } = process.env;
  const home = join(folder, "share");
  const env = { ...inherited, ...circumstances.env, KIMI_SHARE_DIR: home, ASKWIRE_HOME: home, NO_COLOR: "1" };

  async function knock(
    address: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GatewayClient | Refusal> {
    const name = `client ${wires.length + 1}`;
    record({ kind: "note", text: `${name} connects to ${address.replace(/#.*/, "")}` });
    let socket: RawWebSocket | undefined;
    const player = circumstances.player?.();
    const noted = ({ kind, text }: Exchange) => record({ kind, text: `${name}: ${text}` });
    const out = outlet({
      player,
      write: (parts) => socket?.write(parts),
      note: (text) => noted({ kind: "note", text }),
    });
    let ponged: ((payload: Uint8Array) => void) | undefined;
    const carried = carriedWire({
      hasOthers: true,
      transmit: (text, mayRepeat) => out.send([{ bytes: Buffer.from(text), mayRepeat }]),
      repeatsAnswers: () => player?.happens("repeat") ?? false,
      record: noted,
      awaiting: (wanted) => {
        awaiting = wanted;
      },
    });
    awaiting = "an answer to the request for a WebSocket";
    const opened = await openWebSocket(address, headers, {
      text: carried.take,
      pong: (payload) => ponged?.(payload),
      broken: (expected) => carried.violated(new CheckFailure(expected, "something else")),
      closed: ({ code, reason }) => {
        record({ kind: "note", text: `${name} is closed with ${code} ${reason}` });
        carried.finish((wanted) => new CheckFailure(wanted, `the end of the connection with code ${code}`));
      },
    });
    awaiting = undefined;
    if ("status" in opened) return opened;
    socket = opened;
    sockets.push(opened);
    wires.push(carried.wire);
    const { wire } = carried;
    return {
      ...wire,
      get violation() {
        return wire.violation;
      },
      frame: (...words) => out.after(() => opened.send(...words)),
      stall: opened.stall,
      resume: opened.resume,
      drop: () => out.after(opened.drop),
      loses: () => player?.happens("drop") ?? false,
      protocol: opened.protocol,
      async ping(payload) {
        awaiting = "a pong";
        const pong = new Promise<Uint8Array>((resolve) => {
          ponged = resolve;
        });
        out.after(() => opened.send(opcodes.ping, payload));
        const contents = await pong;
        awaiting = undefined;
        return contents;
      },
      async ended() {
        awaiting = `the end of the connection of ${name}`;
        const closing = await opened.closed;
        awaiting = undefined;
        return closing;
      },
    };
  }

  /** The first address that it prints. */
  async function addressFrom({ child, ended }: ProcessGroup): Promise<string> {
    awaiting = "an address ws://… on standard output";
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => record({ kind: "stderr", text }));
    const printed = new Promise<string>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [address] = /wss?:\/\/\S+(?=\s)/.exec(said) ?? [];
        if (address !== undefined) resolve(address);
      });
    });
    const over = ended.then((exit) => {
      throw new CheckFailure("an address ws://… on standard output", exitInWords(exit));
    });
    over.catch(() => {});
    const address = await Promise.race([printed, over]);
    awaiting = undefined;
    return address;
  }

  return {
    pace: circumstances.pace,
    transcript,
    get awaiting() {
      return awaiting;
    },
    get violation() {
      return wires.map(({ violation }) => violation).find((violation) => violation !== undefined);
    },
    async start(scripts = [], flags = []) {
      const place = join(folder, `server-${groups.length + 1}`);
      const workDir = join(place, "work");
      const scriptsFile = join(place, "scripts.json");
      await mkdir(workDir, { recursive: true });
      await writeFile(scriptsFile, JSON.stringify(scripts));
      const args = [...command, "--script", scriptsFile, "--work-dir", workDir, ...flags];
      record({ kind: "note", text: args.join(" ") });
      const group = startGroup(args, { cwd: process.cwd(), env });
      groups.push(group);
      const address = await addressFrom(group);
      return {
        address,
        workDir,
        addressOf: (id) => address.replace(/\/wire[^#]*/, id === undefined ? "/wire" : `/wire/${id}`),
        async connect(to = address) {
          const client = await knock(to);
          if ("status" in client) throw new CheckFailure("a WebSocket", `the HTTP status ${client.status}`);
          return client;
        },
        knock,
      };
    },
    async close() {
      for (const socket of sockets) socket.drop();
      await Promise.all(groups.map((group) => group.destroy()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
