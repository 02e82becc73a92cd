import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { uncheckedCorruptions } from "@askwire/trajectory";
import { describe, expect, test } from "vitest";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";
import { asking, cut, failing, good, invented, linesIn, queryLine, sessions, written } from "./sessions.js";

describe("askwire trajectory export", () => {
  test("an export has every fit session, says what it leaves out and why, and passes the check", async () => {
    const { run, lines, cwd } = await sessions({ good, asking, cut, invented });
    const { stdout, stderr, status } = await run("export", "--all", "--out", "out.jsonl");
    expect(stdout).toBe(
      "out.jsonl: 2 trajectories of 4 sessions; 2 left out: 1 with a call that was not executed, 1 with a result that the model wrote\n",
    );
    expect([stderr, status]).toEqual(["", 0]);
    const written = await lines();
    expect(written.map(({ session, task }) => [session, task])).toEqual([
      ["asking", "paint"],
      ["good", "hi"],
    ]);
    expect(written[1].messages).toEqual([
      { role: "user", content: "hi", loss: false },
      { role: "assistant", content: "<think>Hm.</think>\nHello.", loss: true },
    ]);
    expect((await stat(join(cwd, "out.jsonl"))).mode & 0o777).toBe(0o600);
    const check = await run("check", "out.jsonl");
    expect(check).toEqual({
      stdout:
        "out.jsonl: 2 trajectories; messages: 0 system, 2 user, 3 assistant, 1 tool; 3 with loss; 0 queries, 2 successes, 0 flagged\n" +
        `not checked: ${uncheckedCorruptions.join("; ")}\n`,
      stderr: "",
      status: 0,
      signal: null,
    });
  });

  test("an export has thought, query, result, thought, call, result, question, answer and final text of a session, and passes the check", async () => {
    const call = '<files><ReadFile>{"path": "notes.txt"}</ReadFile></files> <execute_tools />';
    const script = [
      `think: How?\ntext: ${written}`,
      `think: A path.\ntext: ${call}`,
      asksLine([colour]),
      "text: Blue, with the notes.",
    ];
    const one = { script, input: "go\n2\n", args: ["--dialect", "kimi,adp"] };
    const { run, lines } = await sessions({ one });
    await run("export", "one", "--out", "out.jsonl");
    const [{ messages, flags }] = await lines();
    expect(messages.map(({ role, content }: Record<string, string>) => `${role}: ${content}`)).toEqual([
      "user: go",
      `assistant: <think>How?</think>\n${written}`,
      expect.stringMatching(/^tool: <result>\n\{\n {2}"status": "success",[\s\S]*"path"[\s\S]*<\/result>$/),
      `assistant: <think>A path.</think>\n${call}`,
      expect.stringMatching(/^tool: <result>\n[\s\S]*some notes[\s\S]*<\/result>$/),
      "assistant: ",
      expect.stringMatching(/^tool: [\s\S]*"Which colour\?": "Blue"/),
      "assistant: Blue, with the notes.",
    ]);
    expect(flags).toMatchObject({ queries: 1, filled_after_query: 1, success: true });
    expect((await run("check", "out.jsonl")).status).toBe(0);
  });

  test("an export keeps flagged trajectories with their flags, or only those with an answer, if told so", async () => {
    const { run, lines } = await sessions({ good, cut, failing });
    expect((await run("export", "--all", "--keep-flagged", "--out", "out.jsonl")).stdout).toBe(
      "out.jsonl: 3 trajectories of 3 sessions\n",
    );
    expect((await lines())[0].flags).toMatchObject({ queries: 1, dropped_calls: 1, success: true });
    const { stdout } = await run("export", "--all", "--only-success", "--force", "--out", "out.jsonl");
    expect(stdout).toBe(
      "out.jsonl: 1 trajectory of 3 sessions; 2 left out: 1 with a call that was not executed, 1 without success\n",
    );
  });

  test("an export renames the tag and sets the system message", async () => {
    const { run, lines, cwd } = await sessions({
      one: { script: [queryLine, "text: Done."], input: "go\n" },
    });
    await writeFile(join(cwd, "short.txt"), "Ask for parameters.\n");
    const more = ["--tag", "param_query", "--system", "short.txt"];
    await run("export", "one", "--out", "out.jsonl", ...more);
    const [{ messages }] = await lines();
    expect(messages[0]).toEqual({ role: "system", content: "Ask for parameters.", loss: false });
    expect(messages[2].content).toBe(written.replaceAll("tool_param", "param_query"));
    expect((await run("check", "out.jsonl")).status).toBe(0);
  });

  test("an export takes ids, folders and files, each session once, and counts unreadable lines", async () => {
    const { run, lines, kept, cwd } = await sessions({ good, asking });
    const journal = join(kept, "good", "wire.jsonl");
    await writeFile(journal, `${await readFile(journal, "utf8")}{"torn`);
    await mkdir(join(cwd, "copy"));
    await symlink(journal, join(cwd, "copy", "wire.jsonl"));
    const { stdout } = await run(
      "export",
      "good",
      journal,
      "copy",
      join(kept, "asking"),
      "--out",
      "out.jsonl",
    );
    expect(stdout).toBe("out.jsonl: 2 trajectories of 2 sessions; 1 line of journals skipped\n");
    expect((await lines()).map(({ session }) => session)).toEqual(["good", "asking"]);
    const elsewhere = await folderWith();
    const other = await askwire(
      ["trajectory", "export", "good", "--work-dir", cwd, "--out", join(elsewhere, "a.jsonl")],
      { cwd: elsewhere, env: { ASKWIRE_HOME: join(kept, "../..") } },
    );
    expect([other.status, (await linesIn(join(elsewhere, "a.jsonl"))).length]).toEqual([0, 1]);
  });
});

describe("askwire trajectory export --format", () => {
  test("an export in a format has the tools that the model was sent, and every turn but the broken ones (P-TRJ-10)", async () => {
    const { run, lines } = await sessions({ good, asking, cut, invented });
    const { stdout, stderr, status } = await run(
      "export",
      "--all",
      "--format",
      "openai",
      "--out",
      "out.jsonl",
    );
    expect(stdout).toBe(
      "out.jsonl: 2 examples of 4 sessions; 2 left out: 1 with a call that was not executed, 1 with a result that the model wrote\n",
    );
    expect([stderr, status]).toEqual(["", 0]);
    const [first, second] = await lines();
    expect(first.messages[0]).toEqual({ role: "user", content: "paint" });
    const names = first.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(names).toContain("AskUserQuestion");
    expect(JSON.stringify(first.tools)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(second.messages.at(-1)).toEqual({
      role: "assistant",
      content: "<think>Hm.</think>\nHello.",
      weight: 1,
    });
  });

  test("an export in a format of a journal without instructions says so (P-TRJ-10)", async () => {
    const { run, kept } = await sessions({ good });
    const file = join(kept, "good", "wire.jsonl");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/^.*"type": "Model.*\n/gm, ""));
    const { stdout } = await run("export", "good", "--format", "trl", "--out", "out.jsonl");
    expect(stdout).toBe(
      "out.jsonl: 1 example of 1 session; 1 without instructions and tools, which the journal does not have\n",
    );
  });
});

describe("askwire trajectory check", () => {
  test("askwire trajectory check names each wrong line with the reason, and exits with 1", async () => {
    const { run, cwd, lines } = await sessions({ good });
    await run("export", "good", "--out", "out.jsonl");
    const [trajectory] = await lines();
    const [user, spoken] = trajectory.messages;
    const broken = [
      '{"version": 1',
      { ...trajectory, messages: [{ ...user, loss: true }, spoken] },
      { ...trajectory, messages: [user, { ...spoken, content: written }] },
      { ...trajectory, messages: [user, { ...spoken, content: "<result>4</result>" }] },
      { ...trajectory, messages: [spoken] },
      trajectory,
    ].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
    await writeFile(join(cwd, "bad.jsonl"), `${broken.join("\n")}\n`);
    const { stdout, stderr, status } = await run("check", "bad.jsonl");
    expect(stdout.split("\n")).toEqual([
      "bad.jsonl:1: expected JSON",
      "bad.jsonl:2: messages[0].loss: expected false",
      "bad.jsonl:3: messages[1]: 1 queries, and 0 results after it",
      "bad.jsonl:4: messages[1].content: a <result> that the model wrote",
      "bad.jsonl:5: messages[0].role: expected a person's words first",
      expect.stringMatching(/^bad\.jsonl: 6 trajectories, 5 wrong; /),
      expect.stringMatching(/^not checked: .*a missing turn/),
      "",
    ]);
    expect([stderr, status]).toEqual(["", 1]);
  });
});
