import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientHandlers, connect, type QuestionView } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer } from "@askwire/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptLog } from "../../server/test/scenario.js";
import { interviewAgent } from "../src/agent.js";
import { parseQuestionnaire } from "../src/questionnaire.js";

const questionnaire = parseQuestionnaire(
  `
askwire: interview/1
title: Paint
intro: Let us paint{% if owner %}, {{ owner.name }}{% endif %}.
facts: { owner: { json: owner.json } }
questions:
  - id: rooms
    ask: Which rooms?
    header: Rooms
    multi_select: true
    options: [Kitchen, { label: Hall, value: hall, description: The long one }]
  - id: colour
    ask: "Which colour for {{ rooms | join: ' and ' }}?"
    options: [White, Blue]
  - id: note
    ask: Anything else?
  - id: sure
    ask: Sure?
    options: ["Yes"]
files:
  - path: paint.txt
    template: "{{ rooms | join: '+' }}={{ colour }} ({{ note }})\\n"
done: Painted {{ written | join }}.
`,
  "paint.yaml",
);

let workDir = "";
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), "askwire-"));
});
afterEach(() => rm(workDir, { recursive: true }));

const answers: Record<string, string> = {
  "Which rooms?": "Kitchen, Hall",
  "Which colour for Kitchen and hall?": "a warm red",
  "Anything else?": "two coats",
  "Sure?": "Yes",
};
const willing: ClientHandlers = {
  question: ({ questions: [item] }) => ({
    answers: { [item?.question ?? ""]: answers[item?.question ?? ""] ?? "" },
  }),
  approval: () => "approve",
};
const written = "Kitchen+hall=a warm red (two coats)\n";
const file = (path = "paint.txt") => readFile(join(workDir, path), "utf8").catch(() => undefined);

/** Runs a turn of the interview with a client. Returns its end and the words to the person. */
async function interview(handlers: ClientHandlers, out?: string) {
  const { left, right } = linkedPair();
  const agent = interviewAgent({ questionnaire, workDir, ...(out === undefined ? {} : { out }) });
  createServer({ agent, log: keptLog(), rawErrors: true }).connect(left);
  const session = await connect(right, { handlers });
  const turn = session.prompt("paint");
  let text = "";
  const events: string[] = [];
  const results: unknown[] = [];
  const read = (async () => {
    for await (const event of turn) {
      events.push(event.type);
      if (event.type === "ContentPart" && event.payload.type === "text") text += event.payload.text;
      if (event.type === "ToolResult") results.push(event.payload.return_value);
    }
  })().catch(() => {});
  const result = await turn.result.catch((error: Error) => error);
  await read;
  await session.close();
  return { result, text, events, results };
}

test("the answers end up in the file that was shown and approved", async () => {
  await writeFile(join(workDir, "owner.json"), '{"name": "Ada"}');
  const asked: QuestionView[] = [];
  const shown: unknown[] = [];
  const { result, text } = await interview({
    question(view, context) {
      asked.push(view);
      return willing.question?.(view, context) ?? "declined";
    },
    approval({ display, description, action, sender }) {
      shown.push({ display, description, action, sender });
      return "approve";
    },
  });
  expect(result).toEqual({ status: "finished" });
  expect(text).toBe("Let us paint, Ada.\nPainted paint.txt.\n");
  expect(await file()).toBe(written);
  expect(asked.map(({ questions: [item] }) => item)).toMatchObject([
    {
      question: "Which rooms?",
      header: "Rooms",
      multi_select: true,
      options: [{}, { description: "The long one" }],
    },
    { question: "Which colour for Kitchen and hall?", multi_select: false },
    { question: "Anything else?", options: [] },
    { question: "Sure?", options: [{ label: "Yes" }] },
  ]);
  expect(asked.every(({ questions }) => questions.length === 1)).toBe(true);
  expect(shown).toMatchObject([
    {
      sender: "WriteFile",
      action: "write a file",
      description: "paint.txt (new)",
      display: [{ type: "diff", path: "paint.txt", old_text: "", new_text: written }],
    },
  ]);
});

test.each(["Which rooms?", "Anything else?"])("declining at %s writes nothing and says so", async (at) => {
  const { result, text } = await interview({
    ...willing,
    question: (view, context) =>
      view.questions[0]?.question === at ? "declined" : (willing.question?.(view, context) ?? "declined"),
  });
  expect(result).toEqual({ status: "finished" });
  expect(text).toBe("Let us paint.\nNothing was written.");
  expect(await file()).toBeUndefined();
});

test("a rejected file is not written, and the person's words are in the result", async () => {
  await writeFile(join(workDir, "paint.txt"), "old\n");
  const { result, text, results } = await interview({
    ...willing,
    approval: () => ({ response: "reject", feedback: "wrong colour" }),
  });
  expect(result).toEqual({ status: "finished" });
  expect(text).toContain("Nothing was written.");
  expect(results.at(-1)).toMatchObject({ is_error: true, message: expect.stringContaining("wrong colour") });
  expect(await file()).toBe("old\n");
});

test("a client without approvals has approved nothing", async () => {
  const { text } = await interview({ question: willing.question } as ClientHandlers);
  expect(text).toContain("Nothing was written.");
  expect(await file()).toBeUndefined();
});

test("a file that would not change is not shown", async () => {
  await writeFile(join(workDir, "paint.txt"), written);
  const { result, text } = await interview({
    ...willing,
    approval: () => {
      throw new Error("not to be asked");
    },
  });
  expect(result).toEqual({ status: "finished" });
  expect(text).toContain("Everything is up to date already. Nothing was written.");
});

test("a client that cannot show questions is told so, and nothing is asked or written", async () => {
  const { result, text, events } = await interview({ approval: () => "approve" });
  expect(result).toEqual({ status: "finished" });
  expect(text).toMatch(/^No question would reach anybody here.*Nothing was written\.$/);
  expect(events).toEqual(["TurnBegin", "ContentPart", "TurnEnd"]);
});

test("another path for the one file is taken, shown and written", async () => {
  const shown: string[] = [];
  const { text } = await interview(
    {
      ...willing,
      approval({ description }) {
        shown.push(description);
        return "approve";
      },
    },
    "other/here.txt",
  );
  expect(shown).toEqual(["other/here.txt (new)"]);
  expect(text).toContain("Painted other/here.txt.");
  expect([await file("other/here.txt"), await file()]).toEqual([written, undefined]);
});

test("a path out of the folder fails, and nothing is written", async () => {
  const { result } = await interview(willing, "../out.txt");
  expect(result).toMatchObject({ code: -32603, message: expect.stringContaining("../out.txt") });
});

test("a client that breaks at a question fails the turn instead of making an answer up", async () => {
  const { result, events } = await interview({
    ...willing,
    question: () => {
      throw new Error("crashed");
    },
  });
  expect(result).toMatchObject({ code: -32603 });
  expect(events.slice(-2)).toEqual(["StepInterrupted", "TurnEnd"]);
  expect(await file()).toBeUndefined();
});
