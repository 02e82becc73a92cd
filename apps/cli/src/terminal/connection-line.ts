import type { ConnectionChange } from "@askwire/client";
import { visibleLine } from "./visible-text.js";

/** What a person is told of the connection, a line each time; nothing of its first opening and of its end. */
export function connectionLine(): (change: ConnectionChange) => string | undefined {
  let isLost = false;
  return (change) => {
    if (change.state === "closed") return undefined;
    if (change.state === "lost") {
      // Each further attempt that fails says nothing new.
      const line = isLost
        ? undefined
        : `(the connection is lost, trying again: ${visibleLine(change.cause?.message ?? "no reason was given")})`;
      isLost = true;
      return line;
    }
    const line = !isLost
      ? undefined
      : change.reset
        ? "(connected again; the server was restarted, or too much was missed: what was open is gone)"
        : "(connected again)";
    isLost = false;
    return line;
  };
}
