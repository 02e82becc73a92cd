import type { AskedWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import type { Attention } from "./notify.js";
import type { PanelEntry } from "./open-request.js";

interface Place {
  readonly lines: Pick<LineFeed, "untilSent">;
  readonly transcript: Pick<ShownTranscript, "line">;
  readonly attention: Attention;
  readonly paint: Paint;
  readonly words: AskedWords;
}

/** Words begun at the prompt, which are no answer: requests wait until they are sent, and a line says so of each. */
export class BegunWords {
  readonly #place: Place;
  readonly #announced = new WeakSet<PanelEntry>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Reports if a line has said that this request waits. */
  heldBack(open: PanelEntry): boolean {
    return this.#announced.has(open);
  }

  /** Resolves once the words are sent, or the signal is aborted. */
  async untilSent(open: PanelEntry, signal: AbortSignal): Promise<void> {
    const sent = this.#place.lines.untilSent(signal);
    this.#announce(open);
    try {
      await sent;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #announce(open: PanelEntry): void {
    if (this.#announced.has(open)) return;
    this.#announced.add(open);
    open.isSeen = true;
    const { transcript, attention, paint, words } = this.#place;
    const { title, told } = open.request;
    transcript.line(`${attention.ring(told)}${paint("dim", words.waitsForPrompt(title))}`);
  }
}
