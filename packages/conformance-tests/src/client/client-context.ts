import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckContext, CheckFailure, CheckSkipped, type Circumstances } from "../contract/check.js";
import type { CheckingAgent } from "./agent.js";
import { openAgentDoor, socketPath } from "./agent-door.js";
import { type Executable, writeAgent } from "./agent-program.js";
import { type ClientProcess, startClient } from "./client-process.js";
import type { LineSurroundings } from "./line.js";
import { lineRules } from "./line-rules.js";
import type { Act, ShownTexts } from "./person/acts.js";
import { actChannel } from "./person/channels.js";
import { type ActChannel, type CheckedPerson, createPerson } from "./person/person.js";
import { askedIn, type PersonAnswer, reactionTo } from "./person/reactions.js";
import { createTranscript } from "./transcript.js";
import { createWaits, type Waits } from "./waits.js";
import { type Knock, openWebSocketDoor, type WebSocketDoor } from "./web-socket-door.js";

/** The answer of a person who does nothing but the acts of the check. */
export const silent = "silent";

/** The orders at a client's start. */
export interface Orders {
  /** Default: a short one. With `silent` the prompt is an act of the check. */
  readonly prompt?: string | typeof silent;
  /** Default: chooses `Yes` and approves. With `silent` the check needs a client whose acts it can order. */
  readonly answer?: PersonAnswer | typeof silent;
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
  act(act: Act, shown?: ShownTexts): void;
}

/** A client that was started to launch an agent. */
export interface Client extends Started {
  /** Waits until it has launched its agent. */
  launched(): Promise<CheckingAgent>;
}

/** A client that was started with the address of a WebSocket. */
export interface StartedClient extends Started {
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
  startRemote(orders?: Orders): Promise<StartedClient>;
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
  return new ClientFolder(await mkdtemp(join(tmpdir(), "askwire-")), command, circumstances);
}

/** A folder in which a check starts clients. */
class ClientFolder implements ClientContext {
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #circumstances: Circumstances;
  readonly #transcript = createTranscript();
  readonly #waits: Waits;
  readonly #closers: (() => Promise<unknown>)[] = [];
  /** Ends all waits, where nobody acts at the client. */
  #refuse: (reason: unknown) => void = () => {};
  #count = 0;
  #isClosed = false;
  #fault: CheckFailure | undefined;
  /** Ends with the last start: nothing may appear in the folder while it is removed. */
  #starts: Promise<unknown> = Promise.resolve();

  constructor(folder: string, command: readonly string[], circumstances: Circumstances) {
    this.#folder = folder;
    this.#command = command;
    this.#circumstances = circumstances;
    const refused = new Promise<never>((_resolve, reject) => {
      this.#refuse = reject;
    });
    refused.catch(() => {});
    this.#waits = createWaits(refused);
  }

  get pace() {
    return this.#circumstances.pace;
  }

  get transcript() {
    return this.#transcript.exchanges;
  }

  get awaiting() {
    return this.#waits.current;
  }

  async start(orders: Orders = {}): Promise<Client> {
    this.#mayStart(orders);
    return this.#begun(this.#launch(orders));
  }

  async startRemote(orders: Orders = {}): Promise<StartedClient> {
    this.#mayStart(orders);
    if (!this.#command.some((word) => word.includes(URL_WORD)))
      throw new CheckSkipped(`no argument of the command is ${URL_WORD}, so it takes no address`);
    return this.#begun(this.#launchRemote(orders));
  }

  wantWholeMessages(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starts;
    await Promise.all(this.#closers.map((close) => close()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Refuses a start after the end, and a check whose acts nobody would do. */
  #mayStart({ answer }: Orders): void {
    if (this.#isClosed) throw new Error("the check is over");
    if (answer === silent && this.#circumstances.acts === undefined)
      throw new CheckSkipped("it takes no acts of a person; --acts says where they go", { isChoice: true });
  }

  #begun<T>(start: Promise<T>): Promise<T> {
    this.#starts = Promise.allSettled([this.#starts, start]);
    return start;
  }

  async #launch(orders: Orders): Promise<Client> {
    this.#count += 1;
    const path = join(this.#folder, `agent-${this.#count}`);
    const address = socketPath(path);
    let running: Running | undefined;
    const door = await openAgentDoor(
      address,
      this.#surroundings(orders, () => running),
    );
    this.#closers.push(door.close);
    const { file, words } =
      orders.executable ?? (await writeAgent(path, address, { node: this.#circumstances.node }));
    running = this.#run(orders, "", {
      ASKWIRE_CONFORMANCE_AGENT: file,
      ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS: JSON.stringify(words),
    });
    return watched(running, door.agent, this.#waits);
  }

  async #launchRemote(orders: Orders): Promise<StartedClient> {
    let running: Running | undefined;
    const door = await openWebSocketDoor(this.#surroundings(orders, () => running));
    this.#closers.push(door.close);
    running = this.#run(orders, door.address, {});
    return watchedRemote(running, door, this.#waits);
  }

  #surroundings(orders: Orders, person: () => Running | undefined): LineSurroundings {
    return {
      transcript: this.#transcript,
      waits: this.#waits,
      player: this.#circumstances.player,
      takes: orders.takes ?? [],
      onSent: this.#reactions(orders, person),
      rules: lineRules(),
      onFault: (found) => {
        this.#fault ??= found;
      },
    };
  }

  /** @param url the word for the address; the empty text where an agent is launched. */
  #run(orders: Orders, url: string, variables: Readonly<Record<string, string>>): Running {
    const { acts, env } = this.#circumstances;
    const environment = { ...process.env, ...env, ...orders.env, ...variables, ...ordersInWords(orders) };
    if (acts !== undefined) environment.ASKWIRE_CONFORMANCE_ACTS = acts.to;
    const words = this.#command.map((word) => word.replaceAll(URL_WORD, url));
    const running = startClient(words, environment, this.#transcript, { hasInput: acts?.to === "stdin" });
    this.#closers.push(running.kill);
    if (acts === undefined) return { ...running, act: () => {} };
    return { ...running, act: this.#personAt(actChannel(acts, running, environment), orders) };
  }

  /** Puts a person at a client, who begins with the prompt. Returns the way to have them act. */
  #personAt(channel: ActChannel, { prompt = defaults.prompt }: Orders): CheckedPerson["act"] {
    const person = createPerson(channel, (text) => this.#transcript.add("note", text));
    person.refused.catch(this.#refuse);
    if (prompt !== silent) person.act({ do: "prompt", text: prompt });
    return person.act;
  }

  /** Has the person react to each question and approval, once. */
  #reactions({ answer = defaults.answer }: Orders, person: () => Running | undefined) {
    if (this.#circumstances.acts === undefined || answer === silent) return () => {};
    const seen = new Set<string>();
    return (text: string) => {
      const asked = askedIn(text);
      if (asked === undefined || seen.has(asked.id)) return;
      seen.add(asked.id);
      const react = () => person()?.act(reactionTo(asked, answer), asked.shown);
      const timer = setTimeout(react, answer.after_ms ?? 0);
      this.#closers.push(async () => clearTimeout(timer));
    };
  }
}

/** The variables by which a client hears its orders. */
function ordersInWords({
  prompt = defaults.prompt,
  answer = defaults.answer,
  tool,
}: Orders): Record<string, string> {
  return {
    ASKWIRE_CONFORMANCE_PROMPT: prompt === silent ? defaults.prompt : prompt,
    ASKWIRE_CONFORMANCE_ANSWER: JSON.stringify(answer === silent ? defaults.answer : answer),
    ...(tool === undefined ? {} : { ASKWIRE_CONFORMANCE_TOOL: tool }),
  };
}

/** A started command, and the person at it. */
type Running = ClientProcess & Pick<Started, "act">;

function watched(running: Running, agent: Promise<CheckingAgent>, waits: Waits): Client {
  const { whileRunning, ...started } = watchedEnd(running, waits);
  return { ...started, launched: () => whileRunning(agent, "the command to launch the agent") };
}

function watchedRemote(running: Running, door: WebSocketDoor, waits: Waits): StartedClient {
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
    /** Waits for something that a command no longer does once it has ended. */
    whileRunning<T>(promise: Promise<T>, expected: string): Promise<T> {
      const gone = ended.then((how): never => {
        throw new CheckFailure(expected, how);
      });
      gone.catch(() => {});
      return waits.on(Promise.race([promise, gone]), expected);
    },
  };
}
