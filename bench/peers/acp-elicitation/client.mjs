/** @import { ClientModule } from "../../contract.js" */
/** @import { Way } from "../acp/client.mjs" */
import { methods } from "@agentclientprotocol/sdk";
import * as acp from "../acp/client.mjs";

/** @type {Way} */
const elicitation = {
  clientCapabilities: { elicitation: { form: {} } },
  answer: (app, answerer) =>
    app.onRequest(methods.client.elicitation.create, async ({ params }) => {
      const choice = answerer.decide(params.message);
      const index = typeof choice === "number" ? choice : await choice;
      const { properties } = /** @type {any} */ (params).requestedSchema;
      return { action: "accept", content: { answer: properties.answer.oneOf[index].const } };
    }),
};

/** @type {ClientModule["overStdio"]} */
export const overStdio = (input, output, answerer) => acp.overStdio(input, output, answerer, elicitation);

/** @type {NonNullable<ClientModule["overWebSocket"]>} */
export const overWebSocket = (url, answerer) => acp.overWebSocket(url, answerer, elicitation);
