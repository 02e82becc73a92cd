import type { InText } from "@askwire/server";
import { uuid } from "@askwire/server/internal";
import type { Catalogue } from "./catalogue.js";
import { MessageReader } from "./message-reader.js";
import { writtenCalls } from "./written-calls.js";

/**
 * Reads queries and calls that a model writes as elements in its text (P-ADP-3 to P-ADP-7).
 *
 * @param newId makes the id of a call. Default: a UUID.
 */
export function adpTextCalls(
  catalogue: Pick<Catalogue, "service" | "find">,
  result: InText["result"],
  newId: () => string = uuid,
): InText {
  const inText: InText = {
    result,
    async *read(parts) {
      const message = new MessageReader(catalogue, writtenCalls(catalogue, inText, newId));
      for await (const part of parts) {
        if (part.type === "message_id" || part.type === "usage") yield part;
        else if (part.type === "content" && part.part.type === "text") yield* message.text(part.part.text);
        else yield* message.other(part);
        // Whoever stops reading stops the model (P-18).
        if (message.hasEnded) return;
      }
      yield* message.end();
    },
  };
  return inText;
}
