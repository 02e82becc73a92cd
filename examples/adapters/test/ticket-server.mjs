// A server of MCP over standard input and output, whose one tool asks for a ticket in a form and says what came of it.
import { textLines } from "@askwire/protocol/node";

const send = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const schema = { type: "object", properties: { id: { type: "string", title: "Ticket" } }, required: ["id"] };

/** @type {Record<string, (message: any) => void>} */
const handlers = {
  initialize: ({ id, params: { protocolVersion } }) =>
    send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tickets", version: "1" } },
    }),
  "tools/list": ({ id }) =>
    send({ id, result: { tools: [{ name: "open", inputSchema: { type: "object", properties: {} } }] } }),
  "tools/call": ({ id }) =>
    send({
      id: `form-${id}`,
      method: "elicitation/create",
      params: { mode: "form", message: "Which ticket?", requestedSchema: schema },
    }),
};

for await (const line of textLines(process.stdin)) {
  const message = JSON.parse(line);
  const [, call] = /^form-(.*)$/.exec(String(message.id)) ?? [];
  if (call !== undefined) {
    const text = JSON.stringify(message.result ?? message.error);
    send({ id: Number(call), result: { content: [{ type: "text", text }] } });
  } else if (handlers[message.method] !== undefined) handlers[message.method]?.(message);
  else if (message.id !== undefined)
    send({ id: message.id, error: { code: -32601, message: "no such method" } });
}
