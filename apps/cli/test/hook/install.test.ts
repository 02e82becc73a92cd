import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";

const theirs = `{
  // mine, and it stays
  "model": "opus",
  "hooks": {
    "PermissionRequest": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "say hello" }] }
    ]
  }
}
`;

/** A person's home with settings of Claude Code, and a way to run the command there. */
async function claudeHome(text?: string) {
  const home = await folderWith();
  const file = join(home, ".claude", "settings.json");
  if (text !== undefined) {
    await mkdir(join(home, ".claude"));
    await writeFile(file, text);
  }
  const run = (...args: string[]) =>
    askwire(["hook", "claude", ...args], { cwd: home, env: { HOME: home, CLAUDE_CONFIG_DIR: "" } });
  return { home, file, run, read: (name = file) => readFile(name, "utf8") };
}

test("the hooks are written beside those of others, once, and are taken out again without a trace", async () => {
  const { run, read } = await claudeHome(theirs);
  const look = await run("--install", "--dry-run");
  expect(look).toMatchObject({ status: 0, stdout: expect.stringContaining("hook claude") });
  expect(await read()).toBe(theirs);
  expect((await run("--install")).stderr).toContain("add --yes");
  expect((await run("--install", "--yes")).status).toBe(0);
  const written = await read();
  expect(written).toContain("// mine, and it stays");
  const { hooks } = JSON.parse(written.replace(/^ *\/\/.*$/m, ""));
  expect(hooks.PermissionRequest).toEqual([
    { matcher: "Bash", hooks: [{ type: "command", command: "say hello" }] },
    {
      matcher: "*",
      hooks: [
        { type: "command", command: expect.stringMatching(/askwire\.js hook claude$/), timeout: 86_400 },
      ],
    },
  ]);
  expect(hooks.Elicitation).toHaveLength(1);
  expect((await run("--install", "--yes")).stdout).toContain("Nothing to do");
  // Another option changes the entry, and adds none.
  await run("--install", "--yes", "--timeout", "60");
  expect((await read()).match(/hook claude --timeout 60/g)).toHaveLength(2);
  expect((await read()).match(/hook claude/g)).toHaveLength(2);
  await run("--uninstall", "--yes");
  expect(await read()).toBe(theirs);
});

test("the hooks of another installation of askwire are replaced, and not doubled", async () => {
  const older = { type: "command", command: "node /old/askwire/apps/cli/bin/askwire.js hook claude" };
  const entry = { matcher: "*", hooks: [older] };
  const { run, read } = await claudeHome(JSON.stringify({ hooks: { PermissionRequest: [entry] } }, null, 2));
  expect((await run("--install", "--yes")).status).toBe(0);
  expect(JSON.parse(await read()).hooks.PermissionRequest).toHaveLength(1);
  expect(await read()).not.toContain("/old/");
});

test("settings that are read-only are left alone, with a word", async () => {
  const { file, run, read } = await claudeHome(theirs);
  await chmod(file, 0o444);
  expect(await run("--install", "--yes")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("is read-only"),
  });
  expect(await read()).toBe(theirs);
});

test("the hooks of a project go into its own settings", async () => {
  const { home, run, read } = await claudeHome();
  expect((await run("--install", "--yes", "--scope", "local")).status).toBe(0);
  expect(await read(join(home, ".claude", "settings.local.json"))).toContain("hook claude");
  await expect(read()).rejects.toThrow("ENOENT");
});

const mixed = JSON.stringify({
  hooks: {
    PermissionRequest: [
      {
        matcher: "*",
        hooks: [
          { type: "command", command: "say hello" },
          { type: "command", command: "askwire hook claude" },
        ],
      },
    ],
  },
});

test.each([
  ["settings that are no JSON", "{", ["--install", "--yes"], "expected JSON"],
  ["hooks that are no list", '{"hooks":{"PermissionRequest":5}}', ["--install", "--yes"], "expected a list"],
  [
    "askwire beside another hook",
    mixed,
    ["--install", "--yes"],
    "PermissionRequest.0: expected askwire in an entry",
  ],
  [
    "the same, to be taken out",
    mixed,
    ["--uninstall", "--yes"],
    "PermissionRequest.0: expected askwire in an entry",
  ],
  ["both ways at once", "{}", ["--install", "--uninstall"], "leave one out"],
  ["a hook that defers", "{}", ["--install", "--defer"], "PreToolUse"],
])(
  "what cannot be written is refused with the reason, and nothing is changed: %s",
  async (_what, text, args, why) => {
    const { run, read } = await claudeHome(text);
    expect(await run(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) });
    expect(await read()).toBe(text);
  },
);
