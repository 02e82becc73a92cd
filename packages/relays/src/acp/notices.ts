import type { AgentSession, Notice } from "@askwire/server";
import type { LiveAgent } from "./life.js";

/** Tells the person something about the agent, outside the conversation. */
export function tellPerson(
  session: AgentSession,
  notice: Pick<Notice, "severity" | "title"> & { readonly body?: string; readonly type?: string },
): void {
  const { severity, title, body = "", type = "agent" } = notice;
  void session.notify({
    category: "agent",
    type,
    source_kind: "agent",
    source_id: session.id,
    title,
    body,
    severity,
  });
}

/** Reports that an agent takes its time to start. */
export const tellSlowStart = (session: AgentSession, mostMs: number): void =>
  tellPerson(session, {
    severity: "info",
    title: "The agent has not answered yet, and is waited for",
    body: `It has up to ${Math.round(mostMs / 1_000)} s. A cancel gives it up.`,
    type: "start",
  });

/** Reports that an agent was started again, or has lost its conversation. Nothing is told of a first start. */
export function tellStart(
  session: AgentSession,
  { conversation: { how } }: LiveAgent,
  ended: Error | undefined,
): void {
  const lost =
    "It does not have the conversation any more, and begins a new one: tell it what it has to know.";
  const next = how === "lost" ? lost : "Its conversation goes on.";
  if (ended !== undefined) {
    const title = "The agent was started again";
    tellPerson(session, { severity: "warning", title, body: `${ended.message}. ${next}`, type: "restart" });
  } else if (how === "lost") {
    tellPerson(session, { severity: "warning", title: "The agent begins anew", body: lost, type: "restart" });
  }
}

/** The ends of a turn that a person is told of, by the reason that the agent gives. */
const endings = new Map([
  ["max_tokens", "The agent has reached its limit of tokens"],
  ["refusal", "The agent refuses to go on"],
  ["max_turn_requests", "The agent has reached its limit of requests in a turn"],
]);

/** Reports how a turn ended, unless it ended as usual. */
export function tellEnding(session: AgentSession, reason: string): void {
  if (reason === "end_turn" || reason === "cancelled") return;
  const title = endings.get(reason) ?? `The agent has ended its turn: ${reason}`;
  tellPerson(session, { severity: "warning", title, type: "ending" });
}
