/** @import { Serve } from "../../contract.js" */
/** @import { CreateAsker } from "../acp/agent.mjs" */
import { methods } from "@agentclientprotocol/sdk";
import * as acp from "../acp/agent.mjs";

/** Asks with a form of one choice. @type {CreateAsker} */
const elicitationAsker = (client) => ({
  async ask({ question, header, options }) {
    const reply = await client.request(methods.client.elicitation.create, {
      mode: "form",
      sessionId: "s1",
      message: question,
      requestedSchema: {
        type: "object",
        properties: {
          answer: {
            type: "string",
            title: header,
            oneOf: options.map(({ label, description }) => ({
              const: label,
              title: `${label}: ${description}`,
            })),
          },
        },
        required: ["answer"],
      },
    });
    return "content" in reply ? String(/** @type {any} */ (reply).content?.answer) : "";
  },
});

/** @type {(serve: Serve) => void} */
export const overStdio = (serve) => acp.overStdio(serve, elicitationAsker);

/** @type {(serve: Serve) => Promise<string>} */
export const overWebSocket = (serve) => acp.overWebSocket(serve, elicitationAsker);
