import { type FormValue, fillForm } from "@askwire/client/json-schema";
import { validate } from "@askwire/protocol";
import { defined, FormSchema } from "@askwire/protocol/internal";
import { askKey } from "./ask-key.js";
import { type NoReply, noReply } from "./ask-questions.js";
import type { AskingSession } from "./asking-session.js";

/** The values that people gave to a form. */
export interface FormReply {
  readonly answered: true;
  /** The values by the names of the properties; for a schema of one value that is no object, that value. */
  readonly values: Readonly<Record<string, FormValue>> | FormValue;
}

/** A form to be asked. */
export interface FormInit {
  readonly message: string;
  /** The JSON Schema of the answer: an object of plain properties, or one plain value. */
  readonly schema: unknown;
  /** The ids that no other ask has together. */
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  /** The time when an answer no longer counts, in milliseconds since 1970. Default: none. */
  readonly until?: number | undefined;
}

/** The property of a schema that is no object. */
const ONLY = "value";

/**
 * Puts a form to people. What does not fit the schema is asked again, with the mistake.
 *
 * @throws Unshowable for a form that cannot be shown as intended, TypeError for a schema of another form, LocalError and
 * WireError as `session.ask`.
 */
export async function askByForm(
  session: AskingSession,
  { message, schema, ids, signal, until }: FormInit,
): Promise<FormReply | NoReply> {
  const { type } = Object(schema) as { readonly type?: unknown };
  const isObject = type === undefined || type === "object";
  const form = validate(FormSchema, isObject ? schema : { properties: { [ONLY]: schema }, required: [ONLY] });
  if (!form.ok) throw new TypeError(`a form's schema: ${form.problem}`);
  const end = await fillForm({ message, schema: form.value }, async (questions, round) => {
    const deadline =
      until === undefined ? undefined : { ms: Math.max(1, until - Date.now()), on_expiry: "cancel" as const };
    const key = await askKey(...ids, ...(round === 0 ? [] : [`again-${round}`]));
    const { outcome, items } = await session.ask({ questions, key, signal, ...defined({ deadline }) });
    return { outcome, items };
  });
  if ("outcome" in end) return noReply(end.outcome);
  if ("unfit" in end) {
    const message = `The answers did not fit: ${end.unfit}. Go on without them, and do not take silence for consent.`;
    return { answered: false, status: "declined", message };
  }
  const values = Object.fromEntries(end.content);
  return { answered: true, values: isObject ? values : (values[ONLY] as FormValue) };
}
