import { once } from "node:events";
import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { LocalError, linkedPair, WireError } from "@askwire/protocol";
import { type AgentOptions, agentFor, commandServer } from "../agents/agent-server.js";
import { Failure, usageFailure } from "../failure.js";
import { type Lines, openLines } from "../terminal/lines.js";
import { paintFor } from "../terminal/paint.js";
import { createPerson, type Person } from "../terminal/person.js";
import { createTranscript, type Transcript } from "../terminal/transcript.js";
import { visibleText } from "../terminal/visible-text.js";
import { type TokenOptions, tokenFrom } from "../token.js";

export interface ChatOptions extends AgentOptions, TokenOptions {
  readonly connect?: string;
  readonly prompt?: string;
  readonly yolo?: boolean;
  readonly afk?: boolean;
}

/** A conversation with an agent in the terminal: its own, or the one that `command` starts. */
export async function chat(command: readonly string[], options: ChatOptions): Promise<void> {
  const open = await source(command, options);
  const lines = openLines(process.stdin, process.stdout);
  const paint = paintFor(process.stdout, process.env);
  const transcript = createTranscript(lines, paint);
  const person = createPerson({ lines, transcript, paint });
  const left = new AbortController();
  const exit = () => {
    lines.close();
    process.exit(LEFT);
  };
  /** Leaves in the middle of something; asked again, without waiting for the agent's end. */
  const leave = () => {
    if (left.signal.aborted) exit();
    left.abort();
    setTimeout(exit, LEAVE_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, leave);
  let session: ClientSession | undefined;
  lines.onInterrupt(() => {
    if (session === undefined) leave();
  });
  try {
    const opened = open({
      client: { name: "askwire-chat", version: __ASKWIRE_VERSION__ },
      // Not by iterating the turn: a question that follows an event must not be shown before it.
      handlers: { question: person.question, approval: person.approval, event: transcript.event },
    });
    session = await Promise.race([opened, once(left.signal, "abort").then(() => undefined)]);
    // Who has not introduced itself cannot be closed from here: its input ends with this process.
    if (session === undefined) return exit();
    try {
      const room = { lines, person, transcript, left: left.signal, leave };
      await converse(session, room, isInterview(command, options), options.prompt);
    } catch (error) {
      if (!left.signal.aborted) throw error;
    } finally {
      await session.close();
    }
    if (left.signal.aborted) process.exitCode = LEFT;
  } finally {
    lines.close();
  }
}

/** The exit code of a conversation that was left in the middle. */
const LEFT = 130;
/** How long the agent may take to end then, in milliseconds; one that was started here is killed before. */
const LEAVE_MS = 7_000;

const isInterview = (command: readonly string[], { script, connect }: ChatOptions) =>
  command.length === 0 && script === undefined && connect === undefined;

type Open = (options: ConnectOptions) => Promise<ClientSession>;

/** What the options name, checked before the terminal is taken. */
async function source(command: readonly string[], options: ChatOptions): Promise<Open> {
  const [executable, ...args] = command;
  const { connect: address, script, interview } = options;
  const sources = {
    "--script": script,
    "--interview": interview,
    "--connect": address,
    "-- COMMAND": executable,
  };
  const named = Object.entries(sources).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (named.length > 1)
    throw usageFailure(`chat: ${named.join(" and ")} name different agents: leave one out`);
  if ((executable ?? address) !== undefined) refuseOwnAgentOptions(options);
  if (address !== undefined) {
    const token = /#./s.test(address) ? undefined : tokenFrom(options);
    const { connectWebSocket } = await import("@askwire/client/websocket");
    return (client) => connectWebSocket(address, { ...client, ...(token !== undefined && { token }) });
  }
  if (executable !== undefined) {
    return (client) =>
      connectProcess(executable, args, {
        ...client,
        onStderr: (text) => void process.stderr.write(text),
        onProblem: firstOnly((problem) =>
          process.stderr.write(`askwire: from "${executable}": ${visibleText(problem)}\n`),
        ),
      });
  }
  const agent = await agentFor(options);
  const server = commandServer({
    agent,
    yolo: options.yolo ?? false,
    attendance: options.afk ? "decline" : "attended",
  });
  return (client) => {
    const { left, right } = linkedPair();
    server.connect(left);
    return connect(right, client);
  };
}

/** Somebody else's agent has its own settings. */
function refuseOwnAgentOptions({ yolo, afk, out }: ChatOptions): void {
  const given = Object.entries({ yolo, afk, out }).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw usageFailure(`chat: --${given[0]} is for this command's own agent: leave it out`);
}

/** One line of what is no message says enough; a log on standard output would bury the conversation. */
function firstOnly(report: (problem: string) => void): (problem: string) => void {
  let reported = false;
  return (problem) => {
    if (!reported) report(problem);
    reported = true;
  };
}

interface Room {
  readonly lines: Lines;
  readonly person: Person;
  readonly transcript: Transcript;
  /** Aborted when the conversation is left in the middle. */
  readonly left: AbortSignal;
  leave(): void;
}

/** Prompt after prompt until the input ends; an interview has one turn and needs no prompt. */
async function converse(
  session: ClientSession,
  room: Room,
  interview: boolean,
  prompt: string | undefined,
): Promise<void> {
  const { lines, person, transcript } = room;
  let running = false;
  let cancelling = false;
  let failed = false;
  let lost: Error | undefined;
  const over = new AbortController();
  void session.closed.then((cause) => {
    lost = cause;
    over.abort();
  });
  room.left.addEventListener("abort", () => void session.close(), { once: true });
  lines.onInterrupt(() => {
    if (person.interrupt()) return;
    if (!running) return over.abort();
    // An agent that does not end a cancelled turn holds nobody.
    if (cancelling) return room.leave();
    cancelling = true;
    session.cancel().catch(() => {});
  });
  let next = interview ? "" : prompt;
  for (;;) {
    const input = next ?? (await nextPrompt(lines, over.signal));
    if (input === undefined && lost !== undefined) throw new Failure(lost.message);
    if (input === undefined) break;
    next = undefined;
    running = true;
    const ended = await runTurn(session, transcript, input).finally(() => {
      running = false;
      cancelling = false;
    });
    failed = ended === "failed";
    if (interview && ended === "cancelled") transcript.line("Nothing was written.");
    if (interview) break;
  }
  if (failed) process.exitCode = 1;
}

async function nextPrompt(lines: Lines, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const line = await lines.next("> ", signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (line === undefined || line.trim() === "/exit") return undefined;
    if (line.trim() !== "") return line;
  }
}

/** Shows one turn as it goes. An error of the agent ends the turn, not the conversation. */
async function runTurn(
  session: ClientSession,
  transcript: Transcript,
  input: string,
): Promise<"finished" | "cancelled" | "failed"> {
  try {
    const { status, steps } = await session.prompt(input).result;
    transcript.freshLine();
    if (status === "max_steps_reached") transcript.line(`(stopped after ${steps} steps)`);
    if (status === "cancelled") transcript.line("(cancelled)");
    return status === "cancelled" ? status : "finished";
  } catch (error) {
    transcript.freshLine();
    if (error instanceof LocalError) throw new Failure(error.message);
    if (!(error instanceof WireError)) throw error;
    process.stderr.write(`askwire: ${visibleText(error.message)}\n`);
    return "failed";
  }
}
