// @ts-check
// An agent whose model sees only names of tools, and asks for their parameters. To see it:
//   node_modules/.bin/askwire chat --prompt hello -- node examples/services-agent.mjs

import { modelAgent, scriptedModel } from "@askwire/agent";
import { adp, kimi } from "@askwire/dialects";
import { createServer, defineTool, serveStdio } from "@askwire/server";
import * as z from "zod/mini";

const forecast = defineTool({
  name: "forecast",
  description: "Tells the weather of a day.",
  parameters: z.object({ city: z.string(), day: z.string() }),
  run: ({ city, day }) => `Rain in ${city} on ${day}.`,
});

const scripts = [
  "text: <tool_param><tool_id>weather</tool_id><action>forecast</action></tool_param>",
  'text: <weather><forecast>{"city": "Bergen", "day": "Monday"}</forecast></weather><execute_tools />',
  "text: Take an umbrella.",
];

// #region services
const weather = {
  id: "weather",
  description: "Knows the weather.",
  aliases: ["climate"],
  actions: [{ tool: forecast }],
};

// A model for each session, since it counts its calls.
const agent = () => modelAgent({ model: scriptedModel(scripts) });
await serveStdio(createServer({ agent, dialects: [adp({ services: () => [weather] }), kimi()] }));
// #endregion services
