import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ApprovalKind } from "@askwire/protocol";
import { type CheckContext, CheckFailure, CheckSkipped, type Circumstances } from "../check.js";
import { type Agent, acceptAgent } from "./agent.js";
import { type Executable, writeAgent } from "./agent-program.js";
import { type ClientProcess, startClient } from "./client-process.js";
import type { Surroundings } from "./line.js";
import { lineRules } from "./line-rules.js";
import type { Act, Shown } from "./person/acts.js";
import { actChannel } from "./person/channels.js";
import { createPerson } from "./person/person.js";
import { askedIn, reactionTo } from "./person/reactions.js";
import { createTranscript } from "./transcript.js";
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

/** The answer of a person who does nothing but the acts of the check. */
export const silent = "silent";

/** The orders at a client's start. */
export interface Orders {
  /** Default: a short one. With `silent` the prompt is an act of the check. */
  readonly prompt?: string | typeof silent;
  /** Default: chooses `Yes` and approves. With `silent` the check needs a client whose acts it can order. */
  readonly answer?: Answer | typeof silent;
  /** Besides the environment of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** The name of a tool to offer. Default: none. */
  readonly tool?: string;
  /** Default: the agent that the check plays. */
  readonly executable?: Executable;
  /** The methods whose requests the check answers, where the suite does that otherwise. Default: none. */
  readonly takes?: readonly string[];
}

/** A command that was started. */
export interface Started {
  /** Waits until it has ended. */
  ended(): Promise<void>;
  readonly waits: Waits;
  /** Has the person at the client act. Nobody does where the client acts by itself. */
  act(act: Act, shown?: Shown): void;
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
  /**
   * Wants each message of the client so far to be one that a client may write.
   *
   * @throws CheckFailure with the first that is not.
   */
  wantWholeMessages(): void;
}

/** The word in an argument of the command that stands for the address of a WebSocket. */
const URL_WORD = "{url}";

const defaults = { prompt: "Set up the project", answer: { choose: [["Yes"]], approve: "approve" } } as const;

/** @param command the program under test: the file to run and its arguments. */
export async function openClient(
  command: readonly string[],
  circumstances: Circumstances,
): Promise<ClientContext> {
  const { acts } = circumstances;
  const transcript = createTranscript();
  let refuse: (reason: unknown) => void = () => {};
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  refused.catch(() => {});
  const waits = createWaits(refused);
  const folder = await mkdtemp(join(tmpdir(), "askwire-"));
  const closers: (() => Promise<unknown>)[] = [];
  let count = 0;
  let closed = false;
  let fault: CheckFailure | undefined;
  /** Ends with the last start: nothing may appear in the folder while it is removed. */
  let starts: Promise<unknown> = Promise.resolve();

  /** @param url what stands for the address; the empty text where an agent is launched. */
  function run(orders: Orders, url: string, variables: Readonly<Record<string, string>>): Running {
    const { prompt = defaults.prompt, answer = defaults.answer, env = {}, tool } = orders;
    const environment = {
      ...process.env,
      ...circumstances.env,
      ...env,
      ...variables,
      ASKWIRE_CONFORMANCE_PROMPT: prompt === silent ? defaults.prompt : prompt,
      ASKWIRE_CONFORMANCE_ANSWER: JSON.stringify(answer === silent ? defaults.answer : answer),
      ...(tool === undefined ? {} : { ASKWIRE_CONFORMANCE_TOOL: tool }),
      ...(acts === undefined ? {} : { ASKWIRE_CONFORMANCE_ACTS: acts.to }),
    };
    const words = command.map((word) => word.replaceAll(URL_WORD, url));
    const running = startClient(words, environment, transcript, { hasInput: acts?.to === "stdin" });
    closers.push(running.kill);
    if (acts === undefined) return { ...running, act: () => {} };
    const person = createPerson(actChannel(acts, running, environment), (text) =>
      transcript.add("note", text),
    );
    person.refused.catch(refuse);
    if (prompt !== silent) person.act({ do: "prompt", text: prompt });
    return { ...running, act: person.act };
  }

  /** Has the person react to each question and approval, once. */
  function reactions({ answer = defaults.answer }: Orders, person: () => Running | undefined) {
    const seen = new Set<string>();
    return (text: string) => {
      const asked = acts === undefined || answer === silent ? undefined : askedIn(text);
      if (asked === undefined || answer === silent || seen.has(asked.id)) return;
      seen.add(asked.id);
      const react = () => person()?.act(reactionTo(asked, answer), asked.shown);
      const timer = setTimeout(react, answer.after_ms ?? 0);
      closers.push(async () => clearTimeout(timer));
    };
  }

  const surroundings = (orders: Orders, person: () => Running | undefined): Surroundings => ({
    transcript,
    waits,
    player: circumstances.player,
    takes: orders.takes ?? [],
    onSent: reactions(orders, person),
    rules: lineRules(),
    onFault(found) {
      fault ??= found;
    },
  });

  async function startOne(orders: Orders): Promise<Client> {
    count += 1;
    const path = join(folder, `agent-${count}`);
    const address = socketPath(path);
    let running: Running | undefined;
    const door = await openDoor(
      address,
      surroundings(orders, () => running),
    );
    closers.push(door.close);
    const { file, words } = orders.executable ?? (await writeAgent(path, address));
    running = run(orders, "", {
      ASKWIRE_CONFORMANCE_AGENT: file,
      ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS: JSON.stringify(words),
    });
    return watched(running, door.agent, waits);
  }

  async function startOneRemote(orders: Orders): Promise<RemoteClient> {
    let running: Running | undefined;
    const door = await openWebSocketDoor(surroundings(orders, () => running));
    closers.push(door.close);
    running = run(orders, door.address, {});
    return watchedRemote(running, door, waits);
  }

  /** Refuses a check whose acts nobody would do. */
  function needActs({ answer }: Orders) {
    if (answer === silent && acts === undefined)
      throw new CheckSkipped("it takes no acts of a person; --acts says where they go", { isChoice: true });
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
      needActs(orders);
      return begun(startOne(orders));
    },
    async startRemote(orders = {}) {
      if (closed) throw over();
      needActs(orders);
      if (!command.some((word) => word.includes(URL_WORD)))
        throw new CheckSkipped(`no argument of the command is ${URL_WORD}, so it takes no address`);
      return begun(startOneRemote(orders));
    },
    wantWholeMessages() {
      if (fault !== undefined) throw fault;
    },
    async close() {
      closed = true;
      await starts;
      await Promise.all(closers.map((close) => close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A started command, and the person at it. */
type Running = ClientProcess & Pick<Started, "act">;

/** A path where processes of this machine meet. On Windows only a named pipe is one. */
function socketPath(path: string): string {
  return process.platform === "win32"
    ? `\\\\.\\pipe\\${basename(dirname(path))}-${basename(path)}`
    : `${path}.socket`;
}

const over = () => new Error("the check is over");

function watched(running: Running, agent: Promise<Agent>, waits: Waits): Client {
  const { whileRunning, ...started } = watchedEnd(running, waits);
  return { ...started, launched: () => whileRunning(agent, "the command to launch the agent") };
}

function watchedRemote(running: Running, door: WebSocketDoor, waits: Waits): RemoteClient {
  const { whileRunning, ...started } = watchedEnd(running, waits);
  return { ...started, door, knocked: () => whileRunning(door.next(), "the command to open a WebSocket") };
}

function watchedEnd({ ended, act }: Running, waits: Waits) {
  return {
    waits,
    act,
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
async function openDoor(address: string, surroundings: Surroundings): Promise<Door> {
  const sockets: Socket[] = [];
  let letIn: (socket: Socket) => void = () => {};
  const first = new Promise<Socket>((resolve) => {
    letIn = resolve;
  });
  const server: Server = createServer((socket) => {
    if (sockets.length > 0) {
      surroundings.transcript.add("note", "a second agent was launched, and ended");
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
    agent: first.then((socket) => acceptAgent(socket, surroundings)),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
