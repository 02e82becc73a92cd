import { type ClientSession, type ClientTurn, say } from "@askwire/client";
import { visibleLine, visibleText } from "@askwire/client/text";
import type { ChatWords, TerminalWords } from "@askwire/client/words";
import { type HeardPromptResult, LocalError, WireError } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { CommandFailure } from "../input/failure.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "./agent-transcript.js";
import { EXIT } from "./answer-line.js";
import { joinedConversation } from "./joined-conversation.js";
import { soFar } from "./kept-part.js";
import { obey } from "./obeyed.js";
import type { AskedInLines } from "./person.js";
import { Steering } from "./steering.js";
import { switchableAsking } from "./stop-asking.js";
import { HELP, type OwnCommands, readTypedLine, type TypedLine } from "./typed-line.js";

interface Room {
  readonly lines: LineFeed;
  readonly person: AskedInLines;
  readonly transcript: ShownTranscript;
  readonly paint: Paint;
  readonly words: TerminalWords;
  readonly own: OwnCommands;
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
  /** Gives the command by which the conversation goes on later. Undefined where it does not. */
  comesBack(): string | undefined;
  /** The first prompt. Default: the first line. */
  readonly prompt?: string | undefined;
}

/**
 * Takes prompt after prompt until the input ends. An interview has one turn and needs no prompt.
 * At a terminal, text typed while the agent works reaches the agent in its turn.
 */
export function converse(session: ClientSession, room: Room, options: ConversationOptions): Promise<void> {
  return new Conversation(session, room, options).hold();
}

type HowEnded = "finished" | "cancelled" | "failed";

class Conversation {
  readonly #session: ClientSession;
  readonly #room: Room;
  readonly #options: ConversationOptions;
  readonly #words: ChatWords;
  readonly #mayPrompt: boolean;
  readonly #steering: Steering;
  /** Commands typed while the agent worked. */
  readonly #later: string[] = [];
  readonly #over = new AbortController();
  #turn: "none" | "running" | "cancelled" | "cancel unsent" = "none";
  #hasTurns: boolean;
  /** Set if the next Ctrl-C leaves. With lines alone the first one leaves. */
  #isLeaving: boolean;
  #lost: Error | undefined;

  constructor(session: ClientSession, room: Room, options: ConversationOptions) {
    this.#session = session;
    this.#room = room;
    this.#options = options;
    this.#words = room.words.chat;
    this.#mayPrompt = session.may("prompt");
    this.#hasTurns = options.goesOn !== undefined;
    this.#isLeaving = !room.lines.draws;
    void session.closed.then((cause) => this.#closed(cause));
    room.left.addEventListener("abort", () => void session.close(), { once: true });
    room.lines.onInterrupt(() => this.#interrupted());
    room.lines.onEscape(() => {
      if (this.#turn === "running") this.#cancel();
    });
    this.#steering = new Steering({ session, ...room }, (line) => void this.#later.push(line));
  }

  async hold(): Promise<void> {
    const { interview, goesOn, prompt, comesBack } = this.#options;
    /** The turn that an earlier process left. */
    const joined = goesOn === undefined ? undefined : this.#session.joinTurn();
    await this.#introduce(joined !== undefined);
    let next = joined ?? (interview ? "" : prompt);
    let ended: HowEnded = "finished";
    for (;;) {
      const input = next ?? (await this.#nextPrompt());
      if (input === undefined && this.#lost !== undefined) throw new CommandFailure(this.#lost.message);
      if (input === undefined) break;
      next = typeof input === "string" || interview ? undefined : prompt;
      // A pipe is told by the server's refusal, which makes the command fail.
      if (!this.#mayPrompt && this.#room.lines.interactive) {
        this.#tellRole();
        continue;
      }
      ended = await this.#take(input);
      this.#hasTurns = true;
      if (interview) break;
    }
    const again = this.#hasTurns ? comesBack() : undefined;
    if (again !== undefined) this.#tell(this.#words.comesBack(visibleLine(again)));
    if (ended === "failed") process.exitCode = 1;
  }

  #tell(text: string): void {
    this.#room.transcript.line(this.#room.paint("dim", text));
  }

  #tellRole(): void {
    this.#tell(this.#words.answersOnly(EXIT));
  }

  async #introduce(isJoined: boolean): Promise<void> {
    const { interview, goesOn, prompt } = this.#options;
    const words = this.#words;
    if (goesOn !== undefined) {
      const begins = interview && !isJoined;
      if (begins) this.#tell(words.interviewBegins);
      else await this.#tellSoFar(goesOn);
    }
    if (this.#session.doNotAsk) this.#tell(words.doNotAsk(true, ""));
    if (!this.#mayPrompt) this.#tellRole();
    else if (this.#room.lines.interactive && !interview && prompt === undefined)
      this.#tell(words.canType(HELP, EXIT));
  }

  /** Tells where a session goes on; where it is drawn, with its last turns. */
  async #tellSoFar(id: string): Promise<void> {
    const { transcript, lines, paint } = this.#room;
    const { line, shown } = await soFar(this.#session, id, this.#words);
    if (!lines.draws) return this.#tell(line);
    const told = joinedConversation(transcript, (event) => transcript.event(event), paint, this.#words);
    for (const event of shown) told.event?.(event);
    transcript.freshLine();
    this.#tell(line);
  }

  #closed(cause: Error | undefined): void {
    this.#lost = cause;
    this.#over.abort();
  }

  #interrupted(): void {
    if (this.#room.person.interrupt()) return;
    if (this.#turn !== "none") return this.#cancel();
    if (this.#isLeaving) return this.#over.abort();
    this.#isLeaving = true;
    this.#tell(this.#words.leaveAgain);
  }

  #cancel(): void {
    const isLost = this.#session.connection === "lost";
    // An agent that does not end a cancelled turn, or cannot be told, holds nobody.
    if (this.#turn === "cancelled" || (this.#turn === "cancel unsent" && isLost)) return this.#room.leave();
    this.#turn = isLost ? "cancel unsent" : "cancelled";
    this.#room.transcript.cancelling();
    if (isLost) this.#tell(this.#words.notCancelled);
    else this.#session.cancel().catch(() => {});
  }

  /** Runs a turn, and takes the lines that are typed meanwhile. */
  async #take(input: string | ClientTurn): Promise<HowEnded> {
    const { lines, transcript } = this.#room;
    const { interview } = this.#options;
    this.#isLeaving = !lines.draws;
    this.#turn = "running";
    const ended = new AbortController();
    if (lines.interactive && !interview) void this.#steering.listen(ended.signal);
    transcript.prompting(true);
    const how = await this.#run(input, () => {
      this.#turn = "none";
      transcript.prompting(false);
      ended.abort();
    });
    await this.#steering.settled();
    if (interview && how === "cancelled") transcript.line(this.#words.nothingWritten);
    return how;
  }

  /**
   * Shows one turn as it goes: of new words, or one that is under way. An error of the agent ends the turn, not the
   * conversation.
   * Words that cannot be a prompt during another client's turn reach the agent in that turn.
   *
   * @param ended told of the end before anything is written about it.
   */
  async #run(input: string | ClientTurn, ended: () => void): Promise<HowEnded> {
    const { transcript } = this.#room;
    try {
      const turn = typeof input === "string" ? said(this.#session, input) : input.result;
      const result = await turn.finally(ended);
      transcript.freshLine();
      return result === undefined ? "finished" : this.#tellResult(result);
    } catch (error) {
      transcript.freshLine();
      return this.#tellError(error);
    }
  }

  #tellResult({ status, steps }: HeardPromptResult): HowEnded {
    const { transcript } = this.#room;
    if (status === "max_steps_reached") transcript.line(this.#words.stoppedAfter(steps));
    if (status === "cancelled") transcript.line(this.#words.cancelled);
    return status === "cancelled" ? "cancelled" : "finished";
  }

  /** @throws an error that ends the conversation. */
  #tellError(error: unknown): HowEnded {
    // After a reconnection the conversation continues without the outcome of this turn.
    if (error instanceof LocalError && this.#session.connection !== "closed") {
      this.#room.transcript.line(`(${visibleText(error.message)})`);
      return "failed";
    }
    if (error instanceof LocalError) throw new CommandFailure(error.message);
    if (!(error instanceof WireError)) throw error;
    this.#room.report(`askwire: ${visibleText(error.message)}\n`);
    return "failed";
  }

  /** The next words or command for the agent; undefined at the end. Commands of this terminal are done here. */
  async #nextPrompt(): Promise<string | undefined> {
    for (;;) {
      const line = await this.#nextLine();
      if (line === undefined) return undefined;
      if (line.trim() === "") continue;
      const typed = this.#read(line);
      if (typed.kind === "leave") return undefined;
      if ("text" in typed) return typed.text;
      await obey(typed, { ...this.#room, session: this.#session, words: this.#words });
    }
  }

  async #nextLine(): Promise<string | undefined> {
    const { lines, transcript } = this.#room;
    const waiting = this.#later.shift();
    if (waiting !== undefined) {
      if (lines.draws) transcript.line("");
      transcript.line(`${this.#room.paint("cyan", "> ")}${visibleLine(waiting)}`);
      return waiting;
    }
    const { signal } = this.#over;
    const place = { below: true, apart: this.#hasTurns };
    return lines.next(this.#room.paint("cyan", "> "), signal, place).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
  }

  #read(line: string): TypedLine {
    const { slashCommands } = this.#session;
    return readTypedLine(line, slashCommands, this.#words, this.#room.own, switchableAsking(this.#session));
  }
}

/** Says words to the agent. Resolves with the end of the turn that they began, undefined where they began none. */
const said = async (session: ClientSession, input: string): Promise<HeardPromptResult | undefined> =>
  (await say(session, input))?.result;
