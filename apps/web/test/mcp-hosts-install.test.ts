import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { askwire, folderWith } from "../../cli/test/askwire.js";
import { newHome } from "../../cli/test/mcp/hosts.js";
import { hostsFolder, startProgram } from "./host-run.js";

/** A host that lists its servers, its settings file below the home, and what stands there before. */
interface Lister {
  readonly host: string;
  readonly program: string;
  readonly file: string;
  readonly before: string;
  /** The words by which it says that it has the server: where it starts servers, that this one was reached. */
  readonly lists: RegExp;
}

const listers: readonly Lister[] = [
  {
    ...{ host: "claude", program: "claude", file: ".claude.json" },
    before: '{\n  "mcpServers": {}\n}\n',
    lists: /askwire:.*Connected/,
  },
  {
    ...{ host: "codex", program: "codex", file: ".codex/config.toml" },
    before: '# mine\nmodel = "m" # aligned\n',
    lists: /askwire.*enabled/s,
  },
  {
    ...{ host: "opencode", program: "opencode", file: ".config/opencode/opencode.jsonc" },
    // OpenCode adds the schema where it lacks.
    before: '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "theme": "dark"\n}\n',
    lists: /askwire.*connected/s,
  },
  {
    ...{ host: "gemini", program: "gemini", file: ".gemini/settings.json" },
    before: '{\n  // mine\n  "ui": { "hideTips": true }\n}\n',
    lists: /askwire:.*Connected/,
  },
];

test.skipIf(hostsFolder === undefined).each(listers)(
  "$host has the server of askwire mcp --install, and its settings are the same again after --uninstall",
  async ({ host, program, file, before, lists }) => {
    const cwd = await folderWith();
    const path = join(cwd, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, before);
    const env = {
      ...{ HOME: cwd, ASKWIRE_HOME: await newHome(), CODEX_HOME: join(cwd, ".codex") },
      ...{ XDG_CONFIG_HOME: join(cwd, ".config"), CLAUDE_CONFIG_DIR: "" },
      ...{ GEMINI_CLI_TRUST_WORKSPACE: "true", OPENCODE_DISABLE_AUTOUPDATE: "1" },
      ...{ OPENCODE_DISABLE_MODELS_FETCH: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
    };
    const run = async (what: string) => {
      const { status, stderr } = await askwire(["mcp", what, host, "--yes"], { cwd, env });
      expect(status, stderr).toBe(0);
    };
    await run("--install");
    const { ended, printed } = startProgram(program, ["mcp", "list"], env, cwd);
    await ended;
    expect(printed()).toMatch(lists);
    await run("--uninstall");
    const after = await readFile(path, "utf8");
    // Claude Code keeps more of its own in the file.
    if (host === "claude") expect(JSON.parse(after).mcpServers?.askwire).toBeUndefined();
    else expect(after).toBe(before);
  },
  300_000,
);
