import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";

const theirs = {
  ".claude.json": '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  "settings.json": `{
  // mine, and it stays
  "permissions": {
    "allow": ["Bash(ls:*)"]
  },
  "hooks": {
    "PermissionRequest": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "say hello" }] }
    ]
  }
}
`,
};

/** A home with settings of Claude Code, and a way to run `askwire mcp` there. */
async function claudeHome(files: Readonly<Record<string, string>> = theirs) {
  const home = await folderWith();
  await mkdir(join(home, ".claude"));
  const paths = {
    ".claude.json": join(home, ".claude.json"),
    "settings.json": join(home, ".claude", "settings.json"),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(paths[name as keyof typeof paths], text);
  const run = (...args: string[]) =>
    askwire(["mcp", ...args], { cwd: home, env: { HOME: home, CLAUDE_CONFIG_DIR: "" } });
  const read = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(paths).map(async ([name, path]) => [name, await readFile(path, "utf8")]),
      ),
    );
  return { run, read, paths };
}

const plain = (text = "") => JSON.parse(text.replace(/^ *\/\/.*$/gm, ""));

test("--approvals sets up the server, its rule and the hooks, beside what others have, and takes them out without a trace", async () => {
  const { run, read } = await claudeHome();
  const look = await run("--install", "claude", "--approvals", "--dry-run");
  expect(look.stdout).toMatch(/--approvals[\s\S]*mcp__askwire[\s\S]*hook claude/);
  expect(await read()).toEqual(theirs);
  expect((await run("--install", "claude", "--approvals", "--timeout", "60", "--yes")).status).toBe(0);
  const { ".claude.json": servers, "settings.json": settings } = await read();
  expect(servers).toContain("// mine");
  expect(plain(servers).mcpServers.askwire.args.slice(1)).toEqual(["mcp", "--timeout", "60", "--approvals"]);
  expect(settings).toContain("// mine, and it stays");
  const { permissions, hooks } = plain(settings);
  expect(permissions.allow).toEqual(["Bash(ls:*)", "mcp__askwire"]);
  expect(hooks.PermissionRequest).toHaveLength(2);
  // A hook has another time than a call of the server.
  expect(hooks.PermissionRequest[1].hooks[0].command).toMatch(/hook claude$/);
  expect(hooks.Elicitation).toHaveLength(1);
  await run("--uninstall", "claude", "--approvals", "--yes");
  expect(await read()).toEqual(theirs);
});

test("another server named askwire is left alone, and no hook is written beside it", async () => {
  const files = { ...theirs, ".claude.json": '{"mcpServers":{"askwire":{"command":"mine"}}}\n' };
  const { run, read } = await claudeHome(files);
  const { status, stderr } = await run("--install", "claude", "--approvals", "--yes");
  expect(status).toBe(2);
  expect(stderr).toContain("another server named askwire");
  expect(await read()).toEqual(files);
});

test("read-only settings are left alone, and the server is not written beside them", async () => {
  const { run, read, paths } = await claudeHome();
  await chmod(paths["settings.json"], 0o444);
  expect((await run("--install", "claude", "--approvals", "--yes")).stderr).toContain("is read-only");
  expect(await read()).toEqual(theirs);
});

test("another host has no approvals of its own to set up", async () => {
  const { run } = await claudeHome();
  const { status, stderr } = await run("--install", "codex", "--approvals", "--yes");
  expect(status).toBe(2);
  expect(stderr).toContain("--approvals is for Claude Code");
});
