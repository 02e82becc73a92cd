import type { ConnectionChange } from "@askwire/client";
import { visibleLine } from "../device/visible-text.js";
import type { ChatWords } from "../words/chat-words.js";

/** What a person is told of the connection, a line each time; nothing of its first opening and of its end. */
export function connectionLine(words: ChatWords): (change: ConnectionChange) => string | undefined {
  let isLost = false;
  return (change) => {
    if (change.state === "closed") return undefined;
    if (change.state === "lost") {
      // Each further attempt that fails says nothing new.
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
