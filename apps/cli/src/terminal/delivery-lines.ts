import type { RequestContext } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";

/**
 * Reports how an answer fares that does not arrive at once: that it is not delivered yet, then that it is. What came of
 * a late one is told by its signal.
 */
export function tellDelivery(
  { onDelivery }: Pick<RequestContext, "onDelivery">,
  tell: (line: string) => void,
  words: AskedWords,
): void {
  let isOverdue = false;
  onDelivery((state) => {
    if (state.is === "undelivered" && !isOverdue) {
      isOverdue = true;
      tell(words.undelivered);
    } else if (state.is === "taken" && isOverdue) tell(words.delivered);
    else if (state.is === "failed") tell(words.notDelivered(visibleLine(state.problem)));
  });
}
