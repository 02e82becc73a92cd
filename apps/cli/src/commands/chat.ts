import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { LocalError, linkedPair, WireError } from "@askwire/protocol";
import { type AgentOptions, agentFor, commandServer } from "../agents/agent-server.js";
import { Failure, usageFailure } from "../failure.js";
import { type Lines, openLines } from "../terminal/lines.js";
import { paintFor } from "../terminal/paint.js";
import { createPerson, type Person } from "../terminal/person.js";
import { createTranscript, type Transcript } from "../terminal/transcript.js";

export interface ChatOptions extends AgentOptions {
  readonly prompt?: string;
  readonly yolo?: boolean;
  readonly afk?: boolean;
}

/** A conversation with an agent in the terminal: its own, or the one that `command` starts. */
export async function chat(command: readonly string[], options: ChatOptions): Promise<void> {
  const open = await source(command, options);
  const lines = openLines(process.stdin, process.stdout);
  const paint = paintFor(process.stdout, process.env);
  const transcript = createTranscript(process.stdout, paint);
  const person = createPerson({ lines, transcript, paint });
  try {
    const session = await open({
      client: { name: "askwire-chat", version: __ASKWIRE_VERSION__ },
      handlers: { question: person.question, approval: person.approval },
    });
    try {
      await converse(
        session,
        { lines, person, transcript },
        command.length === 0 && options.script === undefined,
        options.prompt,
      );
    } finally {
      await session.close();
    }
  } finally {
    lines.close();
  }
}

type Open = (options: ConnectOptions) => Promise<ClientSession>;

/** What the options name, checked before the terminal is taken. */
async function source(command: readonly string[], options: ChatOptions): Promise<Open> {
  const [executable, ...args] = command;
  if (executable !== undefined) {
    if (options.script !== undefined || options.interview !== undefined) {
      throw usageFailure("chat: --script, --interview and -- COMMAND name two agents: leave one out");
    }
    return (client) =>
      connectProcess(executable, args, { ...client, onStderr: (text) => void process.stderr.write(text) });
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

interface Room {
  readonly lines: Lines;
  readonly person: Person;
  readonly transcript: Transcript;
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
  const leave = new AbortController();
  lines.onInterrupt(() => {
    if (person.interrupt()) return;
    if (running) session.cancel().catch(() => {});
    else leave.abort();
  });
  let next = interview ? "" : prompt;
  for (;;) {
    const input = next ?? (await nextPrompt(lines, leave.signal));
    if (input === undefined) return;
    next = undefined;
    running = true;
    const cancelled = await runTurn(session, transcript, input).finally(() => {
      running = false;
    });
    if (interview) {
      if (cancelled) transcript.line("Nothing was written.");
      return;
    }
  }
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

/** Shows one turn as it goes. True if it was cancelled. */
async function runTurn(session: ClientSession, transcript: Transcript, input: string): Promise<boolean> {
  const turn = session.prompt(input);
  try {
    for await (const event of turn) transcript.event(event);
    const { status, steps } = await turn.result;
    if (status === "max_steps_reached") transcript.line(`(stopped after ${steps} steps)`);
    if (status === "cancelled") transcript.line("(cancelled)");
    return status === "cancelled";
  } catch (error) {
    transcript.freshLine();
    if (error instanceof WireError || error instanceof LocalError) throw new Failure(error.message);
    throw error;
  }
}
