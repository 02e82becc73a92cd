import { RequestSettled } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type AskedWords, whoAnswered } from "@askwire/client/words";

/** The reason why a request is no longer open, from the reason of its aborted signal. */
export function whyGone(reason: unknown, words: AskedWords): string {
  if (!(reason instanceof RequestSettled) || reason.outcome === undefined) {
    return visibleLine(words.gone(reason instanceof Error ? reason.message : String(reason)));
  }
  const { status, reason: why, by } = reason.outcome;
  const who = whoAnswered(reason.outcome, words.somebodyIn);
  const name = who === undefined ? undefined : visibleLine(who);
  if (name !== undefined && status === "answered") return words.clientAnswered(name);
  if (name !== undefined && status === "declined") return words.clientDeclined(name);
  if (status === "answered") return by === "policy" ? words.ruleAnswered : words.wasAnswered;
  if (status === "expired") return words.timeIsOver;
  if (why === "interrupted") return words.turnCancelled;
  return why === "superseded" ? words.newerQuestion : words.givenUp(visibleLine(why ?? status));
}
