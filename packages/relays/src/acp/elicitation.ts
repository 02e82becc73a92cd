import type { AgentSession } from "@askwire/server";
import type { OpenLinks } from "../elicitation/ask-link.js";
import { askIn } from "../elicitation/ask-person.js";
import { type ElicitationReply, elicit } from "../elicitation/elicit.js";
import { Elicitation } from "../elicitation/shapes.js";
import { AcpError } from "./acp-error.js";
import { tellPerson } from "./notices.js";
import { readParams } from "./reading.js";

/** Puts `elicitation/create` of an agent to the person. */
export async function answerElicitation(
  params: unknown,
  signal: AbortSignal,
  session: AgentSession,
  links: OpenLinks,
): Promise<ElicitationReply> {
  const asked = readParams(Elicitation, params);
  return elicit(asked, signal, {
    ask: askIn(session),
    links,
    unshowable(reason) {
      const title = "The agent asked for something that cannot be shown, and was told so";
      tellPerson(session, { severity: "warning", title, body: `${asked.message}: ${reason}` });
    },
    unsupported() {
      throw new AcpError("methodNotFound", "no client can show questions");
    },
  });
}
