/** @import { Answerer } from "../../contract.js" */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** @type {(url: string, answerer: Answerer) => Promise<void>} */
export async function connect(url, answerer) {
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const schema = /** @type {any} */ (params).requestedSchema;
    const index = await answerer.decide(params.message);
    return { action: "accept", content: { answer: schema.properties.answer.enum[index] } };
  });
  await client.connect(new WebSocketClientTransport(new URL(url)));
}
