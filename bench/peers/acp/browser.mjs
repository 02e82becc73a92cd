/** @import { Answerer } from "../../contract.js" */
import { client, methods } from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";

/** @type {(url: string, answerer: Answerer) => Promise<void>} */
export async function connect(url, answerer) {
  const { agent } = client({ name: "bench" })
    .onRequest(methods.client.session.requestPermission, async ({ params: { toolCall, options } }) => {
      const optionId = options[await answerer.decide(toolCall.title ?? "")]?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    })
    .connect(createWebSocketStream(url));
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
  await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "ask" }] });
}
