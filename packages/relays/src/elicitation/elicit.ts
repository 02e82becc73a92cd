import { type FormEnd, type FormValue, Unshowable } from "@askwire/client/json-schema";
import type { HeardOutcome, Outcome } from "@askwire/protocol";
import { askForm } from "./ask-form.js";
import type { OpenLinks } from "./ask-link.js";
import type { AsksQuestions } from "./ask-questions.js";
import { outcomeMeta } from "./outcome-meta.js";
import type { Elicitation } from "./shapes.js";

/** The name of the notes that a person wrote next to answers, by property. */
const NOTES = "askwire.dev/notes";
/** The name of the reason for which a person was not asked. */
export const REASON = "askwire.dev/reason";

/** The reply to `elicitation/create`, in ACP and in MCP. */
export interface ElicitationReply {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: { readonly [key: string]: FormValue };
  readonly _meta?: Record<string, unknown>;
}

/** The surroundings of a request for input. */
export interface ElicitationPlace {
  readonly ask: AsksQuestions;
  readonly links: OpenLinks;
  /** Tells the person of a request that cannot be shown, with the reason. */
  readonly unshowable: (reason: string) => void;
  /** The reply where no client can show questions. Default: `cancel` with the cause. */
  readonly unsupported?: (outcome: Outcome | HeardOutcome) => never;
}

/** Puts `elicitation/create` to the person. A form that cannot be shown is declined, with the reason. */
export async function elicit(
  asked: Elicitation,
  signal: AbortSignal,
  { ask, links, unshowable, unsupported }: ElicitationPlace,
): Promise<ElicitationReply> {
  const { mode = "form" } = asked;
  if (mode !== "form" && mode !== "url")
    return { action: "cancel", _meta: { [REASON]: `the mode ${JSON.stringify(mode)} is not known` } };
  try {
    const end = mode === "form" ? await askForm(asked, signal, ask) : await links.ask(asked, signal, ask);
    if ("outcome" in end && end.outcome.reason === "unsupported") unsupported?.(end.outcome);
    return replyTo(end, mode);
  } catch (error) {
    if (!(error instanceof Unshowable)) throw error;
    unshowable(error.message);
    return { action: "decline", _meta: { [REASON]: error.message } };
  }
}

/** A person's no is `decline`. Without a person's word the reply is `cancel`: agents read the two differently. */
function replyTo(end: FormEnd<Outcome | HeardOutcome>, mode: "form" | "url"): ElicitationReply {
  if ("unfit" in end) return { action: "cancel", _meta: { [REASON]: end.unfit } };
  if ("outcome" in end)
    return { action: end.outcome.status === "declined" ? "decline" : "cancel", ...outcomeMeta(end.outcome) };
  if (mode === "url") return { action: "accept" };
  const { content, notes } = end;
  return {
    action: "accept",
    content: Object.fromEntries(content),
    ...(notes.size > 0 && { _meta: { [NOTES]: Object.fromEntries(notes) } }),
  };
}
