import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { LocalError, WireError } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import type { Lines } from "../lines/line-readers.js";
import type { Words } from "../words/words.js";
import type { Person } from "./person.js";
import { setDoNotAsk, switchableAsking } from "./stop-asking.js";
import type { Transcript } from "./transcript.js";
import { readTypedLine } from "./typed-line.js";

interface Room {
  readonly session: Pick<
    ClientSession,
    "steer" | "slashCommands" | "connection" | "server" | "may" | "doNotAsk" | "setDoNotAsk"
  >;
  readonly lines: Pick<Lines, "next">;
  readonly person: Pick<Person, "interrupt">;
  readonly transcript: Transcript;
  readonly paint: Paint;
  readonly words: Words;
}

export interface Steering {
  /** Takes lines. Resolves at the end of the turn, or of the input. */
  listen(turn: AbortSignal): Promise<void>;
  /** Resolves once the agent has taken or refused each line, or its time to reply is over. */
  settled(): Promise<void>;
}

/** The time for an agent to take or refuse a line after its turn, in milliseconds. */
const REPLY_MS = 1_000;

/**
 * Passes lines to the agent while it works and asks nothing. Commands go to `later`, for the next prompt, as do lines
 * that come at the end of the turn.
 * The first line shows if a server cannot be steered; from then on typed text waits for the prompt.
 */
export function steering(
  { session, lines, person, transcript, paint, words: { chat: words } }: Room,
  later: (line: string) => void,
): Steering {
  let deaf = false;
  let passing: Promise<unknown> = Promise.resolve();
  let stop = () => {};
  const tell = (text: string) => transcript.line(paint("dim", text));

  async function pass(text: string): Promise<void> {
    if (session.connection === "lost") {
      tell(words.saidAtNextPrompt);
      return later(text);
    }
    await session.steer(text).catch((error: unknown) => {
      if (error instanceof WireError && error.is("MethodNotFound")) {
        deaf = true;
        stop();
        tell(words.hearsNothing);
        // A connection that ends for good ends the turn, which tells it.
      } else if (isInvalidState(error)) {
        tell(words.notInThisTurn);
        later(text);
      } else if (error instanceof WireError) {
        tell(words.notPassedOn(visibleLine(error.message)));
      } else if (session.connection === "lost") {
        tell(words.perhapsRead);
      }
    });
  }

  async function listen(turn: AbortSignal): Promise<void> {
    const until = new AbortController();
    stop = () => until.abort();
    turn.addEventListener("abort", stop, { once: true });
    while (!deaf && !turn.aborted) {
      const line = await lines
        .next(paint("dim", "» "), until.signal, { passing: true })
        .catch(() => undefined);
      if (line === undefined) return;
      transcript.entered();
      if (line.trim() === "") continue;
      const typed = readTypedLine(
        line,
        session.slashCommands,
        words,
        () => transcript.lastOutput(),
        switchableAsking(session),
      );
      if (typed.kind === "words") passing = Promise.all([passing, pass(typed.text)]);
      else if (typed.kind === "show") for (const text of typed.lines) transcript.line(text);
      else if (typed.kind === "do not ask") void setDoNotAsk(session, typed.enabled, tell, words);
      else if (typed.kind !== "decline") later(line);
      // A question may wait for this line to be sent.
      else if (!person.interrupt()) transcript.line(words.nothingAsked);
    }
  }

  return {
    listen,
    async settled() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, REPLY_MS);
      });
      await Promise.race([passing, late]);
      clearTimeout(timer);
    },
  };
}

const isInvalidState = (error: unknown) =>
  error instanceof WireError
    ? error.is("InvalidState")
    : error instanceof LocalError && error.code === "INVALID_STATE";
