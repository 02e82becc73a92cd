/** @import { Asker, Serve } from "../../contract.js" */
/** @import { AgentApp, AgentContext, RequestPermissionRequest } from "@agentclientprotocol/sdk" */
/** @import { AddressInfo } from "node:net" */
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/** @typedef {(client: AgentContext) => Asker} CreateAsker */

/** Asks as a tool call that needs permission. @type {CreateAsker} */
function permissionAsker(client) {
  let last = 0;
  return {
    async ask({ question, header, options }) {
      /** @type {RequestPermissionRequest} */
      const request = {
        sessionId: "s1",
        toolCall: {
          toolCallId: `q${++last}`,
          title: question,
          kind: "other",
          status: "pending",
          rawInput: { header },
        },
        options: options.map(({ label, description }) => ({
          optionId: label,
          name: `${label}: ${description}`,
          kind: "allow_once",
        })),
      };
      const { outcome } = await client.request(methods.client.session.requestPermission, request);
      return outcome.outcome === "selected" ? outcome.optionId : "";
    },
  };
}

/**
 * Makes an app whose first prompt begins the questions.
 * @type {(serve: Serve, createAsker: CreateAsker) => AgentApp}
 */
function createApp(serve, createAsker) {
  return agent({ name: "bench" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      await serve(createAsker(client));
      return { stopReason: "end_turn" };
    });
}

/** @type {(serve: Serve, createAsker?: CreateAsker) => void} */
export function overStdio(serve, createAsker = permissionAsker) {
  const input = /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(process.stdin));
  createApp(serve, createAsker).connect(ndJsonStream(Writable.toWeb(process.stdout), input));
}

/** @type {(serve: Serve, createAsker?: CreateAsker) => Promise<string>} */
export async function overWebSocket(serve, createAsker = permissionAsker) {
  const [{ createServer }, { WebSocketServer }, { AcpServer }, { createNodeWebSocketUpgradeHandler }] =
    await Promise.all([
      import("node:http"),
      import("ws"),
      import("@agentclientprotocol/sdk/experimental/server"),
      import("@agentclientprotocol/sdk/experimental/node"),
    ]);
  const acp = new AcpServer({ createAgent: () => createApp(serve, createAsker) });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const http = createServer().on("upgrade", createNodeWebSocketUpgradeHandler(acp, sockets));
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  return `ws://127.0.0.1:${/** @type {AddressInfo} */ (http.address()).port}`;
}
