import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { type InstallHost, installHosts } from "../../src/mcp/host-lines.js";
import { hostSettings } from "../../src/mcp/install/host-settings.js";
import { plannedChanges, shownChanges, writeChanges } from "../../src/mcp/install/plan.js";
import { askwire, folderWith } from "../askwire.js";

const start = { command: "/usr/bin/node", args: ["/opt/askwire/bin/askwire.js", "mcp"], env: {} };

/** The settings of a host in an empty home. */
async function homeOf(host: InstallHost) {
  const home = await folderWith();
  const { settings } = hostSettings(host, { home, platform: "linux", env: {} }, start);
  const files = settings.map(({ file }) => file);
  await Promise.all(files.map((file) => mkdir(dirname(file), { recursive: true })));
  const apply = (what: "install" | "uninstall") => {
    const changes = plannedChanges(settings, what);
    writeChanges(changes);
    return changes.length;
  };
  return { home, settings, files, apply, read: (at = 0) => readFile(files[at] as string, "utf8") };
}

const commented = (body: string) => `{
    // mine, and it stays
    "theme": "dark", /* too */
${body}    "list": [1,2,  3],
}
`;

describe.each(installHosts.filter((host) => host !== "codex"))("the settings of %s", (host) => {
  test("settings keep comments and formatting, and are the same again once askwire is taken out", async () => {
    const { files, apply, read } = await homeOf(host);
    const before = commented("");
    await Promise.all(files.map((file) => writeFile(file, before)));
    expect(apply("install")).toBeGreaterThan(0);
    const after = await read();
    expect(after).toContain('// mine, and it stays\n    "theme": "dark", /* too */\n');
    expect(after).toContain("[1,2,  3]");
    expect(after).toContain("/opt/askwire/bin/askwire.js");
    expect(apply("install")).toBe(0);
    apply("uninstall");
    for (const at of files.keys()) expect(await read(at)).toBe(before);
  });

  test("settings are begun where there are none, for their owner alone", async () => {
    const { files, apply, read } = await homeOf(host);
    apply("install");
    expect(JSON.stringify(JSON.parse(await read()))).toContain("/opt/askwire/bin/askwire.js");
    expect((await stat(files[0] as string)).mode & 0o777).toBe(0o600);
    apply("uninstall");
    expect(await read()).not.toContain("askwire");
  });
});

test("Claude Code's rule goes to the end of the list that is there, and leaves the rest of it", async () => {
  const { files, apply, read } = await homeOf("claude");
  const before = '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"],\n    "deny": []\n  }\n}\n';
  await writeFile(files[1] as string, before);
  apply("install");
  expect(JSON.parse(await read(1)).permissions.allow).toEqual(["Bash(ls:*)", "mcp__askwire"]);
  apply("uninstall");
  expect(JSON.parse(await read(1))).toEqual(JSON.parse(before));
});

test("Cursor's list of allowed tools is not begun, since it would take the place of the one in its settings", async () => {
  const { apply, read } = await homeOf("cursor");
  expect(apply("install")).toBe(1);
  await expect(read(1)).rejects.toThrow("ENOENT");
});

describe("the settings of Codex", () => {
  const before = `# my settings
model = "m"   # aligned

[mcp_servers.other]
command = "x"

# about the profile
[profiles.fast]
model = "n"
`;

  test("settings keep comments and formatting, and are the same again once askwire is taken out", async () => {
    const { files, apply, read } = await homeOf("codex");
    await writeFile(files[0] as string, before);
    apply("install");
    const after = await read();
    expect(after.startsWith(before)).toBe(true);
    expect(parse(after)).toMatchObject({
      mcp_servers: { other: { command: "x" }, askwire: { command: "/usr/bin/node", tool_timeout_sec: 600 } },
    });
    expect(apply("install")).toBe(0);
    apply("uninstall");
    expect(await read()).toBe(before);
  });

  test("an older askwire in the middle is replaced, with its variables and without the comment that follows", async () => {
    const { files, apply, read } = await homeOf("codex");
    const old = `[mcp_servers.askwire]\ncommand = "askwire"\nargs = ["mcp"]\n[mcp_servers.askwire.env]\nA = "b"\n\n`;
    await writeFile(
      files[0] as string,
      before.replace("# about", () => `${old}# about`),
    );
    apply("install");
    expect(await read()).toContain('# about the profile\n[profiles.fast]\nmodel = "n"\n');
    expect(await read()).not.toContain('A = "b"');
  });

  test("an askwire in a form without a table of its own is told, and nothing is changed", async () => {
    const { files, apply, read } = await homeOf("codex");
    const inline = 'mcp_servers = { askwire = { command = "askwire", args = ["mcp"] } }\n';
    await writeFile(files[0] as string, inline);
    expect(() => apply("install")).toThrow("not written as a table of its own; nothing was changed");
    expect(await read()).toBe(inline);
  });
});

describe("settings that cannot be changed", () => {
  test.each([
    ["broken", '{\n  "a": 1,\n  oops\n}', "line 3: expected JSON"],
    ["of a list", "[]", "expected an object"],
    ["with a text in the way", '{"mcpServers": "no"}', "mcpServers: expected an object"],
    [
      "with another askwire",
      '{"mcpServers": {"askwire": {"command": "npx", "args": ["other-askwire"]}}}',
      "there is another server named askwire (npx other-askwire)",
    ],
  ])("%s are told with the next step, and no file is written", async (_, content, words) => {
    const { files, apply, read } = await homeOf("claude");
    await writeFile(files[0] as string, content);
    expect(() => apply("install")).toThrow(words);
    expect(() => apply("install")).toThrow("nothing was changed");
    expect(await read()).toBe(content);
    await expect(read(1)).rejects.toThrow("ENOENT");
  });

  test("settings that are read-only are not replaced", async () => {
    const { files, apply, read } = await homeOf("gemini");
    await writeFile(files[0] as string, "{}\n");
    await chmod(files[0] as string, 0o444);
    expect(() => apply("install")).toThrow("is read-only; nothing was changed");
    expect(await read()).toBe("{}\n");
  });

  test("settings that are a link are written where it leads", async () => {
    const { home, files, apply, read } = await homeOf("gemini");
    await writeFile(join(home, "kept.json"), "{}\n");
    await symlink(join(home, "kept.json"), files[0] as string);
    apply("install");
    expect(await readFile(join(home, "kept.json"), "utf8")).toBe(await read());
  });

  test("settings that another program has changed meanwhile are not overwritten", async () => {
    const { files, settings, read } = await homeOf("gemini");
    const changes = plannedChanges(settings, "install");
    await writeFile(files[0] as string, '{"theirs": 1}');
    expect(() => writeChanges(changes)).toThrow("another program has changed it meanwhile");
    expect(await read()).toBe('{"theirs": 1}');
  });
});

test("the change is shown as a difference", async () => {
  const { settings } = await homeOf("gemini");
  const shown = shownChanges(plannedChanges(settings, "install"));
  expect(shown).toMatch(/^\+ .*"askwire": \{$/m);
  expect(shown).toContain('"trust": true');
});

describe("askwire mcp --install", () => {
  test("the command writes only with --yes where nobody can be asked, and --uninstall takes it out again", async () => {
    const HOME = await folderWith();
    const env = { HOME, ASKWIRE_HOME: join(HOME, "mine"), CODEX_HOME: join(HOME, "codex") };
    const file = join(HOME, "codex", "config.toml");
    const args = ["mcp", "--install", "codex", "--via", "elicitation"];
    const look = await askwire([...args, "--dry-run"], { env });
    expect(look).toMatchObject({ status: 0, stdout: expect.stringContaining("+[mcp_servers.askwire]") });
    expect(await askwire(args, { env })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("add --yes"),
    });
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect(await askwire([...args, "--yes"], { env })).toMatchObject({ status: 0 });
    const written = parse(await readFile(file, "utf8"));
    expect(written).toMatchObject({
      mcp_servers: { askwire: { env: { ASKWIRE_HOME: env.ASKWIRE_HOME } } },
    });
    expect(JSON.stringify(written)).toContain('"mcp","--via","elicitation","--timeout","540"');
    expect(await askwire(["mcp", "--uninstall", "codex", "--yes"], { env })).toMatchObject({ status: 0 });
    expect(await readFile(file, "utf8")).not.toContain("askwire");
  });

  test("--dry-run without a host is refused with the next step", async () => {
    expect(await askwire(["mcp", "--dry-run"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("need --install HOST or --uninstall HOST"),
    });
  });
});
