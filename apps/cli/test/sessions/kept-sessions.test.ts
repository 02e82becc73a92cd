import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";

const ids = async (home: string) => {
  const [work = ""] = await readdir(join(home, "sessions"));
  return readdir(join(home, "sessions", work));
};

/** A folder with a script for each process, and a home for what is kept. */
async function place(...scripts: string[][]) {
  const files = scripts.map((script, index) => [`${index + 1}.json`, JSON.stringify(script)]);
  const cwd = await folderWith(Object.fromEntries(files));
  const home = await folderWith();
  const chat = (script: number, args: readonly string[], input: string) =>
    askwire(["chat", "--script", `${script}.json`, ...args], { cwd, input, env: { ASKWIRE_HOME: home } });
  return { home, chat };
}

describe("a session of askwire chat", () => {
  test("a chat session is kept, and --continue resumes the last one (P-JRN-1, P-JRN-11)", async () => {
    const { home, chat } = await place([asksLine([colour]), "text: one"], ["text: two"]);
    expect((await chat(1, [], "hello\n1\n")).status).toBe(0);
    const [id = ""] = await ids(home);
    const { stdout } = await chat(2, ["--continue"], "again\n");
    expect(stdout).toBe(`(session ${id} goes on: 1 turn so far, the last: hello)\n> \ntwo\n> \n`);
    expect(await ids(home)).toEqual([id]);
    const [work = ""] = await readdir(join(home, "sessions"));
    const history = await readFile(join(home, "sessions", work, id, "context.jsonl"), "utf8");
    expect(history.split("\n").filter((line) => line.includes('"role":"user"'))).toHaveLength(2);
  });

  test("an interview's session has nothing to resume, which --continue says", async () => {
    const { home, chat } = await place([asksLine([colour]), "text: one"]);
    await chat(1, [], "hello\n1\n");
    const cwd = await folderWith();
    const env = { ASKWIRE_HOME: home };
    await askwire(["chat"], { cwd, env, input: "/decline\n" });
    const { stdout, status } = await askwire(["chat", "--continue"], { cwd, env, input: "/decline\n" });
    expect(stdout).toMatch(/^\(nothing to go on with: an interview begins anew\)\nI set up /);
    expect(status).toBe(0);
  });

  test("a chat session gets the name that --session gives it", async () => {
    const { home, chat } = await place(["text: one"]);
    expect((await chat(1, ["--session", "mine"], "hello\n")).stdout).toMatch(/^\(session mine begins\)\n/);
    expect(await ids(home)).toEqual(["mine"]);
  });

  describe.each(["/proc", "/dev/null", "/proc/none/deeper"])("where %s cannot be written", (home) => {
    const started = async (args: readonly string[], input: string) => {
      const cwd = await folderWith({ "1.json": JSON.stringify([asksLine([colour]), "text: one"]) });
      const env = { ASKWIRE_HOME: `${home}/askwire` };
      return askwire(["chat", "--script", "1.json", ...args], { cwd, input, env });
    };
    const why = String.raw`\(nothing of this session is kept: E[A-Z]+: [^\n]*; set ASKWIRE_HOME to another folder\)`;

    test("a chat session that cannot be kept continues unkept, and a line says so", async () => {
      const { stdout, stderr, status } = await started([], "hello\n1\n");
      expect(stdout).toMatch(new RegExp(`^${why}\n>[^]*\none\n> \n$`));
      expect([stderr, status]).toEqual(["", 0]);
    });

    test("a chat session that cannot be kept promises nothing at the end of the input", async () => {
      const { stderr, status } = await started([], "hello\n");
      expect(stderr).toBe("askwire: the input has ended, so nobody here can answer: nothing was decided\n");
      expect(status).toBe(4);
    });

    test("a chat session that cannot be kept is refused under --session, in one line with the way out and exit code 1", async () => {
      const { stderr, status } = await started(["--session", "mine"], "hello\n");
      expect(stderr).toMatch(
        /^askwire: sessions cannot be kept in \S+ \(E[A-Z]+: [^\n]*\): set ASKWIRE_HOME [^\n]* to another folder\n$/,
      );
      expect(status).toBe(1);
    });
  });

  test.each([
    [["--session", "../up"], /--session: /],
    [
      ["--continue"],
      /--continue: no session of .* is stored: leave it out to start one; for one in a database, run askwire chat -- askwire serve --stdio --continue --store/,
    ],
    [["--continue", "--session", "a"], /--session and --continue: leave one out/],
  ])("chat %j is refused in one line that says why, with exit code 2", async (args, line) => {
    const { chat } = await place(["text: one"]);
    const { stderr, status } = await chat(1, args, "");
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(status).toBe(2);
  });
});
