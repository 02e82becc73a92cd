import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readFacts } from "../src/facts.js";
import {
  doneText,
  type Interview,
  type InterviewAnswer,
  introText,
  nextQuestion,
  openInterview,
  type ReadyQuestion,
  recordAnswer,
  renderFiles,
} from "../src/interview.js";
import { parseQuestionnaire } from "../src/questionnaire.js";
import type { Questionnaire } from "../src/questionnaire-format.js";

const file = new URL("../../../apps/cli/interviews/ci.yaml", import.meta.url);
let questionnaire: Questionnaire;
beforeAll(async () => {
  questionnaire = parseQuestionnaire(await readFile(file, "utf8"), "ci.yaml");
});

const scripts = { lint: "biome check", typecheck: "tsc", test: "vitest run", build: "tsc -b", e2e: "x" };
const two = { lint: "biome check", test: "vitest run" };
const folders: Record<string, Record<string, string>> = {
  empty: {},
  "npm, locked": {
    "package.json": JSON.stringify({ name: "a", scripts, engines: { node: ">=20.10" } }),
    "package-lock.json": "{}",
  },
  "npm, unlocked": {
    "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
    ".nvmrc": "22.3\n",
  },
  "npm init": {
    "package.json": JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
  },
  "pnpm, locked": {
    "package.json": JSON.stringify({
      name: "@a/b",
      scripts: two,
      packageManager: "pnpm@10.1.0",
      engines: { node: "^20 || >=22" },
    }),
    "pnpm-lock.yaml": "",
    "package-lock.json": "{}",
  },
  "pnpm by its lock": {
    "package.json": JSON.stringify({ scripts: { lint: "x" } }),
    "pnpm-lock.yaml": "",
    ".node-version": "20",
  },
  "pnpm, unlocked": { "package.json": JSON.stringify({ scripts: two, packageManager: "pnpm@10.1.0" }) },
  "yarn 1": { "package.json": JSON.stringify({ scripts: two, engines: { node: "*" } }), "yarn.lock": "" },
  "yarn 4": {
    "package.json": JSON.stringify({ scripts: two, packageManager: "yarn@4.1.0+sha512.ab" }),
    "yarn.lock": "",
  },
  "yarn 3 by its settings": {
    "package.json": JSON.stringify({ scripts: two }),
    "yarn.lock": "",
    ".yarnrc.yml": "",
  },
  "yarn 4, unlocked": { "package.json": JSON.stringify({ scripts: two, packageManager: "yarn@4.1.0" }) },
  odd: {
    "package.json": JSON.stringify({
      name: '${{ x }}: "',
      scripts: { lint: { a: 1 }, test: 7 },
      engines: { node: [">=x"] },
      packageManager: 3,
    }),
    ".nvmrc": 'lts/iron # "x: y',
    ".github/workflows/ci.yml": "name: Old\n",
  },
  "a list for package.json": { "package.json": "[]" },
};

async function open(name: string): Promise<Interview> {
  const folder = await mkdtemp(join(tmpdir(), "ci-"));
  try {
    for (const [path, text] of Object.entries(folders[name] ?? {})) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return openInterview(questionnaire, await readFacts(questionnaire, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ownTexts = [
  "make test",
  'echo "a: b" # c\n- d',
  "e2e",
  "18, 20",
  "07:30",
  "at dawn",
  "{{ x }} ${{ y }}",
];

/** Ways to answer a question: each option alone, or where several may be chosen none, one and all, and an own text. */
function answersTo(question: ReadyQuestion): (InterviewAnswer | "skipped")[] {
  const labels = question.options.map((option) => option.label);
  const own = ownTexts.slice(1, 2).map((own_text) => ({ selected: [], own_text }));
  if (!question.multi_select) return [...labels.map((label) => ({ selected: [label] })), ...own, "skipped"];
  const choices = [[], labels.slice(0, 1), labels].map((selected) => ({ selected }));
  return [...choices, ...own, "skipped"];
}

function* finishings(interview: Interview): Generator<Interview> {
  const question = nextQuestion(interview);
  if (!question) yield interview;
  else
    for (const answer of answersTo(question)) yield* finishings(recordAnswer(interview, question.id, answer));
}

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  name: string;
  on: Record<string, unknown> & { schedule?: { cron: string }[] };
  jobs: { check: { strategy?: { matrix: { node: string[] } }; steps: Step[] } };
}

/** The workflow of a finished interview, its YAML checked; `undefined` if none is written. */
function workflowOf(interview: Interview): Workflow | undefined {
  const [written, ...others] = renderFiles(interview);
  expect(others).toEqual([]);
  if (!written) return undefined;
  expect(written.path).toBe(".github/workflows/ci.yml");
  const document = parseDocument(written.text);
  if (document.errors.length || document.warnings.length)
    expect.fail(`${document.errors[0]}\n${written.text}`);
  const parsed = document.toJS() as Workflow;
  checkShape(parsed, written.text);
  return parsed;
}

function checkShape(workflow: Workflow, text: string): void {
  const { steps, strategy } = workflow.jobs.check;
  const expressions =
    text.replace(/^.*(?:- run: "|# Wanted|# "|- "|node-version: ").*$/gm, "").match(/\$?\{[{%].*/g) ?? [];
  for (const expression of expressions) {
    expect(expression).toMatch(/^\$\{\{ (github\.workflow|matrix\.node) \}\}/);
  }
  expect(text.includes("${{ matrix.node }}")).toBe(strategy !== undefined);
  if (strategy) expect(new Set(strategy.matrix.node).size).toBe(strategy.matrix.node.length);
  expect(Object.keys(workflow.on)).toContain("workflow_dispatch");
  for (const { cron } of workflow.on.schedule ?? [])
    expect(cron).toMatch(/^[1-5]?\d (1?\d|2[0-3]) \* \* \*$/);
  expect(steps[0]?.uses).toBe("actions/checkout@v5");
  expect(steps.filter((step) => step.run).length).toBeGreaterThan(0);
  for (const step of steps) {
    expect(Object.keys(step).length).toBeGreaterThan(0);
    if (step.run !== undefined) expect(typeof step.run).toBe("string");
  }
  expect(text).not.toMatch(/\n\n\n|[ \t]\n/);
}

describe("the shipped questionnaire", () => {
  test.each(Object.keys(folders))(
    "the questionnaire writes a valid workflow for every option in a folder of kind: %s",
    async (name) => {
      const start = await open(name);
      expect(introText(start)).not.toMatch(/\{%|\n\n/);
      let count = 0;
      const written = new Set<string | undefined>();
      for (const interview of finishings(start)) {
        count += 1;
        // Different answers may lead to the same file.
        const text = renderFiles(interview)[0]?.text;
        if (written.has(text)) continue;
        written.add(text);
        const workflow = workflowOf(interview);
        expect(doneText(interview, [])).toMatch(
          workflow ? /^Nothing was written/ : /^There is nothing to run/,
        );
      }
      expect(count).toBeGreaterThan(10);
    },
  );

  test("the questionnaire writes a valid workflow whatever a person types", async () => {
    const starts = await Promise.all(["empty", "npm, locked", "yarn 4"].map(open));
    const ownText = fc.oneof(
      fc.constantFrom(...ownTexts),
      fc.string({ minLength: 1 }),
      fc.string({ unit: "grapheme", minLength: 1 }),
    );
    await fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.array(ownText, { minLength: 5, maxLength: 5 }),
        fc.boolean(),
        (start, texts, night) => {
          let interview = start;
          for (const own_text of texts) {
            const question = nextQuestion(interview);
            if (!question) break;
            const nightly = night && question.id === "trigger" ? "Also every night" : undefined;
            const answer = nightly
              ? { selected: [nightly] }
              : own_text.trim()
                ? { selected: [], own_text }
                : "skipped";
            interview = recordAnswer(interview, question.id, answer);
          }
          workflowOf(interview);
        },
      ),
    );
  });

  const runs = (workflow?: Workflow) => workflow?.jobs.check.steps.flatMap((step) => step.run ?? []);
  const setUp = (workflow?: Workflow) =>
    workflow?.jobs.check.steps.find((step) => step.uses?.includes("setup-node"))?.with;

  function answerAll(start: Interview, answers: Record<string, InterviewAnswer | "skipped">): Interview {
    let interview = start;
    for (let question = nextQuestion(interview); question; question = nextQuestion(interview)) {
      interview = recordAnswer(interview, question.id, answers[question.id] ?? "skipped");
    }
    return interview;
  }

  test.each([
    ["npm, locked", ["npm ci"], { "node-version": "lts/*", cache: "npm" }],
    ["npm, unlocked", ["npm install"], { "node-version": "22.3", "package-manager-cache": false }],
    ["pnpm, locked", ["pnpm install --frozen-lockfile"], { "node-version": "lts/*", cache: "pnpm" }],
    ["pnpm by its lock", ["pnpm install --frozen-lockfile"], { "node-version": "20", cache: "pnpm" }],
    [
      "pnpm, unlocked",
      ["pnpm install --no-frozen-lockfile"],
      { "node-version": "lts/*", "package-manager-cache": false },
    ],
    ["yarn 1", ["yarn install --frozen-lockfile"], { "node-version": "lts/*", cache: "yarn" }],
    [
      "yarn 4",
      ["npm install --global corepack", "corepack enable", "yarn install --immutable"],
      { "node-version": "lts/*", "package-manager-cache": false },
    ],
    [
      "yarn 3 by its settings",
      ["npm install --global corepack", "corepack enable", "yarn install --immutable"],
      { "node-version": "lts/*", "package-manager-cache": false },
    ],
    [
      "yarn 4, unlocked",
      ["npm install --global corepack", "corepack enable", "yarn install --no-immutable"],
      { "node-version": "lts/*", "package-manager-cache": false },
    ],
  ])("the workflow installs as the folder does: %s", async (name, install, node) => {
    const workflow = workflowOf(answerAll(await open(name), { checks: { selected: [], own_text: "make" } }));
    expect(runs(workflow)).toEqual([...install, "make"]);
    expect(setUp(workflow)).toEqual(node);
  });

  test("the questionnaire asks three questions about a locked npm project, and a fourth for a nightly run", async () => {
    let interview = await open("npm, locked");
    const asked: unknown[] = [];
    const answers: Record<string, InterviewAnswer> = {
      versions: { selected: ["Latest LTS (Recommended)", "Node 20"] },
      checks: { selected: ["lint", "test"], own_text: "e2e" },
      trigger: { selected: ["Also every night"] },
      hour: { selected: [], own_text: "07:30" },
    };
    for (let question = nextQuestion(interview); question; question = nextQuestion(interview)) {
      asked.push([question.question, question.options.map((option) => option.label)]);
      interview = recordAnswer(interview, question.id, answers[question.id] ?? "skipped");
    }
    expect(asked).toEqual([
      [
        "Which Node.js versions should CI use for a?",
        ["Latest LTS (Recommended)", "Previous LTS", "Node 20"],
      ],
      ["Which scripts must pass?", ["lint", "typecheck", "test", "build"]],
      [
        "When should lint, test, e2e run?",
        ["Pushes and pull requests (Recommended)", "Pull requests only", "Also every night", "By hand"],
      ],
      ["At what time, in UTC?", ["03:00 (Recommended)", "10:00", "18:00"]],
    ]);
    const workflow = workflowOf(interview);
    expect(runs(workflow)).toEqual(["npm ci", "npm run lint", "npm run test", "npm run e2e"]);
    expect(workflow?.jobs.check.strategy?.matrix.node).toEqual(["lts/*", "20"]);
    expect(workflow?.on).toMatchObject({
      push: { branches: ["main", "master"] },
      schedule: [{ cron: "30 7 * * *" }],
    });
  });

  test.each([
    ["07:30", "30 7 * * *", false],
    ["00:15", "15 0 * * *", false],
    ["23", "0 23 * * *", false],
    ["25:00", "0 3 * * *", true],
    ["at dawn", "0 3 * * *", true],
  ])(
    "the questionnaire takes the typed time %j, or says in the file that it could not",
    async (own_text, cron, remark) => {
      const interview = answerAll(await open("npm, locked"), {
        trigger: { selected: ["Also every night"] },
        hour: { selected: [], own_text },
        checks: { selected: ["lint"] },
      });
      expect(workflowOf(interview)?.on.schedule).toEqual([{ cron }]);
      expect(renderFiles(interview)[0]?.text.includes(`# Wanted: "${own_text}". Change the time`)).toBe(
        remark,
      );
    },
  );

  test("the questionnaire asks a folder without package.json for its command", async () => {
    const interview = answerAll(await open("empty"), {
      command: { selected: [], own_text: 'make "a: b" # c' },
    });
    const workflow = workflowOf(interview);
    expect(workflow?.jobs.check.steps).toEqual([{ uses: "actions/checkout@v5" }, { run: 'make "a: b" # c' }]);
    expect(renderFiles(interview)[0]?.text).toMatchInlineSnapshot(`
      "name: CI

      on:
        push:
          branches: [main, master]
        pull_request:
        workflow_dispatch:

      permissions:
        contents: read

      concurrency:
        group: \${{ github.workflow }}-\${{ github.ref }}
        cancel-in-progress: true

      jobs:
        check:
          runs-on: ubuntu-latest
          steps:
            - uses: actions/checkout@v5
            - run: "make \\"a: b\\" # c"
      "
    `);
  });

  test("the questionnaire writes nothing when there is nothing to run", async () => {
    const interview = answerAll(await open("npm init"), {});
    expect(renderFiles(interview)).toEqual([]);
    expect(doneText(interview, [])).toBe("There is nothing to run yet, so I wrote no workflow.");
  });
});
