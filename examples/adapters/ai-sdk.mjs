// An agent of AI SDK 7 that asks, and deploys what a person approved. Usage: node ai-sdk.mjs ADDRESS MODEL_URL
// #region ai-sdk
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdkApproval, aiSdkAsk } from "@askwire/adapters/ai-sdk";
import { connectWebSocket } from "@askwire/client/websocket";
import { generateText, stepCountIs, tool } from "ai";
import * as z from "zod";

const [address = "", baseURL = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release agent" } });
const run = "release-42";

const Option = z.object({ label: z.string() });
const Question = z.object({ question: z.string(), options: z.array(Option) });
const { text } = await generateText({
  model: createOpenAICompatible({ name: "local", baseURL })("qwen3"),
  tools: {
    ask_user: tool({
      description: "Asks the user",
      inputSchema: z.object({ questions: z.array(Question) }),
      execute: aiSdkAsk(session, { run }),
    }),
    deploy: tool({
      description: "Deploys a build",
      inputSchema: z.object({ build: z.number() }),
      execute: async ({ build }) => `Build ${build} is live.`,
    }),
  },
  toolApproval: aiSdkApproval(session, { run, only: ({ name }) => name !== "ask_user" }),
  stopWhen: stepCountIs(20),
  prompt: "Deploy build 42",
});
console.log(text);
await session.close();
// #endregion ai-sdk
