import type { ConnectionChange } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";

/** Reports changes of the connection to the person, one line each. Its first opening and its end have no line. */
export function connectionLine(words: ChatWords): (change: ConnectionChange) => string | undefined {
  let isLost = false;
  return (change) => {
    if (change.state === "closed") return undefined;
    if (change.state === "lost") {
      // Further failed attempts say nothing new.
      if (isLost) return undefined;
      isLost = true;
      const why = change.cause?.message;
      return words.connectionLost(why === undefined ? undefined : visibleLine(why));
    }
    if (!isLost) return undefined;
    isLost = false;
    return change.reset ? words.connectedAnew : words.connectedAgain;
  };
}
