import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { inputLine } from "./event-lines.js";

/** The turns of a resumed session that are shown again, and the most events of them. */
const LAST_TURNS = 2;
const MOST_EVENTS = 2_000;

type Events = readonly (WireEvent | Unrecognized)[];

/** The kept part of a session: one line that shows the person where it goes on, and the events of its last turns. */
export async function soFar(
  session: ClientSession,
  id: string,
  words: ChatWords,
): Promise<{ line: string; shown: Events }> {
  let turns = 0;
  let last = "";
  let kept: (WireEvent | Unrecognized)[][] = [];
  await session.replay({
    event(event) {
      if (event.type === "TurnBegin") {
        turns += 1;
        last = visibleLine(inputLine(event.payload.user_input, words));
        kept = [...kept, []].slice(-LAST_TURNS);
      }
      const events = kept.at(-1);
      events?.push(event);
      if (events !== undefined && events.length > MOST_EVENTS) events.splice(1, 1);
    },
  });
  const name = visibleLine(id);
  const line =
    turns === 0 ? words.sessionBegins(name) : words.sessionGoesOn(name, turns, cut(last, LAST_PROMPT));
  return { line, shown: kept.flat() };
}

/** The most characters shown of the last prompt of a resumed session. */
const LAST_PROMPT = 60;

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
