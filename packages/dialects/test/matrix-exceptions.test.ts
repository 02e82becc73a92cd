// The cells that the matrix says never happen. Each is tried, and shown to have another end.
import { afterEach, describe, expect, test } from "vitest";
import { payload, questionsOf } from "../../server/test/raw-client.js";
import { callLine } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { type Form, forms } from "./matrix-forms.js";
import { delegate, minute, type Stage, type StageOptions, setUp } from "./matrix-stage.js";
import { exceptions, type Wire } from "./matrix-table.js";

let played: Stage | undefined;
afterEach(() => played?.server.close());

async function play(form: Form, wire: Wire, options: StageOptions = {}) {
  played = await setUp(form, wire, options);
  return played;
}

const done = "text: done";
const both = ["base", "extended"] as const;
const among = (...dialects: readonly string[]) => forms.filter(({ dialect }) => dialects.includes(dialect));
const over = (on: readonly Form[], wires: readonly Wire[]) =>
  on.flatMap((form) => wires.map((wire) => ({ name: form.name, form, wire })));
const ended = ({ outcomes }: Stage) => outcomes.map(({ status, reason }) => reason ?? status);

test("the table has these exceptions and no others (P-DIA-3, P-XDL-2)", () => {
  expect(exceptions().map(({ row, dialect }) => `${row}: ${dialect}`)).toEqual([
    "discuss: kimi",
    "discuss: klaude",
    "discuss: kilo",
    "expired, the shown default counts: kimi",
    "expired, the shown default counts: klaude",
    "expired, the shown default counts: kilo",
    "expired, the shown default counts: redc",
    "superseded: kimi",
    "superseded: klaude",
    "superseded: redc",
    "limit, by policy: kimi",
    "limit, by policy: kilo",
  ]);
});

describe("own words of a base client (P-ANS-4)", () => {
  test.each(over(among("kimi", "klaude", "kilo"), ["base"]))(
    "own words of a base client are an answer and never a wish to talk: $name, $wire wire",
    async ({ form }) => {
      const stage = await play(form, "base", { scripts: [form.ask("tc-1", "", true), done] });
      void stage.prompt();
      const asked = await stage.asked();
      stage.client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "why now?" } });
      await stage.over();
      expect(ended(stage)).toEqual(["answered"]);
      const read = form.read(stage.reading.model.requests[1]?.messages ?? [], "tc-1");
      expect(read?.output).toContain("why now?");
    },
  );

  test.each([
    ["kimi", "AskUserQuestion", { questions: [{ question: "Which colour?", own_text: false }] }],
    ["kilo", "ask_followup_question", { question: "Which colour?", own_text: false, allow_freeform: false }],
  ])(
    "own words of a base client are an answer also where the model of %s would not allow them",
    async (name, tool, args) => {
      const [form] = among(name);
      const options = [{ label: "Red" }, { label: "Blue" }];
      const questions = (args as { questions?: object[] }).questions?.map((item) => ({ ...item, options }));
      const call = { ...args, ...(questions === undefined ? { follow_up: ["Red", "Blue"] } : { questions }) };
      const stage = await play(form as Form, "extended", { scripts: [callLine(tool, call), done] });
      void stage.prompt();
      expect(questionsOf(await stage.asked())).toMatchObject([{ own_text: true }]);
    },
  );
});

describe("a time that is to end with a default (P-XDL-2)", () => {
  test.each(over(among("kimi", "klaude", "redc"), both))(
    "a time that is to end with a default ends without one where no question has it: $name, $wire wire",
    async ({ form, wire }) => {
      const stage = await play(form, wire, { deadline: minute("default") });
      void stage.prompt();
      const asked = await stage.asked();
      const questions = payload(asked).questions as object[];
      expect(questions.filter((item) => "default" in item)).toEqual([]);
      if (wire === "extended") expect(payload(asked)).toMatchObject({ deadline: { on_expiry: "cancel" } });
      stage.clock.advance(60_000);
      await stage.over();
      expect(ended(stage)).toEqual(["deadline"]);
      expect(form.read(stage.reading.model.requests[1]?.messages ?? [], "tc-1")?.output).not.toContain("Red");
    },
  );
});

/** Two sub-agents that ask at the same time, the second one when the first one's question is open. */
async function twoAsk(form: Form, wire: Wire) {
  const one = delegate("One", [form.ask("tc-1"), done]);
  const two = delegate("Two", [form.ask("tc-2", " then"), done]);
  const scripts = [`${callLine("One", {}, "t-1")}\n${callLine("Two", {}, "t-2")}`, done];
  const stage = await play(form, wire, { scripts, tools: [one.tool, two.tool], subagentQuestions: true });
  void stage.prompt();
  return { stage, first: await stage.asked() };
}

describe("an older question (P-DIA-3)", () => {
  test.each(over(among("kimi", "klaude", "redc"), both))(
    "an older question makes no room for a newer one: it stays before the person, and is answered: $name, $wire wire",
    async ({ form, wire }) => {
      const { stage, first } = await twoAsk(form, wire);
      if (form.dialect === "kimi") await stage.choose(await stage.asked(2), "Blue");
      else await until(() => stage.outcomes.length === 1);
      expect(stage.session.pending.map(({ id }) => id)).toEqual([first.id]);
      await stage.choose(first, "Red");
      await stage.over();
      const ending = form.dialect === "kimi" ? "answered" : "limit";
      expect(ended(stage)).toEqual([ending, "answered"]);
    },
  );
});

describe("a newer question (P-DIA-3)", () => {
  test.each(over(among("kimi", "kilo"), both))(
    "a newer question is never refused for an older one: $name, $wire wire",
    async ({ form, wire }) => {
      const { stage, first } = await twoAsk(form, wire);
      const newer = await stage.asked(2);
      if (form.dialect === "kimi") await stage.choose(first, "Red");
      else await until(() => stage.outcomes.length === 1);
      await stage.choose(newer, "Blue");
      await stage.over();
      expect(ended(stage)).toEqual([form.dialect === "kimi" ? "answered" : "superseded", "answered"]);
    },
  );
});
