import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../scripts/growth.js";
import { textSigns } from "../src/plain-text.js";
import { withTag } from "../src/rewrite.js";
import { brokenRules } from "../src/rules.js";
import { addSaid, newStep, stepMessages } from "../src/step.js";
import type { Trajectory, TrajectoryMessage } from "../src/trajectory.js";

const trajectory = (...rest: TrajectoryMessage[]): Trajectory => ({
  version: 1,
  session: "s",
  started_at: "2026-01-02T03:04:05.000Z",
  duration_s: 1,
  task: "go",
  messages: [{ role: "user", content: "go", loss: false }, ...rest],
  flags: {
    queries: 0,
    filled_after_query: 0,
    validation_errors: 0,
    unanswered_queries: 0,
    dropped_calls: 0,
    hallucinated_result: false,
    success: true,
  },
});
const assistant = (content: string): TrajectoryMessage => ({ role: "assistant", content, loss: true });
const told = (content: string): TrajectoryMessage => ({ role: "tool", content, loss: false });

describe("a result that is none of the model's", () => {
  const fine = (call: string) =>
    expect(
      brokenRules(trajectory(assistant(call), told("<result>\nok\n</result>"), assistant("Done."))),
    ).toEqual([]);

  test("a result that is not the model's may stand in the arguments of a call that are no JSON (P-TRJ-7)", () => {
    fine("<box><run_code>print('<result>4</result>')</run_code></box>\n<execute_tools />");
  });

  test("a result that is not the model's may stand in arguments after a close tag that a string has in it (P-TRJ-7)", () => {
    fine('<box><run_code>{"code": "</run_code> <result>4</result> <tool_param><tool_id>"}</run_code></box>');
  });

  test("a result that is not the model's is distinguished from one that the model wrote in an element that is no call (P-TRJ-5)", () => {
    expect(textSigns("<p><b>so</b> <result>4</result></p>").result).toBe(true);
    expect(textSigns("<box><run_code>{}</run_code></box> <result>4</result>").result).toBe(true);
  });
});

describe("a thought that was recorded in pieces", () => {
  test("a thought that was recorded in pieces is one thought (P-TRJ-4)", () => {
    const step = newStep();
    const think = (text: string, encrypted: string | null = null) =>
      addSaid(step, { type: "think", think: text, encrypted });
    const length =
      think("a") + think("b") + think("c", "x") + think("d") + addSaid(step, { type: "text", text: "So." });
    expect(stepMessages(step)).toEqual([
      { role: "assistant", content: "<think>abc</think>\n<think>d</think>\nSo.", loss: false },
    ]);
    expect(length).toBe("<think>abc</think>\n<think>d</think>\nSo.".length);
  });
});

describe("a single name for the tag", () => {
  const named = (content: string, result: string) =>
    withTag(trajectory(assistant(content), told(result)), "param_query").messages.map(
      (message) => message.content,
    );
  const query = (tag: string) => `<${tag}><tool_id>box</tool_id><action>run_code</action></${tag}>`;

  test("a single name for the tag is not set in code and in what calls write, and is in thoughts and text (P-TRJ-8)", () => {
    const kept = [
      `\n\`\`\`xml\n${query("tool_param")}\n\`\`\`\n`,
      `\`<tool_param>\``,
      `<box><run_code>${JSON.stringify({ code: query("tool_param") })}</run_code></box>`,
      `<box><run_code>write("<tool_param>")</run_code></box>`,
    ];
    for (const part of kept) {
      const all = (tag: string) => `<think>A <${tag}>?</think>\nSo <${tag}>: ${part} ${query(tag)}`;
      expect(named(all("tool_param"), "")[1]).toBe(all("param_query"));
    }
  });

  test("a single name for the tag is set in what the server said of queries, and not in what a tool read (P-TRJ-8)", () => {
    const result = (tag: string) =>
      `<result>\nA file: <tool_param>\n\nCorrection Suggestions: Use ${query(tag)} to get them\n{"message": "Invalid <${tag}> format. Missing <tool_id>"}\n</result>`;
    expect(named("", result("tool_param"))[2]).toBe(result("param_query"));
  });

  test.each(["<a><b>", "<a><b>{", '<a><b>{"', "<a><b>x</b>"])(
    "setting a single name for the tag takes time linear in the length of what is written: %s",
    async (text) => {
      const set = (count: number) => {
        const long = `${text.repeat(count)}</b>`;
        expect(named(long, "")[1]).toBe(long);
      };
      expect(await growth(set, 2_000)).toBeLessThan(LINEAR);
    },
  );
});

test("a check takes time linear in the number of messages (P-TRJ-7)", async () => {
  const check = (length: number) => {
    const turns = Array.from({ length }, (): TrajectoryMessage[] => [
      assistant("So."),
      { role: "user", content: "And?", loss: false },
    ]);
    const { messages, ...rest } = trajectory();
    expect(brokenRules({ ...rest, messages: [...messages, ...turns.flat(), assistant("Done.")] })).toEqual(
      [],
    );
  };
  expect(await growth(check, 50)).toBeLessThan(LINEAR);
});
