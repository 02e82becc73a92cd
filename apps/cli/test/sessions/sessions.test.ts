import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askwire, colourScript, folderWith, startAskwire } from "../askwire.js";
import { openAskwire } from "../terminal.js";

/** A work folder with a model that asks, and a home in which sessions are kept. */
async function place() {
  const cwd = await folderWith({ "ask.json": colourScript, "say.json": JSON.stringify(["text: Hello."]) });
  const home = await folderWith();
  const env = { ASKWIRE_HOME: home };
  const sessions = (...args: string[]) => askwire(["sessions", ...args], { cwd, env });
  return {
    cwd,
    home,
    env,
    sessions,
    /** A session that has ended. */
    say: (id: string, prompt = "hello") =>
      askwire(["chat", "--script", "say.json", "--session", id], { cwd, env, input: `${prompt}\n` }),
    list: async (...args: string[]) => {
      const { stdout } = await sessions("--json", ...args);
      return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
  };
}

/** A conversation in which a question is open, in a process of its own. */
async function waiting({ cwd, env, list }: Awaited<ReturnType<typeof place>>, id = "waits") {
  const { child, ended } = startAskwire(["chat", "--script", "ask.json", "--session", id], {
    cwd,
    env: { ...process.env, ...env },
  });
  child.stdin.write("Choose a colour\n");
  while ((await list("--waiting")).length === 0) {
    // Asked again: starting the command takes its time.
  }
  return { child, ended };
}

describe("askwire sessions", () => {
  test("askwire sessions says what is open in which session and since when, even after the process was killed (P-KPT-1)", async () => {
    const there = await place();
    await there.say("ended");
    const { child, ended } = await waiting(there);
    const [open, closed] = await there.list();
    expect(open).toMatchObject({
      id: "waits",
      title: "Choose a colour",
      state: "in_use",
      pid: child.pid,
      work_dir: there.cwd,
      turn_id: expect.any(String),
      open: [{ kind: "question", text: "Which colour?", since: expect.stringMatching(/^20.*Z$/) }],
    });
    expect(closed).toMatchObject({ id: "ended", state: "closed", open: [] });
    const { stdout } = await there.sessions();
    expect(stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
      expect.stringMatching(/^waits {2}.*\d kB {2}in use by process \d+ {2}Choose a colour$/),
      expect.stringMatching(/^ {2}question, open for \S.*: Which colour\?$/),
      expect.stringMatching(/^ended {2}.*\d kB {2}hello$/),
      "",
    ]);
    child.kill("SIGKILL");
    await ended;
    expect(await there.list("--waiting")).toMatchObject([
      { id: "waits", state: "cut_off", open: [{ text: "Which colour?" }] },
    ]);
  });

  test("askwire sessions --all lists the sessions of every folder", async () => {
    const there = await place();
    await there.say("one");
    const elsewhere = await folderWith();
    const { stdout, stderr } = await askwire(["sessions"], { cwd: elsewhere, env: there.env });
    expect([stdout, stderr]).toEqual(["", `no session is kept for ${elsewhere}; --all looks everywhere\n`]);
    const all = await askwire(["sessions", "--all"], { cwd: elsewhere, env: there.env });
    expect(all.stdout).toContain(`  ${there.cwd}  hello\n`);
  });

  test("askwire sessions shows control characters in titles and ids as text", async () => {
    const there = await place();
    await there.say("a\u202eb", "red \u001b[2Jscreen");
    const { stdout } = await there.sessions();
    expect(stdout).toMatch(/^a\\u\{202e\}b /);
    expect(stdout).not.toContain("\u001b");
  });

  test("askwire sessions lists thousands even if the reader is slow or closes", async () => {
    const there = await place();
    await there.say("one");
    const [work = ""] = await readdir(join(there.home, "sessions"));
    const line = '{"timestamp":1,"message":{"type":"TurnBegin","payload":{"user_input":"hello"}}}\n';
    for (let number = 0; number < 3_000; number += 1) {
      const folder = join(there.home, "sessions", work, `kept-${number}`);
      await mkdir(folder);
      await writeFile(join(folder, "wire.jsonl"), line);
    }
    expect(await there.list()).toHaveLength(3_001);
    const { child, ended } = startAskwire(["sessions"], {
      cwd: there.cwd,
      env: { ...process.env, ...there.env },
    });
    child.stdout.once("data", () => child.stdout.destroy());
    expect((await ended).status).toBe(0);
  });
});

describe("askwire sessions rm", () => {
  test("askwire sessions rm removes sessions by their ids or unique beginnings", async () => {
    const there = await place();
    for (const id of ["alpha", "alps", "beta"]) await there.say(id);
    expect((await there.sessions("rm", "beta", "alph", "beta", "--yes")).stdout).toBe("2 sessions removed\n");
    expect((await there.list()).map(({ id }) => id)).toEqual(["alps"]);
  });

  test("askwire sessions rm asks at the terminal, where only a yes removes", async () => {
    const there = await place();
    await there.say("one");
    const [work = ""] = await readdir(join(there.home, "sessions"));
    const folder = join(there.home, "sessions", work, "one");
    for (const [typed, told] of [
      ["\r", "nothing is removed"],
      ["\u0003", "nothing is removed"],
      ["y\r", "1 session removed"],
    ] as const) {
      expect((await stat(folder)).isDirectory()).toBe(true);
      const terminal = openAskwire(["sessions", "rm", "one"], there);
      await terminal.waitFor(/Remove 1 session \(.* kB\) for good\? \[y\/N\]/);
      terminal.type(typed);
      await terminal.waitFor(told);
      expect((await terminal.ended).exitCode).toBe(0);
    }
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  });

  test("askwire sessions rm never removes a session that a process holds (P-JRN-7)", async () => {
    const there = await place();
    const { child } = await waiting(there);
    const { stderr, status } = await there.sessions("rm", "waits", "--yes");
    expect(stderr).toBe(`askwire: sessions rm waits: process ${child.pid} has it open: end that first\n`);
    expect(status).toBe(2);
    expect((await there.sessions("prune", "--older-than", "0m", "--include-waiting", "--yes")).stderr).toBe(
      "nothing to remove\n",
    );
    expect(await there.list()).toHaveLength(1);
  });

  test.each([
    [["rm", "gamma"], /^askwire: sessions rm gamma: no session has this id/],
    [["rm", ""], /^askwire: sessions rm : no session has this id/],
    [["rm", "al"], /^askwire: sessions rm al: 2 sessions begin like this: give more of the id$/],
    [["rm", "alpha"], /Remove 1 session \(.*\) for good\? There is no terminal to ask at: add --yes$/m],
    [["prune"], /^askwire: sessions prune: expected --older-than 30d, --larger-than 100MB, or both$/],
    [["prune", "--older-than", "soon"], /^askwire: --older-than soon: expected a number with m, h, d or w/],
    [["prune", "--larger-than", "5"], /^askwire: --larger-than 5: expected a number with kB, MB or GB/],
    [["--all", "--work-dir", "."], /^askwire: sessions: --all and --work-dir: leave one out$/],
  ])("askwire sessions %j says why it does nothing, with exit code 2", async (args, line) => {
    const there = await place();
    await there.say("alpha");
    await there.say("alps");
    const { stdout, stderr, status } = await there.sessions(...args);
    expect(stderr.trim()).toMatch(line);
    expect([stdout, status]).toEqual(["", 2]);
    expect(await there.list()).toHaveLength(2);
  });
});

describe("askwire sessions prune", () => {
  test("askwire sessions prune removes what is old and large, and leaves what waits for a person", async () => {
    const there = await place();
    await there.say("large", "x".repeat(20_000));
    await there.say("small");
    const { child, ended } = await waiting(there);
    child.kill("SIGKILL");
    await ended;
    expect((await there.sessions("prune", "--older-than", "1w", "--yes")).stderr).toBe("nothing to remove\n");
    const large = await there.sessions("prune", "--older-than", "0m", "--larger-than", "10kB", "--yes");
    expect(large.stdout).toBe("1 session removed\n");
    expect((await there.list()).map(({ id }) => id)).toEqual(["waits", "small"]);
    const old = await there.sessions("prune", "--older-than", "0m", "--yes");
    expect([old.stdout, old.stderr]).toEqual([
      "1 session removed\n",
      "1 session waits for a person and stays\n",
    ]);
    await there.sessions("prune", "--older-than", "0m", "--include-waiting", "--yes");
    expect(await there.list()).toEqual([]);
  });
});
