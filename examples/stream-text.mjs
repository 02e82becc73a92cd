// @ts-check
// Your own loop of the AI SDK, with a tool that asks and one that the person approves. Usage:
// OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 askwire chat -- node stream-text.mjs
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const { OPENAI_BASE_URL: baseURL = "http://127.0.0.1:11434/v1", MODEL = "qwen3" } = process.env;
const model = createOpenAICompatible({ name: "local", baseURL })(MODEL);

// #region stream-text
import { aiSdkTools } from "@askwire/agent/ai";
import { ask, createServer, serveStdio } from "@askwire/server";
import { stepCountIs, streamText, tool } from "ai";
import * as z from "zod";

const askUser = tool({
  description: "Asks the user to choose.",
  inputSchema: z.object({ question: z.string(), options: z.array(z.string()) }),
  async execute({ question, options }) {
    const { answer, toolError } = await ask(question, options);
    if (answer === undefined) throw toolError;
    return answer;
  },
});
const release = tool({
  description: "Releases a version.",
  inputSchema: z.object({ version: z.string() }),
  needsApproval: true,
  execute: async ({ version }) => `${version} is out`,
});

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const tools = aiSdkTools(turn, { askUser, release });
    const stopWhen = [stepCountIs(20), () => turn.stopped];
    const prompt = String(turn.input);
    const { textStream } = streamText({ model, tools, stopWhen, prompt, abortSignal: turn.signal });
    for await (const text of textStream) turn.say(text);
  },
};
await serveStdio(createServer({ agent }));
// #endregion stream-text
