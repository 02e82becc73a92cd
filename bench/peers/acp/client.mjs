/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Stream } from "@agentclientprotocol/sdk" */
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/** @type {(stream: Stream, answerer: Answerer) => Promise<Connection>} */
async function answering(stream, answerer) {
  const { agent } = client({ name: "bench" })
    .onRequest(methods.client.session.requestPermission, async ({ params: { toolCall, options } }) => {
      const choice = answerer.decide(toolCall.title ?? "");
      const optionId = options[typeof choice === "number" ? choice : await choice]?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    })
    .connect(stream);
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
  return {
    begin() {
      agent
        .request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "ask" }] })
        .catch(() => {});
    },
  };
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export function overStdio(input, output, answerer) {
  const readable = /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(input));
  return answering(ndJsonStream(Writable.toWeb(output), readable), answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  const [{ WebSocket }, { createWebSocketStream }] = await Promise.all([
    import("ws"),
    import("@agentclientprotocol/sdk/experimental/ws-client"),
  ]);
  return answering(createWebSocketStream(url, { WebSocket }), answerer);
}
