import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { type ModelPart, systemClock } from "@askwire/server";
import type { SkippedLine } from "@askwire/server/internal";
import { describe, expect, test } from "vitest";
import { asks, callLine } from "../../server/test/scenario.js";
import { faultsOf } from "../src/faults.js";
import { readTrajectory } from "../src/read-trajectory.js";
import { brokenRules } from "../src/rules.js";
import {
  fill,
  id,
  keptSession,
  nativeCall,
  nativeQuery,
  query,
  said,
  trajectoryIn,
  trajectoryOf,
} from "./kept-session.js";

describe("flags", () => {
  test("flags count queries, and those after which the model called what they were about (P-TRJ-5)", async () => {
    const other = callLine("param_query", { tool_id: "box", action: "other" }, "q-2");
    const again = callLine("param_query", { tool_id: "box", action: "run_code" }, "q-3");
    const { flags } = await trajectoryOf([nativeQuery, `${other}\n${nativeCall}`, again, "text: Done."]);
    expect(flags).toMatchObject({ queries: 3, filled_after_query: 1, unanswered_queries: 0, success: true });
  });

  test("flags count calls whose arguments did not fit (P-TRJ-5)", async () => {
    const { flags } = await trajectoryOf([query(), fill({}, { kode: 1 }), fill(), "text: Done."]);
    expect(flags).toMatchObject({
      validation_errors: 1,
      filled_after_query: 1,
      queries: 1,
      dropped_calls: 0,
    });
  });

  test("flags count calls that were not executed since a query came with them (P-TRJ-5)", async () => {
    const cut = query({ not_executed: ["box.run_code", "box.stop"] });
    const { flags } = await trajectoryOf([cut, fill(), "text: Done."]);
    expect(flags.dropped_calls).toBe(2);
    expect(faultsOf(flags)).toEqual(["dropped_calls"]);
  });

  test("flags count results that the model wrote, taken out of its message or left in it (P-TRJ-5)", async () => {
    const stripped = await trajectoryOf([query({ stripped_result: true }), "text: Done."]);
    expect(faultsOf(stripped.flags)).toEqual(["hallucinated_result"]);
    expect(brokenRules(stripped)).toEqual([]);
    const left = await trajectoryOf(["text: <result>4</result> is it."]);
    expect(faultsOf(left.flags)).toEqual(["hallucinated_result"]);
    const inCall = { written: '<box><run_code>{"code": "<result>"}</run_code></box>' };
    const passed = await trajectoryOf([fill(inCall), "text: Done."]);
    expect([faultsOf(passed.flags), brokenRules(passed)]).toEqual([[], []]);
    const quoted = await trajectoryOf(["think: <result>?\ntext: Results stand in `<result>`."]);
    expect(faultsOf(quoted.flags)).toEqual([]);
  });
});

describe("a turn that did not come to its end", () => {
  test("a turn that was cancelled at a question counts the call as dropped (P-TRJ-5)", async () => {
    const { meet, server, file } = keptSession([`text: I ask.\n${asks()}`]);
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "paint" });
    await client.seen("StatusUpdate");
    await client.seen("QuestionRequest");
    await client.call("cancel");
    await prompt;
    await server.close();
    const read = await trajectoryIn(file);
    expect(read.flags).toMatchObject({ dropped_calls: 1, success: false });
    expect(brokenRules(read)).toEqual([
      'messages[1]: the call "tc-1" of "AskUserQuestion" has no tool message',
    ]);
  });

  test("the half step of a turn that was cancelled after plan mode was switched is not learned (P-TRJ-3)", async () => {
    let asked = 0;
    async function* stream(): AsyncGenerator<ModelPart> {
      asked += 1;
      yield { type: "content", part: { type: "text", text: asked === 1 ? "Whole." : "Half" } };
      if (asked > 1) await new Promise(() => {});
    }
    const { meet, server, file } = keptSession([], { model: { stream } });
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "one" });
    const prompt = client.call("prompt", { user_input: "two" });
    await client.seen("ContentPart", 2);
    await client.call("set_plan_mode", { enabled: true });
    await client.call("cancel");
    await prompt;
    await server.close();
    const { messages } = await trajectoryIn(file);
    expect(messages.map(({ content, loss }) => [content, loss])).toEqual([
      ["one", false],
      ["Whole.", true],
      ["two", false],
      ["Half", false],
    ]);
  });

  test("the words of a turn whose provider failed are not learned, and the next turn may succeed (P-TRJ-3)", async () => {
    const read = await trajectoryOf(["text: Half a\nerror: 400 bad", "text: Whole."], ["one", "two"]);
    expect(read.messages.map(({ content, loss }) => [content, loss])).toEqual([
      ["one", false],
      ["Half a", false],
      ["two", false],
      ["Whole.", true],
    ]);
    expect(read.flags.success).toBe(true);
    const failed = await trajectoryOf(["text: Half a\nerror: 400 bad"]);
    expect(failed.flags.success).toBe(false);
  });

  test("a turn that ran out of steps has not succeeded, and a try that failed for the moment is left out (P-TRJ-2)", async () => {
    const over = await trajectoryOf([nativeQuery, nativeCall], ["go"], { maxStepsPerTurn: 2 });
    expect(over.flags).toMatchObject({ success: false, filled_after_query: 1 });
    const agentOptions = { clock: { ...systemClock, after: atOnce } };
    const retried = await trajectoryOf(["text: lost\nerror: 503 busy", "text: Kept."], ["go"], {
      agentOptions,
    });
    expect(said(retried)).toEqual(["user: go", "assistant: Kept."]);
  });

  test("a turn whose process was killed has not succeeded (P-TRJ-2)", async () => {
    const { meet, server, file } = keptSession([nativeQuery, "text: Done."]);
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "go" });
    await server.close();
    const lines = readFileSync(file, "utf8").trim().split("\n");
    writeFileSync(file, lines.slice(0, -4).join("\n"));
    const { flags, messages } = await trajectoryIn(file);
    expect(messages.at(-1)?.role).toBe("tool");
    expect(flags.success).toBe(false);
  });
});

const atOnce = (_ms: number, callback: () => void) => {
  queueMicrotask(callback);
  return () => {};
};

describe("a journal", () => {
  test("a journal with torn and foreign lines is read without them, and they are reported by number (P-TRJ-2)", async () => {
    const { meet, server, file } = keptSession(["text: One.", "text: Two."]);
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "a" });
    await server.close();
    const before = readFileSync(file, "utf8").split("\n").length;
    appendFileSync(
      file,
      '{"timestamp": 1, "message": {"type": "Later", "payload": {}}}\n{"timestamp": 2, "mess',
    );
    const skipped: SkippedLine[] = [];
    const read = await readTrajectory(file, id, { onSkipped: (line) => skipped.push(line) });
    expect(read).toMatchObject({ messages: [{ content: "a" }, { content: "One." }] });
    expect(skipped.map(({ line }) => line)).toEqual([before, before + 1]);
  });

  test("a journal in which no model said anything, and one that does not exist, are empty (P-TRJ-2)", async () => {
    const { meet, server, file } = keptSession([]);
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "go" });
    await server.close();
    expect(await readTrajectory(file, id)).toBe("empty");
    expect(await readTrajectory(`${file}.none`, id)).toBe("empty");
  });
});
