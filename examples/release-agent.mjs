// @ts-check
// An agent around a model: a tool that asks for approval, another agent within it, a command, sessions that are kept.
//   node release-agent.mjs SCRIPTS FOLDER [SESSION]
import { readFileSync } from "node:fs";
// #region release-agent
import { modelAgent, readScripts, scriptedModel } from "@askwire/agent";
import { createServer, defineTool, keepIn, requireApproval, serveStdio } from "@askwire/server";
import * as z from "zod";

const [scripts = "", share = "", sessionId] = process.argv.slice(2);
const model = scriptedModel(readScripts(readFileSync(scripts, "utf8"), scripts));
const writer = modelAgent({ model: scriptedModel(["text: Faster, and fewer bugs."]) });

const release = defineTool({
  name: "Release",
  description: "Releases a version.",
  parameters: z.object({ version: z.string() }),
  async run({ version }, { subagent }) {
    await requireApproval({ action: "release", description: `release ${version}` });
    const notes = await subagent({ agent: writer, type: "writer", input: `Notes for ${version}` });
    return `${version} is out: ${notes.text}`;
  },
});

/** @type {import("@askwire/server").AgentFactory} */
const agent = ({ history }) =>
  modelAgent({
    model,
    tools: [release],
    history,
    commands: ({ clear }) => [
      { name: "clear", description: "Forget the conversation", run: async () => clear() },
    ],
  });

const server = createServer({ agent, keep: keepIn({ share, workDir: process.cwd() }) });
await serveStdio(server, sessionId === undefined ? {} : { sessionId });
// #endregion release-agent
