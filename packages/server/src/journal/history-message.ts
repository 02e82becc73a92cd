import { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";

const at = z.optional(z.looseObject({ turn_id: z.string(), step: z.int() }));

/** A message of the model's conversation, as a history and the journal have it. */
export const HistoryMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("user"), content: UserInput, kept: z.optional(z.boolean()), at }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.array(ContentPart),
    tool_calls: z.array(ToolCall),
    at,
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), result: ToolReturnValue, at }),
]);
