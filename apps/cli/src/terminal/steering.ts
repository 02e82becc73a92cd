import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords, TerminalWords } from "@askwire/client/words";
import { LocalError, WireError } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "./agent-transcript.js";
import { obey } from "./obeyed.js";
import type { AskedInLines } from "./person.js";
import { switchableAsking } from "./stop-asking.js";
import { type OwnCommands, readTypedLine } from "./typed-line.js";

interface Room {
  readonly session: Pick<
    ClientSession,
    "steer" | "slashCommands" | "connection" | "server" | "may" | "doNotAsk" | "setDoNotAsk"
  >;
  readonly lines: Pick<LineFeed, "next">;
  readonly person: Pick<AskedInLines, "interrupt">;
  readonly transcript: ShownTranscript;
  readonly paint: Paint;
  readonly words: TerminalWords;
  readonly own: OwnCommands;
}

/** The time for an agent to take or refuse a line after its turn, in milliseconds. */
const REPLY_MS = 1_000;

/**
 * Passes lines to the agent while it works and asks nothing.
 * The first line shows if a server cannot be steered; from then on typed text waits for the prompt.
 */
export class Steering {
  readonly #room: Room;
  readonly #words: ChatWords;
  readonly #later: (line: string) => void;
  /** Set once the server has shown that it hears nothing. */
  #isDeaf = false;
  #passing: Promise<unknown> = Promise.resolve();
  #stop = () => {};

  /** @param later takes commands, for the next prompt, and lines that come at the end of the turn. */
  constructor(room: Room, later: (line: string) => void) {
    this.#room = room;
    this.#words = room.words.chat;
    this.#later = later;
  }

  /** Takes lines. Resolves at the end of the turn, or of the input. */
  async listen(turn: AbortSignal): Promise<void> {
    const { lines, transcript, paint } = this.#room;
    const until = new AbortController();
    this.#stop = () => until.abort();
    turn.addEventListener("abort", this.#stop, { once: true });
    while (!this.#isDeaf && !turn.aborted) {
      const next = lines.next(paint("dim", "» "), until.signal, { passing: true });
      const line = await next.catch(() => undefined);
      if (line === undefined) return;
      transcript.entered();
      if (line.trim() !== "") this.#take(line);
    }
  }

  /** Resolves once the agent has taken or refused each line, or its time to reply is over. */
  async settled(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, REPLY_MS);
    });
    await Promise.race([this.#passing, late]);
    clearTimeout(timer);
  }

  readonly #tell = (text: string): void => this.#room.transcript.line(this.#room.paint("dim", text));

  #take(line: string): void {
    const { session, own } = this.#room;
    const words = this.#words;
    const typed = readTypedLine(line, session.slashCommands, words, own, switchableAsking(session));
    if (typed.kind === "words") this.#passing = Promise.all([this.#passing, this.#pass(typed.text)]);
    else if ("text" in typed || typed.kind === "leave") this.#later(line);
    else void obey(typed, { ...this.#room, words });
  }

  async #pass(text: string): Promise<void> {
    const { session } = this.#room;
    if (session.connection === "lost") {
      this.#tell(this.#words.saidAtNextPrompt);
      return this.#later(text);
    }
    await session.steer(text).catch((error: unknown) => this.#refused(text, error));
  }

  #refused(text: string, error: unknown): void {
    const words = this.#words;
    if (error instanceof WireError && error.is("MethodNotFound")) {
      this.#isDeaf = true;
      this.#stop();
      this.#tell(words.hearsNothing);
      // A connection that ends for good ends the turn, which reports it.
    } else if (isInvalidState(error)) {
      this.#tell(words.notInThisTurn);
      this.#later(text);
    } else if (error instanceof WireError) {
      this.#tell(words.notPassedOn(visibleLine(error.message)));
    } else if (this.#room.session.connection === "lost") {
      this.#tell(words.perhapsRead);
    }
  }
}

const isInvalidState = (error: unknown) =>
  error instanceof WireError
    ? error.is("InvalidState")
    : error instanceof LocalError && error.code === "INVALID_STATE";
