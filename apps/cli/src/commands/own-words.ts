import { resolve } from "node:path";
import type { ClientSession } from "@askwire/client";
import type { ChatWords } from "@askwire/client/words";
import type { ChatOptions } from "../command-line/chat.js";
import { processClock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { Suggests } from "../prompt/suggestion-list.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { copied } from "../terminal/copied.js";
import type { recall } from "../terminal/recall.js";
import { switchableAsking } from "../terminal/stop-asking.js";
import { suggestedWords } from "../terminal/suggested-words.js";
import { commandWords, type OwnCommands } from "../terminal/typed-line.js";

interface Place {
  readonly lines: LineFeed;
  readonly transcript: ShownTranscript;
  readonly recall: ReturnType<typeof recall>;
  readonly paint: Paint;
  readonly words: ChatWords;
  readonly options: Pick<ChatOptions, "connect" | "workDir">;
}

/** The words that the terminal itself knows at the prompt: its commands, and what it suggests. */
export class OwnWords {
  /** Files are known of an agent that works on this machine. */
  readonly suggests: Suggests;
  /** The output of the terminal's own commands. */
  readonly commands: OwnCommands;

  constructor(session: ClientSession, { lines, transcript, recall, paint, words, options }: Place) {
    const { connect, workDir = "." } = options;
    this.suggests = suggestedWords({
      commands: () => commandWords(session.slashCommands, words, switchableAsking(session) !== undefined),
      folder: connect === undefined ? resolve(workDir) : undefined,
      ...{ clock: processClock, paint, changed: () => lines.changed() },
    });
    this.commands = {
      output: (number) => transcript.output(number),
      copy: () => copied(transcript.answer, lines, words),
      history() {
        const told = recall.lines();
        return told.length === 0 ? [words.nothingAskedYet] : told;
      },
    };
  }
}
