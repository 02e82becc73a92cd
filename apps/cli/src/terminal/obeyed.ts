import type { ChatWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import type { ShownTranscript } from "./agent-transcript.js";
import type { AskedInLines } from "./person.js";
import { type SwitchableSession, setDoNotAsk } from "./stop-asking.js";
import type { TypedLine } from "./typed-line.js";

/** A line that the terminal itself obeys, without leaving. */
type TerminalCommand = Extract<TypedLine, { kind: "show" | "do not ask" | "decline" }>;

interface Place {
  readonly session: SwitchableSession;
  readonly transcript: Pick<ShownTranscript, "line" | "asTheyCame">;
  readonly person: Pick<AskedInLines, "interrupt">;
  readonly paint: Paint;
  readonly words: ChatWords;
}

export async function obey(typed: TerminalCommand, place: Place): Promise<void> {
  const { session, transcript, person, paint, words } = place;
  if (typed.kind === "do not ask") {
    await setDoNotAsk(session, typed.enabled, (text) => transcript.line(paint("dim", text)), words);
  } else if (typed.kind === "show") {
    if (typed.isOutput === true) transcript.asTheyCame(typed.lines);
    else for (const text of typed.lines) transcript.line(text);
    // A question may wait for this line to be sent.
  } else if (!person.interrupt()) transcript.line(words.nothingAsked);
}
