import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalKind } from "@askwire/protocol";
import { type CheckContext, CheckFailure } from "../check.js";
import { type Agent, acceptAgent } from "./agent.js";
import { writeAgent } from "./agent-program.js";
import { type ClientProcess, startClient } from "./client-process.js";
import { createTranscript, type Transcript } from "./transcript.js";
import { createWaits, type Waits } from "./waits.js";

/** What the client is told to answer, as the JSON of `ASKWIRE_CONFORMANCE_ANSWER`. */
export interface Answer {
  /** The labels to choose, for each question of a request in turn; none leaves that question unanswered. */
  readonly choose: readonly (readonly string[])[];
  /** The person's own words: with the first question of a request, and with an approval that is rejected. */
  readonly own_text?: string;
  /** Whether to close every question without an answer. */
  readonly dismiss?: boolean;
  /** How to answer every approval. */
  readonly approve?: ApprovalKind;
}

/** What a client is started with. */
export interface Orders {
  /** Default: a short one. */
  readonly prompt?: string;
  /** Default: chooses `Yes` and approves. */
  readonly answer?: Answer;
  /** Besides the environment of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the agent that the check plays. */
  readonly executable?: string;
}

/** A client that was started. */
export interface Client {
  /** Waits until it has launched its agent. */
  launched(): Promise<Agent>;
  /** Waits until its command has ended. */
  ended(): Promise<void>;
  readonly waits: Waits;
}

/** What a check of a client works with. */
export interface ClientContext extends CheckContext {
  /** Starts the command with its orders. A check may start several. */
  start(orders?: Orders): Promise<Client>;
}

const defaults = { prompt: "Set up the project", answer: { choose: [["Yes"]], approve: "approve" } } as const;

/** @param command the program under test: the file to run and its arguments. */
export async function openClient(command: readonly string[]): Promise<ClientContext> {
  if (process.platform === "win32") {
    throw new Error(
      "clients are checked with an executable script, which Windows lacks: use Linux, macOS or WSL",
    );
  }
  const transcript = createTranscript();
  const waits = createWaits();
  const folder = await mkdtemp(join(tmpdir(), "askwire-"));
  const closers: (() => Promise<unknown>)[] = [];
  let count = 0;
  let closed = false;
  /** Ends with the last start: nothing may appear in the folder while it is removed. */
  let starts: Promise<unknown> = Promise.resolve();

  async function startOne(orders: Orders): Promise<Client> {
    const { prompt = defaults.prompt, answer = defaults.answer, env = {}, executable } = orders;
    count += 1;
    const path = join(folder, `agent-${count}`);
    const door = await openDoor(`${path}.socket`, transcript, waits);
    closers.push(door.close);
    const variables = {
      ASKWIRE_CONFORMANCE_AGENT: executable ?? (await writeAgent(path, `${path}.socket`)),
      ASKWIRE_CONFORMANCE_PROMPT: prompt,
      ASKWIRE_CONFORMANCE_ANSWER: JSON.stringify(answer),
    };
    const running = startClient(command, { ...process.env, ...env, ...variables }, transcript);
    closers.push(running.kill);
    return watched(running, door.agent, waits);
  }

  return {
    transcript: transcript.exchanges,
    get awaiting() {
      return waits.current;
    },
    start(orders = {}) {
      if (closed) return Promise.reject(new Error("the check is over"));
      const client = startOne(orders);
      starts = Promise.allSettled([starts, client]);
      return client;
    },
    async close() {
      closed = true;
      await starts;
      await Promise.all(closers.map((close) => close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function watched({ ended }: ClientProcess, agent: Promise<Agent>, waits: Waits): Client {
  const gone = ended.then((how): never => {
    throw new CheckFailure("the command to launch the agent", how);
  });
  gone.catch(() => {});
  return {
    waits,
    launched: () => waits.on(Promise.race([agent, gone]), "the command to launch the agent"),
    async ended() {
      await waits.on(ended, "the command to end");
    },
  };
}

interface Door {
  readonly agent: Promise<Agent>;
  close(): Promise<unknown>;
}

/** Lets the agent's process in. A client that launches a second one is left with one that ends at once. */
async function openDoor(address: string, transcript: Transcript, waits: Waits): Promise<Door> {
  const sockets: Socket[] = [];
  let letIn: (socket: Socket) => void = () => {};
  const first = new Promise<Socket>((resolve) => {
    letIn = resolve;
  });
  const server: Server = createServer((socket) => {
    if (sockets.length > 0) {
      transcript.add("note", "a second agent was launched, and ended");
      socket.destroy();
      return;
    }
    sockets.push(socket);
    letIn(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
  return {
    agent: first.then((socket) => acceptAgent(socket, transcript, waits)),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
