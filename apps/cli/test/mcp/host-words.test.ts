import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hostLimits } from "../../src/mcp/host-limits.js";
import type { Told } from "./hosts.js";
import { toolsInProcess } from "./way.js";

const ASK = "ask_user_question";
const APPROVE = "ask_user_approval";

const size = { question: "Which size?", options: [{ label: "S" }, { label: "L" }] };
const targets = {
  question: "Which targets?",
  options: [{ label: "linux" }, { label: "mac, arm" }],
  multi_select: true,
};
const questions = [size, targets, { question: "Which name?" }];
const deploy = { action: "deploy", description: "Deploy shop to production", command: "make deploy" };

type Tools = Awaited<ReturnType<typeof toolsInProcess>>;
interface Row {
  readonly name: string;
  /** Plays the call and its end. */
  run(tools: Tools): Promise<Told>;
  /** Seconds that a call waits. Default: 60. */
  readonly timeout?: number;
  /** The facts that a model has to be told. */
  readonly facts: readonly string[];
}

/** Calls, and has the person reply. */
async function asked(tools: Tools, reply: unknown, given: object = { questions }, tool = ASK) {
  const called = tools.call(tool, given);
  await tools.reply(reply);
  return called;
}

const items = [
  { question_id: "q1", selected: ["q1_o2"] },
  { question_id: "q2", selected: ["q2_o1", "q2_o2"], own_text: "bsd" },
  { question_id: "q3", selected: [], skipped: true },
];
const noted = [{ ...items[0], note: "only in blue" }, ...items.slice(1)];

const rows: readonly Row[] = [
  {
    name: "answered",
    run: (tools) => asked(tools, { items }),
    facts: [
      "answered",
      "Which size?",
      '"L"',
      "q1_o2",
      '["linux","mac, arm","bsd"]',
      "skipped",
      "Which name?",
    ],
  },
  {
    name: "noted",
    run: (tools) => asked(tools, { items: noted }),
    facts: ["only in blue", '"L"'],
  },
  {
    name: "open",
    timeout: 0,
    async run(tools) {
      return tools.call(ASK, { questions });
    },
    facts: ["not answered yet", "Do not take that for an answer", '"handle": "mcp-', "ask_user_status"],
  },
  {
    name: "declined",
    run: (tools) => asked(tools, { declined: "dismissed", note: "not now" }),
    facts: ["closed the question without an answer", "Do not ask it again", "not now"],
  },
  {
    name: "discussed",
    run: (tools) => asked(tools, { declined: "discuss", note: "why not both?" }),
    facts: ["wants to talk", "why not both?"],
  },
  {
    name: "late",
    timeout: 0,
    async run(tools) {
      await tools.call(ASK, { questions });
      await tools.reply({ items });
      await expect.poll(tools.pending).toBe(0);
      return tools.call(ASK, { questions });
    },
    facts: ['"L"', "to your earlier call"],
  },
  {
    name: "invalid",
    run: (tools) => tools.call(ASK, { questions: [{ question: "" }] }),
    facts: ["questions[0].question", "a text that is not blank"],
  },
  {
    name: "approved",
    run: (tools) => asked(tools, { option: "approve", feedback: "carefully" }, deploy, APPROVE),
    facts: ["approved this action", "carefully"],
  },
  {
    name: "rejected",
    run: (tools) => asked(tools, { option: "reject", feedback: "on Monday" }, deploy, APPROVE),
    facts: ["rejected this call", "on Monday"],
  },
  {
    name: "approval open",
    timeout: 0,
    async run(tools) {
      return tools.call(APPROVE, deploy);
    },
    facts: ["is not approved, and must not be taken", '"handle": "mcp-approval-'],
  },
];

/** The results of the rows, each of which is played once. */
const played = new Map<Row, Promise<Told>>();

function play(row: Row): Promise<Told> {
  const known = played.get(row) ?? toolsInProcess(row.timeout ?? 60).then(row.run);
  played.set(row, known);
  return known;
}

/** The part of a result that a host sends its model. */
const reads = {
  structure: ({ structuredContent }: Told) => JSON.stringify(structuredContent),
  text: ({ content }: Told) => content.map(({ text }) => text).join("\n"),
};

const hosts = hostLimits.flatMap(({ host, modelReads }) =>
  modelReads === undefined ? [] : [{ host, modelReads }],
);

const plain = (text: string) =>
  text
    .replace(/mcp-[\w.-]+/g, "HANDLE")
    .replace(/\d\d:\d\d/g, "08:21")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");

describe.each(hosts)(
  "the model behind $host, which sends it the $modelReads of a result alone",
  ({ modelReads }) => {
    test.each(rows)("the model is told all that a call which ends $name has come to", async (row) => {
      const told = await play(row);
      const read = reads[modelReads](told);
      const quoted = (fact: string) =>
        modelReads === "structure" ? JSON.stringify(fact).slice(1, -1) : fact;
      for (const fact of row.facts) expect(read).toContain(quoted(fact));
      // Nothing is in the one and not in the other.
      const { message } = told.structuredContent as { message: string };
      expect(told.content[0]?.text).toBe(message);
      expect(Object.keys(told.structuredContent ?? {})[0]).toBe("message");
    });
  },
);

test("choices of several are a list in the structure, each with its label beside its id", async () => {
  const tools = await toolsInProcess(60);
  const { structuredContent } = await asked(tools, { items: noted });
  expect(structuredContent).toMatchObject({
    answers: { "Which size?": "L", "Which targets?": ["linux", "mac, arm", "bsd"] },
    items: [
      { question_id: "q1", selected: ["q1_o2"], labels: ["L"], note: "only in blue" },
      { question_id: "q2", labels: ["linux", "mac, arm"], own_text: "bsd" },
      { question_id: "q3", skipped: true },
    ],
  });
});

test("docs/mcp.md has the words of each end (vitest -u writes them)", async () => {
  const told: string[] = [];
  for (const row of rows) {
    const { name } = row;
    const text = reads.text(await play(row));
    const lines = plain(text.replace(/\nThe person answers them where[^\n]*/, "")).split("\n");
    told.push(`| ${name} | ${lines.map((line) => line.replaceAll("|", "\\|")).join("<br>")} |`);
  }
  const page = new URL("../../../../docs/mcp.md", import.meta.url);
  const text = await readFile(page, "utf8");
  const table = ["| the call ends | the model is told |", "| --- | --- |", ...told].join("\n");
  const whole = text.replace(/(?<=<!-- told -->\n)[\s\S]*(?=<!-- \/told -->)/, () => `${table}\n`);
  await expect(whole).toMatchFileSnapshot(page.pathname);
});
