import { outcomeActors, outcomeReasons } from "../outcome.js";
import * as z from "../zod.js";

/** The statuses that a decision can have. */
export const decisionStatuses = Object.keys(outcomeReasons) as (keyof typeof outcomeReasons)[];

/** A question or an approval that is over, as a list of what was decided shows it (P-XPD-2). Texts are cut to a bound. */
export const ListedDecision = z.looseObject({
  /** The time of its outcome, in ISO 8601. */
  at: z.string(),
  /** The time when somebody was asked. Absent where nobody was. */
  asked_at: z.optional(z.string()),
  session_id: z.string(),
  /** The subject of the session, as in a list of sessions. */
  title: z.optional(z.string()),
  folder: z.optional(z.string()),
  kind: z.literal(["question", "approval"]),
  request_id: z.optional(z.string()),
  tool_call_id: z.optional(z.string()),
  /** The name of the connected program that asked. */
  program: z.optional(z.string()),
  /** The questions in words, or what was to be approved. */
  asked: z.optional(z.string()),
  /** The SHA-256 of the whole request as canonical JSON, in hexadecimal digits. */
  digest: z.optional(z.string()),
  /** The request without its ids. Absent where it is too long. */
  request: z.optional(z.unknown()),
  status: z.string(),
  reason: z.optional(z.string()),
  by: z.optional(z.literal(outcomeActors)),
  /** The rule that answered in place of a person. */
  rule: z.optional(z.string()),
  /** The answer in words. */
  answer: z.optional(z.string()),
  /** The answer as it was kept. Absent where it is too long. */
  response: z.optional(z.unknown()),
  note: z.optional(z.string()),
  /** The person by the word of the server's door; with `via` alone where the name was removed. */
  who: z.optional(
    z.looseObject({
      ...{ id: z.optional(z.string()), name: z.optional(z.string()) },
      ...{ via: z.string(), device: z.optional(z.string()) },
    }),
  ),
  /** The client by its own word. */
  client: z.optional(z.looseObject({ name: z.string(), connection: z.optional(z.string()) })),
  answer_id: z.optional(z.string()),
  /** The digest of the name and words that were removed. */
  forgotten: z.optional(z.string()),
  /** True where a text was cut, or the request or the answer left out, for its length. */
  cut: z.optional(z.literal(true)),
});
export type ListedDecision = z.output<typeof ListedDecision>;
