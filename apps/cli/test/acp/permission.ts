import { fileURLToPath } from "node:url";

/** An ACP agent that does what its client says. */
export const agent = fileURLToPath(
  new URL("../../../../packages/relays/test/acp/scripted-agent.mjs", import.meta.url),
);

/** The permission that it asks for. */
export const permission = {
  toolCall: { toolCallId: "call-1", title: "npm test", kind: "execute", rawInput: { command: "npm test" } },
  options: [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ],
};
