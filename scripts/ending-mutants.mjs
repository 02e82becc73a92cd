// Changes one row after the other of the table of endings (P-WHO-2), and says which of these changes no test tells: each
// surface has to hold to each row.
//   node scripts/ending-mutants.mjs [row ...]
// Takes ten minutes. Build first.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const terminal = "apps/cli/test/panel/closed-terminal.test.ts";
const wire = "packages/server/test/extended/who-decided.test.ts";

/** Where a row is held: a file of tests, and the beginning of their titles. @type {Record<string, [string, string]>} */
const held = {
  escape: [terminal, "escape.? at"],
  typed_end: [terminal, "typed_end.? at"],
  interrupt: [terminal, "interrupt.? at"],
  cancel: [wire, "cancel.? ends"],
  pipe_end: ["apps/cli/test/commands/chat.test.ts", "the end of a pipe at"],
  terminal_closed: [terminal, "by .?terminal_closed"],
  hangup: [terminal, "by .?hangup"],
  terminate: [terminal, "by .?terminate"],
  kill: [terminal, "by .?kill"],
  tab_closed: ["apps/web/test/delivery.test.ts", "tab_closed is no answer"],
  window_closed: ["apps/vscode/test/sessions.test.ts", "resume after a reload"],
  socket_lost: [wire, "socket_lost.? ends"],
  call_cancelled: ["apps/cli/test/mcp/mcp.test.ts", "on-cancel keep a cancelled call"],
  taken_back: [wire, "taken_back.? ends"],
  agent_dies: ["packages/relays/test/acp/endings.test.ts", "ends its requests, fails the prompt"],
  policy: [wire, "policy.? ends"],
  deadline: [wire, "deadline.? ends"],
};

/** The parts of rows that no test reads, with the reason. @type {Record<string, string>} */
const reasons = {
  "window_closed approval": "the extension keeps its sessions alike, whatever is open in them",
  "call_cancelled approval": "a program asks no approvals",
  "deadline approval": "an approval has no deadline",
};

const folder = mkdtempSync(join(tmpdir(), "askwire-endings-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A configuration of the tests in which a row says the opposite. @param {string} row @param {string} [kind] absent: as it is */
function configWith(row, kind) {
  const file = join(folder, `${row}-${kind ?? "as-it-is"}.config.mjs`);
  const other = `(ended) => ended === "open" ? { status: "declined", reason: "dismissed", by: "human" } : "open"`;
  const change =
    kind === undefined
      ? ""
      : `;{ const row = endings.${row}; row.${kind} = Object.fromEntries(Object.entries(row.${kind}).map(([standing, ended]) => [standing, (${other})(ended)])); }`;
  writeFileSync(
    file,
    `import base from ${JSON.stringify(join(root, "vitest.config.ts"))};
const mutant = {
  name: "mutant",
  enforce: "pre",
  transform: (code, id) => (id.endsWith("protocol/src/endings.ts") ? code + ${JSON.stringify(change)} : undefined),
};
export default { ...base, root: ${JSON.stringify(root)}, plugins: [mutant], test: { ...base.test, globalSetup: [], bail: 1, testTimeout: 40_000, expect: { poll: { timeout: 8_000 } } } };
`,
  );
  return file;
}

/** Runs tests. Resolves with true where none failed. @param {string[]} args @returns {Promise<boolean>} */
function passes(args) {
  const child = spawn("npx", ["vitest", "run", ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ASKWIRE_ENDS: "all" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  return new Promise((resolve, reject) =>
    child.on("close", (code) => {
      if (!/Tests .*\d+ (?:passed|failed)/.test(printed))
        reject(new Error(`no test ran: ${args.join(" ")}\n${printed.slice(-2_000)}`));
      else resolve(code === 0);
    }),
  );
}

const rows = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(held);
let survivors = 0;
for (const row of rows) {
  const [file, title] = held[row] ?? [];
  if (file === undefined) throw new Error(`${row}: expected one of ${Object.keys(held).join(", ")}`);
  const runs = (/** @type {string} */ config) =>
    passes([file, "-t", /** @type {string} */ (title), "--config", config]);
  // A test that is red by itself would see every change.
  if (!(await runs(configWith(row)))) throw new Error(`${row}: red without a change: ${file}`);
  for (const kind of ["question", "approval"]) {
    const reason = reasons[`${row} ${kind}`];
    const survives = await runs(configWith(row, kind));
    if (survives && reason === undefined) survivors += 1;
    const said = !survives ? "seen" : reason === undefined ? "SEEN BY NO TEST" : `not read: ${reason}`;
    process.stdout.write(`${row} ${kind}: ${said}\n`);
  }
}
process.exitCode = survivors === 0 ? 0 : 1;
