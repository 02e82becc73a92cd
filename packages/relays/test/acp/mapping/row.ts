import type { openConversation } from "../conversation.js";

/** A conversation with the scripted agent. */
export type Agent = Awaited<ReturnType<typeof openConversation>>;

/** A row of the table in docs/acp.md, with the trip that shows it. */
export interface Row {
  readonly acp: string;
  readonly askwire: string;
  readonly lost: string;
  trip(agent: Agent): Promise<void>;
}

/** The parts of the agent's content that clients were told. */
export const parts = (agent: Agent) => agent.told("ContentPart") as unknown[];

/** Content of text. */
export const text = (words: string) => ({ type: "text", text: words });

/** A form with a field that may be left empty. */
export const form = {
  mode: "form",
  message: "Which?",
  requestedSchema: { type: "object", properties: { k: { type: "string" } } },
};
