import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keepIn, sessionFolder } from "@askwire/server";
import { expect, test } from "vitest";
import { detailedLog, temporaryFolder } from "../../server/test/journal-folder.js";
import { payload } from "../../server/test/raw-client.js";
import { klaudeAsks, klaudeScenario, resultsRead, say } from "./klaude-scenario.js";

const id = "22222222-2222-4222-8222-222222222222";

function keptSessions() {
  const place = { share: temporaryFolder(), workDir: "/work" };
  const keep = keepIn({ ...place, log: detailedLog() });
  return {
    folder: sessionFolder({ ...place, id }),
    start: (scripts: readonly string[], more: { resume?: boolean } = {}) =>
      klaudeScenario(scripts, { keep, ...more }),
  };
}

test("a replay has the call, the question that clients were sent and the result, and nothing more about it", async () => {
  const { start } = keptSessions();
  const first = start([klaudeAsks(), say]);
  const { client } = await first.meet({ sessionId: id });
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "PostgreSQL" } });
  await prompt;
  await first.server.close();

  const again = (await start([]).meet({ sessionId: id })).client;
  await again.call("replay");
  const words = again.story().filter((word) => word !== "StatusUpdate");
  expect(words.sort()).toEqual(
    [
      "TurnBegin",
      "StepBegin",
      "ToolCall",
      "ask QuestionRequest",
      "ToolResult",
      "StepBegin",
      "ContentPart",
      "TurnEnd",
      "replay: finished",
    ].sort(),
  );
  expect(payload(await again.seen("ToolResult")).return_value).toMatchObject({
    output: "Question: Which storage?\nAnswer: PostgreSQL:",
  });
});

test("after a restart that resumes nothing the question is gone, and the model reads that its call was interrupted", async () => {
  const { folder, start } = keptSessions();
  const first = start([klaudeAsks(), say]);
  const { client } = await first.meet({ sessionId: id });
  await client.begin("QuestionRequest");
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  while (
    !read("context.jsonl").includes('"tool_calls":[{') ||
    !read("wire.jsonl").includes("QuestionRequest")
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The files of a process that is killed now.
  const other = keptSessions();
  mkdirSync(other.folder, { recursive: true });
  for (const name of ["context.jsonl", "wire.jsonl"]) cpSync(join(folder, name), join(other.folder, name));
  await first.server.close();

  const second = other.start([say], { resume: false });
  const met = await second.meet({ sessionId: id });
  expect(met.session.pending.length).toBe(0);
  await met.client.call("prompt", { user_input: "go on" });
  expect(met.client.story()).not.toContain("ask QuestionRequest");
  expect(resultsRead(second.model, 1)).toMatchObject([
    { is_error: true, output: "The turn was interrupted before the user answered" },
  ]);
});
