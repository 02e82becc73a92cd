import { type ClientSession, type ClientTurn, say } from "@askwire/client";
import { visibleLine, visibleText } from "@askwire/client/text";
import { type HeardPromptResult, LocalError, WireError } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { Failure } from "../input/failure.js";
import type { Lines } from "../lines/line-readers.js";
import type { ChatWords } from "../words/chat-words.js";
import type { Words } from "../words/words.js";
import { EXIT } from "./answer-line.js";
import { saidIn } from "./event-lines.js";
import type { Person } from "./person.js";
import { steering } from "./steering.js";
import { setDoNotAsk, switchableAsking } from "./stop-asking.js";
import type { Transcript } from "./transcript.js";
import { HELP, readTypedLine } from "./typed-line.js";

interface Room {
  readonly lines: Lines;
  readonly person: Person;
  readonly transcript: Transcript;
  readonly paint: Paint;
  readonly words: Words;
  /** Writes to standard error, or to its replacement. */
  report(text: string): void;
  /** Aborted when the conversation is left in the middle. */
  readonly left: AbortSignal;
  leave(): void;
}

interface ConversationOptions {
  /** Set for one turn without a prompt. */
  readonly interview: boolean;
  /** The id of a session that may have begun before. Its kept part is then told. */
  readonly goesOn?: string | undefined;
  /** The first prompt. Default: the first line. */
  readonly prompt?: string | undefined;
}

/**
 * Takes prompt after prompt until the input ends. An interview has one turn and needs no prompt.
 * At a terminal, text typed while the agent works reaches the agent in its turn.
 */
export async function converse(
  session: ClientSession,
  room: Room,
  { interview, goesOn, prompt }: ConversationOptions,
): Promise<void> {
  const { lines, person, transcript, paint } = room;
  const words = room.words.chat;
  let running = false;
  let cancelling: "sent" | "unsent" | undefined;
  /** Set if the next Ctrl-C leaves. With lines alone the first one leaves. */
  let leaving = !lines.draws;
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
    if (!running && leaving) return over.abort();
    if (!running) {
      leaving = true;
      return transcript.line(paint("dim", words.leaveAgain));
    }
    const isLost = session.connection === "lost";
    // An agent that does not end a cancelled turn, or cannot be told, holds nobody.
    if (cancelling === "sent" || (cancelling === "unsent" && isLost)) return room.leave();
    cancelling = isLost ? "unsent" : "sent";
    if (isLost) transcript.line(paint("dim", words.notCancelled));
    else session.cancel().catch(() => {});
  });
  /** Commands typed while the agent worked. */
  const later: string[] = [];
  const steer = steering({ session, ...room }, (line) => void later.push(line));
  /** The turn that an earlier process left. */
  const joined = goesOn === undefined ? undefined : session.joinTurn();
  if (goesOn !== undefined) {
    const begins = interview && joined === undefined;
    transcript.line(paint("dim", begins ? words.interviewBegins : await toldSoFar(session, goesOn, words)));
  }
  if (session.doNotAsk) transcript.line(paint("dim", words.doNotAsk(true, "")));
  const mayPrompt = session.may("prompt");
  const tellRole = () => transcript.line(paint("dim", words.answersOnly(EXIT)));
  if (!mayPrompt) tellRole();
  else if (lines.interactive && !interview && prompt === undefined)
    transcript.line(paint("dim", words.canType(HELP, EXIT)));
  const first = interview && joined === undefined ? "" : prompt;
  let next = joined ?? first;
  for (;;) {
    const input = next ?? (await nextPrompt(session, room, later, over.signal));
    if (input === undefined && lost !== undefined) throw new Failure(lost.message);
    if (input === undefined) break;
    next = typeof input === "string" || interview ? undefined : prompt;
    // A pipe is told by the server's refusal, which makes the command fail.
    if (!mayPrompt && lines.interactive) {
      tellRole();
      continue;
    }
    leaving = !lines.draws;
    running = true;
    const ended = new AbortController();
    if (lines.interactive && !interview) void steer.listen(ended.signal);
    transcript.prompting(true);
    const how = await runTurn(session, room, input, () => {
      running = false;
      transcript.prompting(false);
      cancelling = undefined;
      ended.abort();
    });
    await steer.settled();
    failed = how === "failed";
    if (interview && how === "cancelled") transcript.line(words.nothingWritten);
    if (interview) break;
  }
  if (failed) process.exitCode = 1;
}

/** The kept part of a session, in one line that shows the person where it goes on. */
async function toldSoFar(session: ClientSession, id: string, words: ChatWords): Promise<string> {
  let turns = 0;
  let last = "";
  await session.replay({
    event(event) {
      if (event.type !== "TurnBegin") return;
      turns += 1;
      last = visibleLine(saidIn(event.payload.user_input, words));
    },
  });
  const name = visibleLine(id);
  return turns === 0 ? words.sessionBegins(name) : words.sessionGoesOn(name, turns, cut(last, LAST_PROMPT));
}

/** The most characters shown of the last prompt of a session that goes on. */
const LAST_PROMPT = 60;

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** The next words or command for the agent. Commands of this terminal are done here. */
async function nextPrompt(
  session: ClientSession,
  { lines, person, transcript, paint, words }: Room,
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
    const { slashCommands } = session;
    const asking = switchableAsking(session);
    const typed = readTypedLine(line, slashCommands, words.chat, () => transcript.lastOutput(), asking);
    if (typed.kind === "leave") return undefined;
    if (typed.kind === "do not ask") {
      const tell = (text: string) => transcript.line(paint("dim", text));
      await setDoNotAsk(session, typed.enabled, tell, words.chat);
      continue;
    }
    if (typed.kind === "show") for (const text of typed.lines) transcript.line(text);
    else if (typed.kind !== "decline") return typed.text;
    // A question may wait for this line to be sent.
    else if (!person.interrupt()) transcript.line(words.chat.nothingAsked);
  }
}

/**
 * Shows one turn as it goes: of new words, or one that is under way. An error of the agent ends the turn, not the conversation.
 * Words that cannot be a prompt during another client's turn reach the agent in that turn.
 *
 * @param ended told of the end before anything is written about it.
 */
async function runTurn(
  session: ClientSession,
  { transcript, words, report }: Room,
  input: string | ClientTurn,
  ended: () => void,
): Promise<"finished" | "cancelled" | "failed"> {
  try {
    const turn = typeof input === "string" ? said(session, input) : input.result;
    const result = await turn.finally(ended);
    transcript.freshLine();
    if (result === undefined) return "finished";
    const { status, steps } = result;
    if (status === "max_steps_reached") transcript.line(words.chat.stoppedAfter(steps));
    if (status === "cancelled") transcript.line(words.chat.cancelled);
    return status === "cancelled" ? "cancelled" : "finished";
  } catch (error) {
    transcript.freshLine();
    // After a reconnection the conversation goes on without the outcome of this turn.
    if (error instanceof LocalError && session.connection !== "closed") {
      transcript.line(`(${visibleText(error.message)})`);
      return "failed";
    }
    if (error instanceof LocalError) throw new Failure(error.message);
    if (!(error instanceof WireError)) throw error;
    report(`askwire: ${visibleText(error.message)}\n`);
    return "failed";
  }
}

/** Says words to the agent. Resolves with the end of the turn that they began, undefined where they began none. */
const said = async (session: ClientSession, input: string): Promise<HeardPromptResult | undefined> =>
  (await say(session, input))?.result;
