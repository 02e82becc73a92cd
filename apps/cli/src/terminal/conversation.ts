import type { ClientSession } from "@askwire/client";
import { LocalError, WireError } from "@askwire/protocol";
import { Failure } from "../failure.js";
import { words } from "./event-lines.js";
import type { Lines } from "./lines.js";
import type { Paint } from "./paint.js";
import type { Person } from "./person.js";
import { steering } from "./steering.js";
import type { Transcript } from "./transcript.js";
import { readTypedLine } from "./typed-line.js";
import { visibleLine, visibleText } from "./visible-text.js";

interface Room {
  readonly lines: Lines;
  readonly person: Person;
  readonly transcript: Transcript;
  readonly paint: Paint;
  /** Aborted when the conversation is left in the middle. */
  readonly left: AbortSignal;
  leave(): void;
}

interface ConversationOptions {
  /** One turn, without a prompt. */
  readonly interview: boolean;
  /** The id of the session if it may have begun before: then what is kept of it is told. */
  readonly goesOn?: string | undefined;
  /** The first prompt. Default: the first line. */
  readonly prompt?: string | undefined;
}

/**
 * Prompt after prompt until the input ends; an interview has one turn and needs no prompt. At a terminal, what is typed
 * while the agent works reaches it in its turn.
 */
export async function converse(
  session: ClientSession,
  room: Room,
  { interview, goesOn, prompt }: ConversationOptions,
): Promise<void> {
  const { lines, person, transcript, paint } = room;
  let running = false;
  let cancelling: "sent" | "unsent" | undefined;
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
    const isLost = session.connection === "lost";
    // Nobody is held by an agent that does not end a cancelled turn, or that cannot be told.
    if (cancelling === "sent" || (cancelling === "unsent" && isLost)) return room.leave();
    cancelling = isLost ? "unsent" : "sent";
    if (isLost) transcript.line(paint("dim", NOT_CANCELLED));
    else session.cancel().catch(() => {});
  });
  /** Commands that were typed while the agent worked. */
  const later: string[] = [];
  const steer = steering({ session, ...room }, (line) => void later.push(line));
  if (goesOn !== undefined && !interview) transcript.line(paint("dim", await toldSoFar(session, goesOn)));
  if (lines.interactive && !interview && prompt === undefined)
    transcript.line(paint("dim", "(/help lists what you can type, /exit leaves)"));
  let next = interview ? "" : prompt;
  for (;;) {
    const input = next ?? (await nextPrompt(session, room, later, over.signal));
    if (input === undefined && lost !== undefined) throw new Failure(lost.message);
    if (input === undefined) break;
    next = undefined;
    running = true;
    const ended = new AbortController();
    if (lines.interactive && !interview) void steer.listen(ended.signal);
    transcript.prompting(true);
    const how = await runTurn(session, transcript, input, () => {
      running = false;
      transcript.prompting(false);
      cancelling = undefined;
      ended.abort();
    });
    await steer.settled();
    failed = how === "failed";
    if (interview && how === "cancelled") transcript.line("Nothing was written.");
    if (interview) break;
  }
  if (failed) process.exitCode = 1;
}

const NOT_CANCELLED = "(not cancelled, since the connection is lost: Ctrl-C again leaves)";

/** What is kept of a session, in a line: the person sees that it goes on, and with what. */
async function toldSoFar(session: ClientSession, id: string): Promise<string> {
  let turns = 0;
  let last = "";
  await session.replay({
    event(event) {
      if (event.type !== "TurnBegin") return;
      turns += 1;
      last = visibleLine(words(event.payload.user_input));
    },
  });
  const name = `session ${visibleLine(id)}`;
  if (turns === 0) return `(${name} begins)`;
  const said = last === "" ? "" : `, the last: ${cut(last, LAST_PROMPT)}`;
  return `(${name} goes on: ${turns} ${turns === 1 ? "turn" : "turns"} so far${said})`;
}

/** Characters that are shown of the last prompt of a session that goes on. */
const LAST_PROMPT = 60;

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** The next words or command for the agent. What is for this terminal is done here. */
async function nextPrompt(
  { slashCommands }: ClientSession,
  { lines, transcript }: Room,
  later: string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const waiting = later.shift();
    if (waiting !== undefined) transcript.line(`> ${visibleLine(waiting)}`);
    const line =
      waiting ??
      (await lines.next("> ", signal, { below: true }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      }));
    if (line === undefined) return undefined;
    if (line.trim() === "") continue;
    const typed = readTypedLine(line, slashCommands);
    if (typed.kind === "leave") return undefined;
    if (typed.kind !== "show") return typed.text;
    for (const text of typed.lines) transcript.line(text);
  }
}

/**
 * Shows one turn as it goes. An error of the agent ends the turn, not the conversation. Words that somebody else's turn
 * keeps from being a prompt reach the agent in that turn.
 *
 * @param ended told of the end before anything is written about it.
 */
async function runTurn(
  session: ClientSession,
  transcript: Transcript,
  input: string,
  ended: () => void,
): Promise<"finished" | "cancelled" | "failed"> {
  try {
    const { status, steps } = await session.prompt(input).result.finally(ended);
    transcript.freshLine();
    if (status === "max_steps_reached") transcript.line(`(stopped after ${steps} steps)`);
    if (status === "cancelled") transcript.line("(cancelled)");
    return status === "cancelled" ? status : "finished";
  } catch (error) {
    transcript.freshLine();
    // Where the connection is there again, the conversation goes on without what became of this.
    if (error instanceof LocalError && session.connection !== "closed") {
      transcript.line(`(${visibleText(error.message)})`);
      return "failed";
    }
    if (error instanceof LocalError) throw new Failure(error.message);
    if (!(error instanceof WireError)) throw error;
    if (error.is("InvalidState") && (await isTaken(session, input))) return "finished";
    process.stderr.write(`askwire: ${visibleText(error.message)}\n`);
    return "failed";
  }
}

/** Whether the agent takes these words in the turn that runs. A command is none. */
async function isTaken(session: ClientSession, input: string): Promise<boolean> {
  if (readTypedLine(input, session.slashCommands).kind !== "words") return false;
  return await session.steer(input).then(
    () => true,
    () => false,
  );
}
