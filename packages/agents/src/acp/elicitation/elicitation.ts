import type { Outcome } from "@askwire/protocol";
import type { AgentSession } from "@askwire/server";
import { AcpError } from "../acp-error.js";
import { tellPerson } from "../notices.js";
import { outcomeMeta } from "../outcome-meta.js";
import { readParams } from "../reading.js";
import { Elicitation } from "../shapes.js";
import { askForm, type FormEnd } from "./ask-form.js";
import type { OpenLinks } from "./ask-link.js";
import { Unshowable } from "./form-field.js";

/** The name of the notes that a person wrote beside answers, by property. */
const NOTES = "askwire.dev/notes";
/** The name of the reason for which a person was not asked. */
const REASON = "askwire.dev/reason";

/** Puts `elicitation/create` to the person. A form that cannot be shown is declined, with the reason. */
export async function answerElicitation(
  params: unknown,
  signal: AbortSignal,
  session: AgentSession,
  links: OpenLinks,
): Promise<Record<string, unknown>> {
  const asked = readParams(Elicitation, params);
  const { mode = "form" } = asked;
  if (mode !== "form" && mode !== "url") {
    return { action: "cancel", _meta: { [REASON]: `the mode ${JSON.stringify(mode)} is not known` } };
  }
  try {
    return replyTo(
      mode === "form" ? await askForm(asked, signal, session) : await links.ask(asked, signal, session),
    );
  } catch (error) {
    if (!(error instanceof Unshowable)) throw error;
    const title = "The agent asked for something that cannot be shown, and was told so";
    tellPerson(session, { severity: "warning", title, body: `${asked.message}: ${error.message}` });
    return { action: "decline", _meta: { [REASON]: error.message } };
  }
}

function replyTo(end: FormEnd): Record<string, unknown> {
  if ("unfit" in end) return { action: "cancel", _meta: { [REASON]: end.unfit } };
  if ("outcome" in end) return replyToNone(end.outcome);
  const { content, notes } = end;
  return {
    action: "accept",
    content: Object.fromEntries(content),
    ...(notes.size > 0 && { _meta: { [NOTES]: Object.fromEntries(notes) } }),
  };
}

/** A person's no is `decline`. Without a person's word it is `cancel`: agents read the two differently. */
function replyToNone(outcome: Outcome): Record<string, unknown> {
  if (outcome.reason === "unsupported") throw new AcpError("methodNotFound", "no client can show questions");
  return { action: outcome.status === "declined" ? "decline" : "cancel", ...outcomeMeta(outcome) };
}
