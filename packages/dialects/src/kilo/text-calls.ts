import type { InText, ModelPart } from "@askwire/server";
import { uuid } from "@askwire/server/internal";
import { TOOL_NAME } from "./call-element.js";
import { TextReader } from "./text-reader.js";

/** The member of a call's `extras` that says which of its message it is, where it is not the first. */
export const IN_MESSAGE = "in_message";

/**
 * Reads the calls in a model's text (P-KIL-6). Thoughts, comments, CDATA, code and quoting lines have no calls. The
 * question goes out while it is written. Only a possible beginning of a tag is held back.
 *
 * @param newId makes the id of a call. Default: a UUID.
 */
export function kiloTextCalls(result: InText["result"], newId: () => string = uuid): InText {
  const inText: InText = {
    result,
    async *read(parts) {
      let calls = 0;
      const text = new TextReader(() => {
        calls += 1;
        return toolCall(inText, newId(), calls);
      });
      const last = new Map<ModelPart["type"], ModelPart>();
      for await (const part of parts) {
        // Ids and usage may come at any time, and nothing may come within a call.
        if (part.type === "message_id" || part.type === "usage") last.set(part.type, part);
        else if (part.type === "content" && part.part.type === "text") yield* text.more(part.part.text);
        else {
          yield* text.end();
          yield part;
        }
      }
      yield* text.end();
      yield* last.values();
    },
  };
  return inText;
}

/** The call of a message that has this number. */
function toolCall(inText: InText, id: string, nth: number): ModelPart {
  const extras = nth === 1 ? null : { [IN_MESSAGE]: nth };
  const call = { type: "function" as const, id, function: { name: TOOL_NAME, arguments: null }, extras };
  return { type: "tool_call", call, inText };
}
