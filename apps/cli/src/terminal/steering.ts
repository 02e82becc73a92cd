import type { ClientSession } from "@askwire/client";
import { LocalError, WireError } from "@askwire/protocol";
import type { Lines } from "./lines.js";
import type { Paint } from "./paint.js";
import type { Transcript } from "./transcript.js";
import { readTypedLine } from "./typed-line.js";
import { visibleLine } from "./visible-text.js";

interface Room {
  readonly session: Pick<ClientSession, "steer" | "slashCommands">;
  readonly lines: Pick<Lines, "next">;
  readonly transcript: Transcript;
  readonly paint: Paint;
}

/**
 * Passes on to the agent what the person types while it works and asks nothing. Commands wait: they are given to
 * `later`, for the next prompt. A server that cannot be steered is found out by the first line, and from then on
 * what is typed waits for the prompt as it is.
 */
export function steering({ session, lines, transcript, paint }: Room, later: (line: string) => void) {
  let deaf = false;
  let stop = () => {};
  const tell = (text: string) => transcript.line(paint("dim", text));

  function pass(text: string): void {
    session.steer(text).catch((error: unknown) => {
      if (error instanceof WireError && error.is("MethodNotFound")) {
        deaf = true;
        stop();
        tell("(this agent hears nothing while it works: say it again at the prompt)");
        // A connection that is lost ends the turn, which says it.
      } else if (
        error instanceof WireError ||
        (error instanceof LocalError && error.code === "INVALID_STATE")
      ) {
        tell(`(not passed on: ${visibleLine(error.message)})`);
      }
    });
  }

  /** Resolves when the turn is over, or the input. */
  return async (turn: AbortSignal): Promise<void> => {
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
      const typed = readTypedLine(line, session.slashCommands);
      if (typed.kind === "words") pass(typed.text);
      else if (typed.kind === "show") for (const text of typed.lines) transcript.line(text);
      else later(line);
    }
  };
}
