/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/**
 * Frames as the client's own stdio transport does. That transport starts the server itself, while the server's
 * transport takes any two streams.
 * @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>}
 */
export async function overStdio(input, output, answerer) {
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const choice = answerer.decide(params.message);
    const index = typeof choice === "number" ? choice : await choice;
    const schema = /** @type {any} */ (params).requestedSchema;
    return { action: "accept", content: { answer: schema.properties.answer.enum[index] } };
  });
  await client.connect(new StdioServerTransport(input, output));
  return {};
}
