import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { askwire, command } from "../askwire.js";
import { placesWith } from "./named-agents.js";

const asking = fileURLToPath(
  new URL("../../../../packages/relays/test/mcp/asking-server-1.mjs", import.meta.url),
);

/** An entry under `mcpServers`, in TOML. */
const server = (name: string) =>
  `[mcpServers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(asking)}]\n`;

/** A conversation with the command, whose script calls the tool of a server. */
async function served(places: Awaited<ReturnType<typeof placesWith>>, name: string) {
  const { workDir: cwd, env } = places;
  const script = join(places.home, "script.json");
  const call = `tool_call: {"id":"c1","name":"mcp__${name}__ask","arguments":"{}"}`;
  writeFileSync(script, JSON.stringify([call, "text: done"]));
  const results: unknown[] = [];
  const asked: string[] = [];
  const session = await connectProcess(process.execPath, [command, "serve", "--stdio", "--script", script], {
    cwd,
    env: { ...process.env, ...env },
    shows: { fields: true },
    handlers: {
      approval({ action }) {
        asked.push(action);
        return "approve";
      },
      question({ questions }) {
        asked.push(...questions.map(({ question }) => question));
        return {
          items: [
            { question_id: "q1", selected: ["q1_o1"] },
            { question_id: "q2", selected: [], own_text: "7" },
          ],
        };
      },
      event({ type, payload }) {
        if (type === "ToolResult")
          results.push((payload as { return_value: { output: unknown } }).return_value.output);
      },
    },
  });
  onTestFinished(() => session.close());
  await session.prompt("go").result;
  return { asked, results };
}

test("a server of the user's configuration asks through the command, and its call has to be approved first", async () => {
  const places = await placesWith({ user: server("older") });
  const { asked, results } = await served(places, "older");
  expect(asked).toEqual(["mcp__older__ask", "db", "count"]);
  expect(results).toEqual(['{"action":"accept","content":{"db":"sqlite","count":7}}']);
});

test("a project's server is left out until its content is approved, and asked about again after a change", async () => {
  const places = await placesWith({ project: server("older") });
  const { workDir: cwd, env, projectFile } = places;
  const approve = (...more: string[]) =>
    askwire(["agents", "approve", "mcpServers/older", ...more], { cwd, env });
  expect((await served(places, "older")).asked).toEqual([]);
  const refused = await approve();
  expect(refused.stderr).toContain(asking);
  const [, hash = ""] = /--sha256 (\w{64})/.exec(refused.stderr) ?? [];
  expect((await approve("--sha256", hash)).stdout).toBe("mcpServers/older is approved\n");
  expect((await served(places, "older")).results).toEqual([expect.stringContaining("accept")]);
  writeFileSync(projectFile, readFileSync(projectFile, "utf8").replace("args", "timeout = 5000\nargs"));
  expect((await served(places, "older")).asked).toEqual([]);
});

test("askwire agents lists the servers of each configuration without secrets, and revoke undoes an approval", async () => {
  const places = await placesWith({
    user: "[mcpServers.far]\nurl = 'https://example.org/mcp'\nheaders = { Authorization = 'secret' }\n",
    project: `${server("older")}${server("far")}`,
  });
  const { workDir: cwd, env, projectFile } = places;
  const run = (...args: string[]) => askwire(["agents", ...args], { cwd, env });
  const listed = async () =>
    (await run()).stdout.split("\n").filter((line) => line.startsWith("mcpServers/"));
  const first = await run("list", "--json");
  expect(first.stdout).not.toContain("secret");
  const [far, older] = first.stdout
    .trimEnd()
    .split("\n")
    .slice(-2)
    .map((line) => JSON.parse(line));
  expect(far).toMatchObject({
    name: "mcpServers/far",
    from: "user",
    headers: ["Authorization"],
    approval: null,
  });
  expect(older).toMatchObject({ name: "mcpServers/older", from: "project", approval: "not_approved" });
  expect(first.stderr).toContain(`mcpServers/far of ${projectFile} is left out: the name is taken (user)`);
  await run("approve", "mcpServers/older", "--sha256", older.sha256);
  expect(await listed()).toEqual([
    "mcpServers/far    user     https://example.org/mcp  mcp",
    expect.stringMatching(/^mcpServers\/older {2}project {2}.* mcp, approved$/),
  ]);
  expect((await run("revoke", "mcpServers/older")).stdout).toBe("1 approval revoked\n");
  expect((await listed())[1]).toMatch(/mcp, not approved$/);
  expect((await served(places, "older")).asked).toEqual([]);
});

test.each([
  [
    "url = 'https://a.b'\nargs = ['x']",
    "config.toml: mcpServers.a: args, env and inherit are for a command: leave them out with url",
  ],
  // A timer of more than 24 days would end at once.
  ["url = 'https://a.b'\ntimeout = 86400001", "config.toml: mcpServers.a.timeout: expected at most 86400000"],
  ["url = 'https://a.b'\nstartup = 1", "config.toml: mcpServers.a.startup: expected at least 1000"],
])(
  "a mistake in the entry %j is reported with the file, the key and what was expected",
  async (entry, problem) => {
    const { home, workDir: cwd, env } = await placesWith({ user: `[mcpServers.a]\n${entry}\n` });
    const script = join(home, "script.json");
    writeFileSync(script, JSON.stringify(['tool_call: {"id":"c","name":"Shell","arguments":"{}"}']));
    const { stderr, status } = await askwire(["serve", "--stdio", "--script", script], { cwd, env });
    expect(status).toBe(2);
    expect(stderr).toContain(problem);
  },
);
