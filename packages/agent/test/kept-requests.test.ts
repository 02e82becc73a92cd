import { join } from "node:path";
import { defineTool, keepIn, sessionFolder } from "@askwire/server";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { kilo } from "../../dialects/src/index.js";
import { detailedLog, messagesOf, recordsIn, temporaryFolder } from "../../server/test/journal-folder.js";
import { callLine, scenario } from "../../server/test/scenario.js";
import { modelAgent, scriptedModel } from "../src/index.js";

const id = "11111111-1111-4111-8111-111111111111";

const look = defineTool({
  name: "Look",
  description: "looks",
  parameters: z.object({ at: z.string() }),
  run: ({ at }) => `saw ${at}`,
});

/** A kept session whose model runs these scripts. */
function kept(
  scripts: readonly string[],
  options: Parameters<typeof scenario>[1] = {},
  share = temporaryFolder(),
) {
  const place = { share, workDir: "/work" };
  const made = scenario(scripts, {
    keep: keepIn({ ...place, log: detailedLog() }),
    tools: [look],
    dialects: [],
    ...options,
    agentOptions: { system: "Be brief.", ...options.agentOptions },
  });
  return { ...made, share, folder: sessionFolder({ ...place, id }) };
}

/** The records of a folder of these types. */
const noted = (folder: string, ...types: string[]) =>
  messagesOf(folder).filter(({ type }) => types.includes(type));

test("a journal has the instructions and tools of a model once, and each step names them by their hashes (P-JRN-14)", async () => {
  const first = kept([callLine("Look", { at: "a" }), "text: Done."]);
  const { client } = await first.meet({ sessionId: id });
  await client.call("prompt", { user_input: "go" });
  await first.server.close();
  const second = kept(["text: Again."], {}, first.share);
  await (await second.meet({ sessionId: id })).client.call("prompt", { user_input: "again" });
  await second.server.close();
  const records = noted(first.folder, "ModelText", "ModelAsked", "StepBegin");
  const [system = {}, tools = {}] = noted(first.folder, "ModelText").map(({ payload }) => payload);
  expect(system).toEqual({ hash: expect.stringMatching(/^[\w-]{43}$/), content: "Be brief." });
  const { name, description, parameters } = look;
  expect(tools.content).toEqual([{ name, description, parameters }]);
  const asked = { type: "ModelAsked", payload: { system: system.hash, tools: tools.hash } };
  const types = records.map(({ type }) => type).join(" ");
  expect(types).toBe("StepBegin ModelText ModelText ModelAsked StepBegin ModelAsked StepBegin ModelAsked");
  expect(records.filter(({ type }) => type === "ModelAsked")).toEqual([asked, asked, asked]);
});

test("a journal has a change of the instructions, and names the earlier ones again when they return (P-JRN-14)", async () => {
  const { meet, server, folder } = kept(["text: One.", "text: Two.", "text: Three."]);
  const { client } = await meet({ sessionId: id });
  for (const enabled of [false, true, false]) {
    await client.call("set_plan_mode", { enabled });
    await client.call("prompt", { user_input: "go" });
  }
  await server.close();
  const texts = noted(folder, "ModelText").filter(({ payload }) => typeof payload.content === "string");
  expect(texts.map(({ payload }) => payload.content)).toEqual([
    "Be brief.",
    expect.stringMatching(/^Be brief\.\n\nPlan mode is on\./),
  ]);
  const [plain, planning] = texts.map(({ payload }) => payload.hash);
  const systems = noted(folder, "ModelAsked").map(({ payload }) => payload.system);
  expect(systems).toEqual([plain, planning, plain]);
});

test("a journal has nothing of what a sub-agent's model was sent (P-JRN-14)", async () => {
  const inner = modelAgent({ model: scriptedModel(["text: inner"]), system: "Be secret." });
  const delegate = defineTool({
    name: "Agent",
    description: "delegates",
    parameters: z.object({}),
    run: async (_, { subagent }) => (await subagent({ agent: inner, type: "coder", input: "do" })).text,
  });
  const { meet, server, folder } = kept([callLine("Agent", {}), "text: Done."], { tools: [delegate] });
  await (await meet({ sessionId: id })).client.call("prompt", { user_input: "go" });
  await server.close();
  expect(noted(folder, "ModelAsked")).toHaveLength(2);
  expect(JSON.stringify(messagesOf(folder))).not.toContain("Be secret.");
});

test("a journal has what the model knows after a compaction, and that it knows nothing after a clearing (P-JRN-15)", async () => {
  const { meet, server, folder } = kept(["text: One.", "text: It said one.", "text: Two."], {
    agentOptions: {
      commands: (conversation) => [
        { name: "compact", description: "", run: async (turn) => void (await conversation.compact(turn)) },
        { name: "clear", description: "", run: async () => conversation.clear() },
      ],
    },
  });
  const { client } = await meet({ sessionId: id });
  for (const user_input of ["go", "/compact", "again", "/clear"]) await client.call("prompt", { user_input });
  await server.close();
  expect(noted(folder, "ModelForgot").map(({ payload }) => payload.messages)).toEqual([
    [{ role: "user", content: "What happened before:\n\nIt said one." }],
    [],
  ]);
});

test("a journal has the words of a model that calls in its text as it wrote them, once they are whole (P-JRN-14)", async () => {
  const call =
    "<ask_followup_question><question>Which &amp; why?</question><follow_up><suggest>Red</suggest></follow_up></ask_followup_question>";
  const { meet, server, folder } = kept([`text: Well: ${call}`, "text: Red."], {
    dialects: [kilo({ form: "xml" })],
  });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "paint" });
  const asked = await client.seen("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Which & why?": "Red" } });
  await prompt;
  await server.close();
  expect(noted(folder, "ModelSaid").map(({ payload }) => payload.content)).toEqual([
    [{ type: "text", text: `Well: ${call}` }],
  ]);
});

test("each of these records can be read, and no client is sent one (P-JRN-14, P-JRN-10)", async () => {
  const { meet, server, folder } = kept(["text: One."]);
  const { client } = await meet({ sessionId: id });
  await client.call("prompt", { user_input: "go" });
  await client.call("replay", {});
  expect(client.story().filter((word) => word.startsWith("Model"))).toEqual([]);
  await server.close();
  const skipped: unknown[] = [];
  const records = await recordsIn(join(folder, "wire.jsonl"), { onSkipped: (line) => skipped.push(line) });
  expect(skipped).toEqual([]);
  expect(records.filter(({ type }) => type.startsWith("Model")).map(({ form }) => form)).toEqual([
    "note",
    "note",
    "note",
  ]);
});
