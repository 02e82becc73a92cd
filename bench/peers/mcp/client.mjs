/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/**
 * The client's own stdio transport starts the server itself; the server's one takes any two streams and frames
 * in the same way.
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
