import { type FormEnd, Unshowable } from "@askwire/client/json-schema";
import { type AgentSession, QuestionRequest } from "@askwire/server";
import { askElicited } from "./ask-person.js";
import type { Elicitation } from "./shapes.js";

/** The longest address that is shown. */
const MOST_ADDRESS = 4_096;

/** Addresses that are shown, for which the agent may itself report that a person is done. */
export interface OpenLinks {
  /** Asks a person to open an address, and waits until that is done. Nothing is opened by itself. */
  ask(asked: Elicitation, signal: AbortSignal, session: Pick<AgentSession, "open">): Promise<FormEnd>;
  /** The agent says that the person is done at an address. */
  complete(elicitationId: string): void;
}

export function openLinks(): OpenLinks {
  const open = new Map<string, QuestionRequest>();
  const done = new WeakSet<QuestionRequest>();
  return {
    async ask(asked, signal, session) {
      const address = addressOf(asked.url ?? "");
      const request = new QuestionRequest({
        tool_call_id: asked.toolCallId ?? "",
        questions: [
          {
            question: asked.message,
            header: address.host,
            // A backtick would end the code, and the rest of the address would be Markdown.
            body: `Open this address yourself, if you trust it:\n\n\`${address.href.replaceAll("`", "%60")}\``,
            options: [{ label: "I have finished there" }, { label: "No" }],
            own_text: false,
          },
        ],
      });
      const id = asked.elicitationId ?? "";
      open.set(id, request);
      try {
        const { outcome, answer } = await askElicited(session, request, signal);
        const chosen = answer?.items[0]?.selected[0];
        if (done.has(request) || chosen === "q1_o1") return { content: new Map(), notes: new Map() };
        return {
          outcome: chosen === undefined ? outcome : { ...outcome, status: "declined", reason: "dismissed" },
        };
      } finally {
        if (open.get(id) === request) open.delete(id);
      }
    },
    complete(elicitationId) {
      const request = open.get(elicitationId);
      if (request === undefined || request.resolved) return;
      done.add(request);
      request.reject("the agent says that it is done");
    },
  };
}

/** An address that goes to one place under a name that can be read, over a connection that nobody listens to. */
function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || url.length > MOST_ADDRESS)
    throw new Unshowable("its address is none, or too long");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  if (address.protocol !== "https:" && !(address.protocol === "http:" && isLocal)) {
    throw new Unshowable(`its address begins with ${address.protocol}; expected https:`);
  }
  if (address.username !== "" || address.password !== "") {
    throw new Unshowable("its address has a user name, which hides where it goes");
  }
  return address;
}
