// Runs hosts of MCP themselves with askwire mcp: Claude Code, Codex, OpenCode and Gemini CLI; the Claude Agent SDK with
// its adapter; and acpx with askwire acp, before Claude's ACP agent. They are in the versions of scripts/hosts/package.json, on Node 22, each against a
// provider on loopback. They take 1.5 GB, so the suite has none of them. Neovim with CodeCompanion is run too where
// ASKWIRE_NEOVIM names its program, and ASKWIRE_NEOVIM_PLUGINS the folder of codecompanion.nvim and plenary.nvim.
// Usage: node scripts/hosts.mjs [WORDS OF A TEST'S TITLE]
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setUpNode } from "./matrix/nodes.mjs";
import { npm } from "./npm-package.mjs";

const folder = fileURLToPath(new URL("hosts/", import.meta.url));
const root = fileURLToPath(new URL("../", import.meta.url));
const tests = [
  "mcp-hosts-words",
  "mcp-hosts-install",
  "claude-approvals",
  "claude-sdk",
  "mcp-hosts",
  "acp-editors",
];

/** Runs a program and shows what it prints. Ends this one where it fails. */
function must(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {import("node:child_process").SpawnSyncOptions} */ options,
) {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (status !== 0) process.exit(1);
}

const node = await setUpNode("22");
await npm(
  folder,
  "install",
  "--no-package-lock",
  "--workspaces=false",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
);
// These two put the program for this machine, which has come as a package of its own, into their place.
const modules = join(folder, "node_modules");
for (const [name, script] of [
  ["@anthropic-ai/claude-code", "install.cjs"],
  ["opencode-ai", "postinstall.mjs"],
])
  must(node.path, [script ?? ""], { cwd: join(modules, name ?? ""), timeout: 60_000 });
const only = process.argv.slice(2).join(" ");
must(
  process.execPath,
  [
    ...[join(root, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout", "300000"],
    ...["--no-file-parallelism", ...(only === "" ? [] : ["-t", only])],
    ...tests.map((name) => `apps/web/test/${name}.test.ts`),
  ],
  {
    cwd: root,
    env: { ...process.env, ASKWIRE_HOSTS: folder, ASKWIRE_HOSTS_NODE: dirname(node.path) },
  },
);
