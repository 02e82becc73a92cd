import { expect, test } from "vitest";
import { asksLine, folderWith } from "../askwire.js";
import { key, press, start } from "./at-panel.js";
import { database, inTurn } from "./in-turn.js";

const OPEN = /Esc decline/;

const release = [
  {
    question: "Where should the release go?",
    header: "Target",
    options: [
      { label: "npm registry", description: "Public" },
      { label: "Nowhere yet", description: "Build and check only" },
    ],
  },
  {
    question: "Which checks must pass first?",
    header: "Checks",
    multi_select: true,
    options: [{ label: "Lint" }, { label: "Tests", description: "All of them" }, { label: "Types" }],
  },
];

/** `askwire chat` with a scripted model that asks this. */
async function asked(questions: readonly object[], columns = 80) {
  const script = JSON.stringify([`text: First this.\n${asksLine(questions)}`, "text: Thanks."]);
  const cwd = await folderWith({ "s.json": script });
  const terminal = start(["chat", "--script", "s.json", "--prompt", "go"], { cwd, columns, rows: 30 });
  await terminal.waitForRows(OPEN);
  return terminal;
}

test("a question is told once: its lines with its answers, and no title of its call beside them", async () => {
  const terminal = await asked(release);
  await press(terminal, [
    [key.enter, "Which checks must pass first?"],
    key.space + key.down + key.space + key.down + key.down,
    ["and by hand", "and by hand"],
    [key.enter, /❯ ✔/],
    [key.enter, "Submit answers"],
    [key.down, /❯ 2\. Cancel/],
    [key.up, /❯ 1\. Submit/],
    [key.enter, /Thanks\.\n>$/],
  ]);
  const rows = [
    "First this.",
    "● Where should the release go?",
    "  → npm registry · Public",
    "● Which checks must pass first?",
    "  → Lint",
    "  → Tests · All of them",
    "  → and by hand",
    "Thanks.",
    ">",
  ];
  expect(terminal.screen()).toBe(rows.join("\n"));
});

test("a declined question stays too, and is reported once", async () => {
  const terminal = await asked(release);
  await press(terminal, [[key.escape, /Thanks\.\n>$/]]);
  const rows = [
    "First this.",
    "○ Where should the release go?",
    "○ Which checks must pass first?",
    "  → declined",
    "Thanks.",
    ">",
  ];
  expect(terminal.screen()).toBe(rows.join("\n"));
});

test("a long answer and a long question stay in full, never cut in the middle, at 40 columns", async () => {
  const sentence = Array.from({ length: 60 }, (_, at) => `word${at + 1}`).join(" ");
  const question = `Why ${sentence}?`;
  const label = `Since ${sentence}`;
  const terminal = await asked([{ question, options: [{ label }, { label: "No" }] }], 40);
  await press(terminal, [[key.enter, /Thanks\.\n>$/]]);
  const screen = await terminal.waitFor("Thanks.");
  expect(screen.replace(/\s+/g, " ")).toContain(`● ${question} → ${label} Thanks.`);
});

test("an answer of several lines shows its lines below each other, and reaches the agent with its line ends", async () => {
  const { terminal, asks, received } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  const lines = Array.from({ length: 40 }, (_, at) => `pasted line ${at + 1}`);
  await press(terminal, [[key.paste(lines.join("\r")), /pasted line 40/], key.enter]);
  expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": lines.join("\n") } } });
  const screen = await terminal.waitFor(/→ pasted line 1[\s\S]*pasted line 40\n/);
  expect(screen).toContain(`  → ${lines.join("\n    ")}\n`);
});
