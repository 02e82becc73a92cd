import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { scriptedClaude } from "../../../packages/relays/test/acp/claude-provider.js";
import { askwire, folderWith } from "../../cli/test/askwire.js";
import { gatewayOf, newHome, untilThere } from "../../cli/test/mcp/hosts.js";
import { hostsFolder, startProgram } from "./host-run.js";
import { cardOf, openPageOf } from "./page-card.js";
import { claudeEnv, claudeResults } from "./real-hosts.js";

const browser = testBrowser();

const questions = [
  {
    ...{ question: "Which database?", header: "Database", multiSelect: false },
    options: [
      { label: "SQLite", description: "one file" },
      { label: "PostgreSQL", description: "a server" },
    ],
  },
];

const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input }) as const;

/** A way of asking: the arguments of `claude`, and the text for its input where a host holds that open. */
interface Way {
  readonly args: readonly string[];
  readonly input?: string;
  /** True where Claude Code has questions and plans, which it lacks in a script without a permission tool. */
  readonly hasQuestions: boolean;
}

const said = { type: "user", message: { role: "user", content: "go" } };
const ways: [string, Way][] = [
  [
    "the permission tool",
    { args: ["go", "--permission-prompt-tool", "mcp__askwire__approve"], hasQuestions: true },
  ],
  ["the hook", { args: ["go"], hasQuestions: false }],
  [
    "the hook, before a program that takes its time to decide",
    {
      args: [
        ...["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
        ...["--permission-prompt-tool", "stdio"],
      ],
      input: `${JSON.stringify(said)}\n`,
      hasQuestions: true,
    },
  ],
];

/** Claude Code with all of askwire set up, in a script whose model makes these calls, and a person at the page. */
async function claudeAtPage({ args, input }: Way, cwd: string, steps: ReturnType<typeof call>[]) {
  const home = await newHome();
  let results: string[] = [];
  const provider = await scriptedClaude([...steps, { type: "text", text: "All done." }], (conversation) => {
    results = claudeResults(conversation);
    const [, plan] = /create your plan at (\/[^ "\\]+\.md)/.exec(conversation) ?? [];
    for (const { id, input } of steps) if (id === "plan") Object.assign(input, { file_path: plan });
  });
  const env = { ...claudeEnv(provider, cwd), ASKWIRE_HOME: home };
  const installed = await askwire(["mcp", "--install", "claude", "--approvals", "--yes"], { cwd, env });
  expect(installed.status, installed.stderr).toBe(0);
  const mode = ["--permission-mode", "default"];
  const { child, ended, printed } = startProgram("claude", ["-p", ...mode, ...args], env, cwd, input);
  await untilThere(() => gatewayOf(home));
  const { page } = await browser.newPage({});
  await openPageOf(home, page);
  return {
    card: cardOf(page),
    results: () => results,
    async killGateway() {
      const pid = gatewayOf(home)?.pid as number;
      process.kill(pid, "SIGKILL");
      await untilThere(() => (gatewayOf(home)?.pid === pid ? undefined : true));
    },
    async untilDone() {
      await untilThere(() => (printed().includes("All done.") || child.exitCode !== null ? true : undefined));
      child.stdin?.end();
      expect(await ended, printed()).toEqual([0, null]);
      expect(printed()).toContain("All done.");
    },
  };
}

test.skipIf(hostsFolder === undefined).each(ways)(
  "claude -p asks by %s for all that it wants to do, is answered on the page, over a gateway that is killed, and its model reads so",
  async (_way, way) => {
    const cwd = await folderWith();
    const { card, results, killGateway, untilDone } = await claudeAtPage(way, cwd, [
      call("t0", "Write", { file_path: join(cwd, "a.txt"), content: "one\n" }),
      call("t1", "Write", { file_path: join(cwd, "b.txt"), content: "one\n" }),
      call("t2", "Bash", { command: "echo hi > c.txt", description: "Say hi" }),
      call("t3", "Bash", { command: "touch d.txt", description: "Begin a file" }),
      call("t4", "Bash", { command: "touch d.txt", description: "Begin a file" }),
      ...(way.hasQuestions
        ? [
            call("t5", "AskUserQuestion", { questions }),
            call("t6", "EnterPlanMode", {}),
            call("plan", "Write", { content: "1. Test the till" }),
            call("t7", "ExitPlanMode", {}),
            call("t8", "ExitPlanMode", {}),
          ]
        : []),
    ]);
    await card.shows("a.txt");
    await killGateway();
    await card.approve();
    await card.shows("b.txt");
    await card.reject("use another name");
    await card.shows("Say hi");
    await card.edit("echo edited > c.txt");
    await card.shows("Begin a file");
    await card.always();
    if (way.hasQuestions) {
      await card.shows("Which database?");
      await killGateway();
      await card.choose("PostgreSQL");
      await card.shows("Test the till");
      await card.reject("test the stock too");
      await card.shows("Test the till");
      await card.approve();
    }

    await untilDone();
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
    expect(await readFile(join(cwd, "c.txt"), "utf8")).toBe("edited\n");
    // The second of two equal commands was not asked for: nobody answered it.
    expect(existsSync(join(cwd, "d.txt"))).toBe(true);
    expect(results()[1]).toContain("do what they said: use another name");
    if (!way.hasQuestions) return;
    expect(results()[5]).toContain('"Which database?"="PostgreSQL"');
    expect(results().at(-2)).toContain("do what they said: test the stock too");
    expect(results().at(-1)).toContain("User has approved");
  },
  600_000,
);

test.skipIf(hostsFolder === undefined).each(ways)(
  "claude -p refuses by %s what a person changed so that it does not fit, does nothing, and its model reads why",
  async (_way, way) => {
    const cwd = await folderWith();
    const file_path = join(cwd, "a.txt");
    const { card, results, untilDone } = await claudeAtPage(way, cwd, [
      call("t0", "Write", { file_path, content: "one\n" }),
      call("t1", "Edit", { file_path, old_string: "one", new_string: "two" }),
    ]);
    await card.shows("a.txt");
    await card.approve();
    await card.shows(/Change .*a\.txt/);
    await card.edit("one");
    await untilDone();
    expect(await readFile(file_path, "utf8")).toBe("one\n");
    expect(results()[1]).toMatch(/No changes to make|Failed to apply edit/);
  },
  600_000,
);
