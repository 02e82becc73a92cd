import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalKind } from "@askwire/protocol";
import { type CheckContext, CheckFailure, CheckSkipped, type Circumstances } from "../check.js";
import type { Player } from "../faults/player.js";
import { type Agent, acceptAgent } from "./agent.js";
import { writeAgent } from "./agent-program.js";
import { type ClientProcess, startClient } from "./client-process.js";
import { createTranscript, type Transcript } from "./transcript.js";
import { createWaits, type Waits } from "./waits.js";
import { type Knock, openWebSocketDoor, type WebSocketDoor } from "./web-socket-door.js";

/** The answers that the client is told to give, as the JSON of `ASKWIRE_CONFORMANCE_ANSWER`. */
export interface Answer {
  /** The labels to choose, for each question of a request in turn. A question without labels stays unanswered. */
  readonly choose: readonly (readonly string[])[];
  /** The person's own words: with the first question of a request, and with an approval that is rejected. */
  readonly own_text?: string;
  /** True to close every question without an answer. */
  readonly dismiss?: boolean;
  /** The answer to every approval. */
  readonly approve?: ApprovalKind;
  /** The person's time for each request, and the tool's for each call, in milliseconds. Default: 0. */
  readonly after_ms?: number;
}

/** The orders at a client's start. */
export interface Orders {
  /** Default: a short one. */
  readonly prompt?: string;
  /** Default: chooses `Yes` and approves. */
  readonly answer?: Answer;
  /** Besides the environment of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** The name of a tool to offer. Default: none. */
  readonly tool?: string;
  /** Default: the agent that the check plays. */
  readonly executable?: string;
}

/** A command that was started. */
export interface Started {
  /** Waits until it has ended. */
  ended(): Promise<void>;
  readonly waits: Waits;
}

/** A client that was started to launch an agent. */
export interface Client extends Started {
  /** Waits until it has launched its agent. */
  launched(): Promise<Agent>;
}

/** A client that was started with the address of a WebSocket. */
export interface RemoteClient extends Started {
  readonly door: WebSocketDoor;
  /** Waits until it asks for a WebSocket, for the first time or once more. */
  knocked(): Promise<Knock>;
}

/** The tools of a check of a client. */
export interface ClientContext extends CheckContext {
  /** Starts the command with its orders. A check may start several. */
  start(orders?: Orders): Promise<Client>;
  /**
   * Starts the command with an address of a WebSocket, in the place of {@link URL_WORD} in its arguments.
   *
   * @throws CheckSkipped where they have none.
   */
  startRemote(orders?: Orders): Promise<RemoteClient>;
}

/** The word in an argument of the command that stands for the address of a WebSocket. */
const URL_WORD = "{url}";

const defaults = { prompt: "Set up the project", answer: { choose: [["Yes"]], approve: "approve" } } as const;

/** @param command the program under test: the file to run and its arguments. */
export async function openClient(
  command: readonly string[],
  circumstances: Circumstances,
): Promise<ClientContext> {
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

  /** @param url what stands for the address; the empty text where an agent is launched. */
  function run(orders: Orders, url: string, variables: Readonly<Record<string, string>>): ClientProcess {
    const { prompt = defaults.prompt, answer = defaults.answer, env = {}, tool } = orders;
    const environment = {
      ...process.env,
      ...circumstances.env,
      ...env,
      ...variables,
      ASKWIRE_CONFORMANCE_PROMPT: prompt,
      ASKWIRE_CONFORMANCE_ANSWER: JSON.stringify(answer),
      ...(tool === undefined ? {} : { ASKWIRE_CONFORMANCE_TOOL: tool }),
    };
    const words = command.map((word) => word.replaceAll(URL_WORD, url));
    const running = startClient(words, environment, transcript);
    closers.push(running.kill);
    return running;
  }

  async function startOne(orders: Orders): Promise<Client> {
    count += 1;
    const path = join(folder, `agent-${count}`);
    const door = await openDoor(`${path}.socket`, transcript, waits, circumstances.player);
    closers.push(door.close);
    const agent = orders.executable ?? (await writeAgent(path, `${path}.socket`));
    const running = run(orders, "", { ASKWIRE_CONFORMANCE_AGENT: agent });
    return watched(running, door.agent, waits);
  }

  async function startOneRemote(orders: Orders): Promise<RemoteClient> {
    const door = await openWebSocketDoor(transcript, waits, circumstances.player);
    closers.push(door.close);
    return watchedRemote(run(orders, door.address, {}), door, waits);
  }

  function begun<T>(start: Promise<T>): Promise<T> {
    starts = Promise.allSettled([starts, start]);
    return start;
  }

  return {
    pace: circumstances.pace,
    transcript: transcript.exchanges,
    get awaiting() {
      return waits.current;
    },
    async start(orders = {}) {
      if (closed) throw over();
      return begun(startOne(orders));
    },
    async startRemote(orders = {}) {
      if (closed) throw over();
      if (!command.some((word) => word.includes(URL_WORD)))
        throw new CheckSkipped(`no argument of the command is ${URL_WORD}, so it takes no address`);
      return begun(startOneRemote(orders));
    },
    async close() {
      closed = true;
      await starts;
      await Promise.all(closers.map((close) => close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const over = () => new Error("the check is over");

function watched(running: ClientProcess, agent: Promise<Agent>, waits: Waits): Client {
  const { whileRunning, ...started } = watchedEnd(running, waits);
  return { ...started, launched: () => whileRunning(agent, "the command to launch the agent") };
}

function watchedRemote(running: ClientProcess, door: WebSocketDoor, waits: Waits): RemoteClient {
  const { whileRunning, ...started } = watchedEnd(running, waits);
  return { ...started, door, knocked: () => whileRunning(door.next(), "the command to open a WebSocket") };
}

function watchedEnd({ ended }: ClientProcess, waits: Waits) {
  return {
    waits,
    async ended() {
      await waits.on(ended, "the command to end");
    },
    /** Waits for something that a command does not do any more once it has ended. */
    whileRunning<T>(promise: Promise<T>, expected: string): Promise<T> {
      const gone = ended.then((how): never => {
        throw new CheckFailure(expected, how);
      });
      gone.catch(() => {});
      return waits.on(Promise.race([promise, gone]), expected);
    },
  };
}

interface Door {
  readonly agent: Promise<Agent>;
  close(): Promise<unknown>;
}

/** Lets the agent's process in. A client that launches a second one is left with one that ends at once. */
async function openDoor(
  address: string,
  transcript: Transcript,
  waits: Waits,
  player: (() => Player) | undefined,
): Promise<Door> {
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
    agent: first.then((socket) => acceptAgent(socket, transcript, waits, player?.())),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
