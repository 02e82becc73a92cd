import type { ClientHandlers } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import type { ShownTranscript } from "./agent-transcript.js";
import { inputLine } from "./event-lines.js";

type History = NonNullable<ClientHandlers["history"]>;

/**
 * Shows the conversation so far to a person who joins it, above a line that says so.
 *
 * @param show writes an event as it would be written live.
 */
export function joinedConversation(
  transcript: ShownTranscript,
  show: NonNullable<History["event"]>,
  paint: Paint,
  words: ChatWords,
): History {
  let isEmpty = true;
  return {
    event(event) {
      if (event.type !== "TurnBegin") {
        isEmpty = false;
        return show(event);
      }
      if (!isEmpty) transcript.line("");
      isEmpty = false;
      transcript.line(`${paint("cyan", "> ")}${visibleLine(inputLine(event.payload.user_input, words))}`);
    },
    end(whole) {
      if (!isEmpty || !whole) transcript.line(paint("dim", words.joined(whole)));
      isEmpty = true;
    },
  };
}
