import { watch } from "node:fs";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askwire, command, startAskwire } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { good, linesIn, sessions } from "./sessions.js";

const wrong: [string[], string][] = [
  [["export", "--all"], "required option '--out <file>' not specified"],
  [["export", "--out", "a.jsonl"], "name a session, a folder or a wire.jsonl file, or use --all"],
  [["export", "good", "--all", "--out", "a.jsonl"], "--all and SESSION: leave one out"],
  [["export", "none", "--out", "a.jsonl"], "trajectory export none: no session of "],
  [["export", "../..", "--out", "a.jsonl"], "trajectory export ../..: no session of "],
  [["export", "--all", "--work-dir", "/", "--out", "a.jsonl"], "--all: no session of / is kept"],
  [["export", "good", "--out", "none/a.jsonl"], "--out none/a.jsonl: there is no such folder; make it first"],
  [["export", "good", "--out", "."], "--out .: a folder; name a file"],
  [["export", "good", "--out", "a.jsonl", "--system", "none"], "--system none: no such file; check the path"],
  [["export", "good", "--out", "a.jsonl", "--system", "empty.txt"], "--system empty.txt: it is empty"],
  [["export", "good", "--out", "a.jsonl", "--tag", "query"], "Allowed choices are tool_param, param_query."],
  [["check"], "missing required argument 'file'"],
  [["check", "none.jsonl"], "trajectory check none.jsonl: no such file; check the path"],
  [["check", "."], "trajectory check .: a folder; name a file"],
  [[], "Usage: askwire trajectory "],
];

test("a wrong use of trajectory is explained, writes nothing and exits with 2", async () => {
  const { run, cwd } = await sessions({ good });
  await writeFile(join(cwd, "empty.txt"), "\n");
  for (const [args, problem] of wrong) {
    const { stdout, stderr, status } = await run(...args);
    expect(stderr, args.join(" ")).toContain(problem);
    expect([stdout, status], args.join(" ")).toEqual(["", 2]);
  }
  expect((await readdir(cwd)).sort()).toEqual(["empty.txt", "notes.txt"]);
});

test("an export replaces a file only with --force, and leaves nothing else behind", async () => {
  const { run, cwd, kept } = await sessions({ good });
  await writeFile(join(cwd, "out.jsonl"), "mine");
  const refused = await run("export", "good", "--out", "out.jsonl");
  expect(refused.stderr).toBe("askwire: --out out.jsonl: it exists; name another file, or add --force\n");
  expect([refused.status, refused.stdout]).toEqual([2, ""]);
  expect(await readFile(join(cwd, "out.jsonl"), "utf8")).toBe("mine");
  const journal = join(kept, "good", "wire.jsonl");
  const own = await run("export", "good", "--out", journal, "--force");
  expect(own.stderr).toBe(`askwire: --out ${journal}: a journal that is read; name another file\n`);
  expect((await run("export", "good", "--out", "out.jsonl", "--force")).status).toBe(0);
  expect(await linesIn(join(cwd, "out.jsonl"))).toHaveLength(1);
  expect((await readdir(cwd)).sort()).toEqual(["notes.txt", "out.jsonl"]);
});

test("an export shows its progress at a terminal, on a line that disappears", async () => {
  const { kept, cwd, env } = await sessions({ good });
  for (let copy = 1; copy < 25; copy += 1)
    await cp(join(kept, "good"), join(kept, `copy-${copy}`), { recursive: true });
  const args = ["trajectory", "export", "--all", "--out", "out.jsonl"];
  const terminal = openAskwire(args, { cwd, env });
  expect((await terminal.ended).exitCode).toBe(0);
  expect(terminal.sent).toContain("24 of 25 sessions");
  expect(terminal.screen()).toBe("out.jsonl: 25 trajectories of 25 sessions");
  terminal.close();
});

/** A session whose journal is mostly what a sub-agent did, more than 120 MB of it. */
async function longSession() {
  const made = await sessions({ good });
  const journal = join(made.kept, "good", "wire.jsonl");
  const inner = { type: "ContentPart", payload: { type: "text", text: "x".repeat(10_000) } };
  const payload = { parent_tool_call_id: null, agent_id: null, subagent_type: null, event: inner };
  const line = `${JSON.stringify({ timestamp: 1, message: { type: "SubagentEvent", payload } })}\n`;
  const text = await readFile(journal, "utf8");
  await writeFile(journal, text.replace(/\n(?=[^\n]*TurnEnd)/, `\n${line.repeat(12_000)}`));
  expect((await stat(journal)).size).toBeGreaterThan(120_000_000);
  return made;
}

const exportGood = ["trajectory", "export", "good", "--out", "out.jsonl"];

test("an export reads a journal many times as large as its memory", async () => {
  const { env, cwd, lines } = await longSession();
  const small = { ...env, NODE_OPTIONS: "--max-old-space-size=40" };
  const { status, stderr } = await askwire(exportGood, { cwd, env: small });
  expect([stderr, status]).toEqual(["", 0]);
  expect((await lines())[0].messages).toHaveLength(2);
});

test("an export that is interrupted leaves nothing behind", async () => {
  const { env, cwd } = await longSession();
  const changed = new Promise<void>((resolve) => {
    const watcher = watch(cwd, () => {
      watcher.close();
      resolve();
    });
  });
  const { child, ended } = startAskwire(exportGood, { cwd, env: { ...process.env, ...env } });
  await changed;
  expect((await readdir(cwd)).filter((name) => name.startsWith(".askwire-"))).toHaveLength(1);
  child.kill("SIGINT");
  expect((await ended).status).toBe(130);
  expect(await readdir(cwd)).toEqual(["notes.txt"]);
});

test("no command but trajectory loads its code", async () => {
  const dist = join(command, "../../dist");
  const main = (await readdir(dist)).filter((name) =>
    /^(?:askwire|chunk-(?:base|main|serve|wire|chat-[A-Z]))/.test(name),
  );
  expect(main.length).toBeGreaterThan(4);
  for (const name of main)
    expect(await readFile(join(dist, name), "utf8"), name).not.toContain("hallucinated_result");
});
