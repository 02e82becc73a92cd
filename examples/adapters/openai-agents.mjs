// An agent of OpenAI's SDK that asks, and deploys what a person approved. Usage: node openai-agents.mjs ADDRESS MODEL_URL
// #region openai-agents
import { driveOpenAi, openAiAsk } from "@askwire/adapters/openai-agents";
import { connectWebSocket } from "@askwire/client/websocket";
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import * as z from "zod";

const [address = "", baseURL = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release agent" } });
const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL, useResponses: false });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const run = "release-42";

const Option = z.object({ label: z.string() });
const Question = z.object({ question: z.string(), options: z.array(Option) });
const askUser = tool({
  name: "ask_user",
  description: "Asks the user",
  parameters: z.object({ questions: z.array(Question) }),
  execute: openAiAsk(session, { run }),
});
const deploy = tool({
  name: "deploy",
  description: "Deploys a build",
  parameters: z.object({ build: z.number() }),
  needsApproval: true,
  execute: async ({ build }) => `Build ${build} is live.`,
});
const agent = new Agent({ name: "Releaser", model: "qwen3", tools: [askUser, deploy] });
const result = await driveOpenAi(session, {
  run,
  start: () => runner.run(agent, "Deploy build 42"),
  resume: (state) => runner.run(agent, state),
});
console.log(result.finalOutput);
await session.close();
// #endregion openai-agents
