// An agent of AI SDK 6 or 7 whose approvals may take longer than its process lives. Usage: node two-calls.mjs ADDRESS MODEL_URL
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdkApprovalMessage } from "@askwire/adapters/ai-sdk";
import { connectWebSocket } from "@askwire/client/websocket";
import { generateText, tool } from "ai";
import * as z from "zod";

const [address = "", baseURL = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release agent" } });
const model = createOpenAICompatible({ name: "local", baseURL })("qwen3");
const deploy = tool({
  description: "Deploys a build",
  inputSchema: z.object({ build: z.number() }),
  needsApproval: true,
  execute: async ({ build }) => `Build ${build} is live.`,
});
// #region two-calls
/** @type {import("ai").ModelMessage[]} */
const messages = [{ role: "user", content: "Deploy build 42" }];
for (;;) {
  const { finishReason, text, response } = await generateText({ model, tools: { deploy }, messages });
  messages.push(...response.messages);
  // Keep `messages` as JSON here: another process can go on from this line.
  const decisions = await aiSdkApprovalMessage(session, messages, { run: "release-42" });
  if (decisions !== undefined) messages.push(decisions);
  else if (finishReason !== "tool-calls") {
    console.log(text);
    break;
  }
}
// #endregion two-calls
await session.close();
