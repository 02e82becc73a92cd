// The parts of a request for input that are read. ACP and MCP have the same forms and links. All else is passed over.
import * as z from "@askwire/protocol/internal";

const text = z.string();
const nullish = (schema: z.ZodMiniType<string>) => z.optional(z.nullable(schema));

/** A request for input. Members of other modes are not read. */
export const Elicitation = z.looseObject({
  mode: z.optional(text),
  message: text,
  sessionId: nullish(text),
  toolCallId: nullish(text),
  requestedSchema: z.optional(z.FormSchema),
  elicitationId: z.optional(text),
  url: z.optional(text),
});
export type Elicitation = z.output<typeof Elicitation>;
