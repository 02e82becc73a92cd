import { validate } from "@askwire/protocol";
import type { AgentSession } from "@askwire/server";
import { openLinks } from "../elicitation/ask-link.js";
import { askIn } from "../elicitation/ask-person.js";
import { type ElicitationReply, elicit, REASON } from "../elicitation/elicit.js";
import { Elicitation } from "../elicitation/shapes.js";
import type { CallPatience } from "./call-patience.js";

/** The most questions of a server that are open at a time. */
const MOST_OPEN = 8;

/** The questions of a server to the persons of a session. */
export interface ServerQuestions {
  /** Answers `elicitation/create`. */
  answer(params: unknown, signal: AbortSignal): Promise<ElicitationReply>;
  complete(elicitationId: string): void;
  /** Begins a call, whose time stands still while the server asks. */
  begin(callId: string, patience: CallPatience): { end(): void };
}

export function serverQuestions(
  name: string,
  session: Pick<AgentSession, "open">,
  tell: (title: string, body: string) => void,
): ServerQuestions {
  const links = openLinks();
  const running = new Map<CallPatience, string>();
  /** Each lets the time of a call continue. */
  const held: (() => void)[] = [];
  let open = 0;

  return {
    async answer(params, signal) {
      const read = validate(Elicitation, params);
      if (!read.ok) throw new Error(`Invalid params: ${read.problem}`);
      if (open >= MOST_OPEN) {
        const reason = `${MOST_OPEN} questions of this server are open: ask again once one is answered`;
        tell(
          `The MCP server ${name} asked more than ${MOST_OPEN} questions at once, and was told to wait`,
          reason,
        );
        return { action: "cancel", _meta: { [REASON]: reason } };
      }
      open += 1;
      if (open === 1) held.push(...[...running.keys()].map((patience) => patience.hold()));
      const asked = fromServer(read.value as Elicitation, name, running);
      try {
        return await elicit(asked, signal, {
          ask: askIn(session),
          links,
          unshowable: (reason) =>
            tell(
              `The MCP server ${name} asked for something that cannot be shown, and was told so`,
              `${asked.message}: ${reason}`,
            ),
        });
      } finally {
        open -= 1;
        if (open === 0) for (const goOn of held.splice(0)) goOn();
      }
    },
    complete: links.complete,
    begin(callId, patience) {
      running.set(patience, callId);
      if (open > 0) held.push(patience.hold());
      return { end: () => void running.delete(patience) };
    },
  };
}

/** The request with the server's name for the person. A server that runs one call asks within it. */
function fromServer(asked: Elicitation, name: string, running: ReadonlyMap<unknown, string>): Elicitation {
  const [callId] = running.size === 1 ? running.values() : [];
  const { message, requestedSchema = {} } = asked;
  const from = `From the MCP server ${name}`;
  const call = callId === undefined ? {} : { toolCallId: callId };
  if (asked.mode === "url" || Object.keys(requestedSchema.properties ?? {}).length === 0)
    return { ...asked, ...call, message: `${from}: ${message}` };
  const title = [from, requestedSchema.title ?? ""].filter((text) => text !== "").join(": ");
  return { ...asked, ...call, requestedSchema: { ...requestedSchema, title } };
}
