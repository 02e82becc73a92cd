// An agent of Mastra that asks, and deploys what a person approved. Usage: node mastra.mjs ADDRESS MODEL_URL
// #region mastra
import { driveMastra } from "@askwire/adapters/mastra";
import { connectWebSocket } from "@askwire/client/websocket";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import * as z from "zod";

const [address = "", url = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release agent" } });

const Place = z.object({ where: z.enum(["staging", "production", "nowhere"]) });
const deploy = createTool({
  id: "deploy",
  description: "Deploys a build",
  inputSchema: z.object({ build: z.number() }),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: Place,
  requireApproval: true,
  async execute({ build }, { agent: { resumeData, suspend } = {} }) {
    if (resumeData === undefined) return suspend?.({ message: `Where should build ${build} go?` });
    const { where } = Place.parse(resumeData);
    return where === "nowhere" ? "Nothing was done." : `Build ${build} is on ${where}.`;
  },
});
const releaser = new Agent({
  id: "releaser",
  name: "Releaser",
  instructions: "You deploy builds.",
  model: { id: "local/qwen3", url, apiKey: "none" },
  tools: { deploy },
});
const mastra = new Mastra({ agents: { releaser }, storage: new InMemoryStore(), logger: false });
const agent = mastra.getAgent("releaser");
const stream = await driveMastra(session, {
  agent,
  input: "Deploy build 42",
  refusal: () => ({ where: "nowhere" }),
});
console.log(await stream.text);
await session.close();
// #endregion mastra
