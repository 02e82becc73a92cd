import type { ClientSession } from "@askwire/client";
import { LocalError, WireError } from "@askwire/protocol";
import { Failure } from "../failure.js";
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

/**
 * Prompt after prompt until the input ends; an interview has one turn and needs no prompt. At a terminal, what is typed
 * while the agent works reaches it in its turn.
 */
export async function converse(
  session: ClientSession,
  room: Room,
  { interview, prompt }: { interview: boolean; prompt?: string | undefined },
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
  /** Commands that were typed while the agent worked. */
  const later: string[] = [];
  const steer = steering({ session, ...room }, (line) => void later.push(line));
  let next = interview ? "" : prompt;
  for (;;) {
    const input = next ?? (await nextPrompt(session, room, later, over.signal));
    if (input === undefined && lost !== undefined) throw new Failure(lost.message);
    if (input === undefined) break;
    next = undefined;
    running = true;
    const ended = new AbortController();
    if (lines.interactive && !interview) void steer(ended.signal);
    const how = await runTurn(session, transcript, input, () => {
      running = false;
      cancelling = false;
      ended.abort();
    });
    failed = how === "failed";
    if (interview && how === "cancelled") transcript.line("Nothing was written.");
    if (interview) break;
  }
  if (failed) process.exitCode = 1;
}

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
      (await lines.next("> ", signal).catch((error: unknown) => {
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
 * Shows one turn as it goes. An error of the agent ends the turn, not the conversation.
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
    if (error instanceof LocalError) throw new Failure(error.message);
    if (!(error instanceof WireError)) throw error;
    process.stderr.write(`askwire: ${visibleText(error.message)}\n`);
    return "failed";
  }
}
