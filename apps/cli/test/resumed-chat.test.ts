import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, askwire, colour, folderWith, nodeProject, workflow } from "./askwire.js";
import { openAskwire, type Terminal } from "./terminal.js";

const shape = {
  question: "Which shape?",
  header: "Shape",
  options: [{ label: "Round" }, { label: "Square" }],
};

/** A folder for `askwire chat`, with a home in which sessions are kept. */
async function place(files: Readonly<Record<string, string>>) {
  const cwd = await folderWith(files);
  const env = { ASKWIRE_HOME: await folderWith() };
  const chat = (...args: string[]) => openAskwire(["chat", "--plain", ...args], { cwd, env });
  return { cwd, env, chat };
}

/** Waits until what is open is noted, and kills the process. */
async function kill(terminal: Terminal, home: string): Promise<void> {
  await expect
    .poll(async () => (await readdir(home, { recursive: true })).some((name) => name.endsWith("open.json")))
    .toBe(true);
  terminal.send("SIGKILL");
  await terminal.ended;
}

const QUESTION = "(/decline to decline) >";
const OFFER = "Go on with it? Enter or y goes on, n begins anew.";

describe("askwire chat in a folder where a session waits", () => {
  test("offers to go on: the interview that was killed asks its open question, and knows the answers before it", async () => {
    const { cwd, env, chat } = await place(nodeProject);
    const killed = chat();
    await killed.waitFor(QUESTION);
    killed.type("1,2\r");
    await killed.waitFor(QUESTION, { times: 2 });
    await kill(killed, env.ASKWIRE_HOME);

    const again = chat();
    await again.waitFor(OFFER);
    again.type("\r");
    await again.waitFor(QUESTION);
    const screen = await again.waitFor("goes on: 1 turn so far)");
    expect(screen).not.toContain("Which Node.js versions");
    again.type("\r");
    await again.waitFor(QUESTION, { times: 2 });
    again.type("lint\r");
    await again.waitFor(QUESTION, { times: 3 });
    again.type("By hand\r");
    await again.waitFor(/\[y\/a\/n\]|y\b.*a\b.*n\b/);
    again.type("y\r");
    expect((await again.ended).exitCode).toBe(0);
    expect(await readFile(join(cwd, workflow), "utf8")).toContain("node-version");
  });

  test("a session of another agent is told in a line, and so is one to a pipe", async () => {
    const { cwd, env, chat } = await place({
      "ask.json": JSON.stringify([asksLine([colour])]),
      "say.json": JSON.stringify(["text: Hello."]),
    });
    const killed = chat("--script", "ask.json");
    await killed.waitFor(/^>$/m);
    killed.type("paint\r");
    await killed.waitFor(QUESTION);
    await kill(killed, env.ASKWIRE_HOME);
    const line = "(a session of this folder waits for a person: askwire sessions --waiting)";
    for (const script of ["ask.json", "say.json"]) {
      const { stdout } = await askwire(["chat", "--script", script], { cwd, env, input: "" });
      expect(stdout).toContain(`${line}\n`);
    }
    const other = chat("--script", "say.json");
    await other.waitFor(line);
    await other.waitFor(/^>$/m);
  });

  test("n begins anew, and --no-resume ends what was left", async () => {
    const { cwd, env, chat } = await place({
      "ask.json": JSON.stringify([asksLine([colour]), asksLine([shape])]),
    });
    const killed = chat("--script", "ask.json");
    await killed.waitFor(/^>$/m);
    killed.type("paint\r");
    await killed.waitFor(QUESTION);
    await kill(killed, env.ASKWIRE_HOME);

    const anew = chat("--script", "ask.json");
    await anew.waitFor(OFFER);
    anew.type("n\r");
    await anew.waitFor(/begins anew\.\n> n\n[\s\S]*^>$/m);
    anew.type("/exit\r");
    await anew.ended;

    const [work = ""] = await readdir(join(env.ASKWIRE_HOME, "sessions"));
    const [id = ""] = await readdir(join(env.ASKWIRE_HOME, "sessions", work));
    const args = ["chat", "--script", "ask.json", "--session", id, "--no-resume"];
    const { stdout, status } = await askwire(args, { cwd, env, input: "" });
    expect([stdout.includes("Which colour?"), status]).toEqual([false, 0]);
    const { stdout: listed } = await askwire(["sessions", "--waiting", "--json"], { cwd, env });
    expect(listed).toBe("");
  });
});
