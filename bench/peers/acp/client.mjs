/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { ClientApp, ClientCapabilities, Stream } from "@agentclientprotocol/sdk" */
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/**
 * The way in which a client is asked: its handler of the request, and what it says in `initialize`.
 * @typedef {object} Way
 * @property {ClientCapabilities} clientCapabilities
 * @property {(app: ClientApp, answerer: Answerer) => ClientApp} answer
 */

/** @type {Way} */
const permission = {
  clientCapabilities: {},
  answer: (app, answerer) =>
    app.onRequest(methods.client.session.requestPermission, async ({ params: { toolCall, options } }) => {
      const choice = answerer.decide(toolCall.title ?? "");
      const optionId = options[typeof choice === "number" ? choice : await choice]?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    }),
};

/** @type {(stream: Stream, answerer: Answerer, way: Way) => Promise<Connection>} */
async function answering(stream, answerer, { clientCapabilities, answer }) {
  const { agent } = answer(client({ name: "bench" }), answerer).connect(stream);
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
  return {
    begin() {
      agent
        .request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "ask" }] })
        .catch(() => {});
    },
  };
}

/** @type {(input: Readable, output: Writable, answerer: Answerer, way?: Way) => Promise<Connection>} */
export function overStdio(input, output, answerer, way = permission) {
  const readable = /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(input));
  return answering(ndJsonStream(Writable.toWeb(output), readable), answerer, way);
}

/** @type {(url: string, answerer: Answerer, way?: Way) => Promise<Connection>} */
export async function overWebSocket(url, answerer, way = permission) {
  const [{ WebSocket }, { createWebSocketStream }] = await Promise.all([
    import("ws"),
    import("@agentclientprotocol/sdk/experimental/ws-client"),
  ]);
  return answering(createWebSocketStream(url, { WebSocket }), answerer, way);
}
