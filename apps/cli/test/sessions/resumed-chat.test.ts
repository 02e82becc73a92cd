import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  calls,
  modelEndpoint,
  says,
  stops,
  streams,
} from "../../../../packages/agent/test/model-endpoint.js";
import { asksLine, askwire, colour, folderWith, nodeProject, workflow } from "../askwire.js";
import { openAskwire, type Terminal } from "../terminal.js";

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

/** Waits until a question or approval is noted as open, and kills the process. */
async function kill(terminal: Terminal, home: string, kind = "question"): Promise<void> {
  const noted = async () => {
    const name = (await readdir(home, { recursive: true })).find((file) => file.endsWith("open.json"));
    return name === undefined ? "" : readFile(join(home, name), "utf8").catch(() => "");
  };
  await expect.poll(noted).toContain(`"kind":"${kind}"`);
  terminal.send("SIGKILL");
  await terminal.ended;
}

const QUESTION = "(/decline to decline) >";
const APPROVAL = /\[y\/a\/n\]|y\b.*a\b.*n\b/;
const OFFER = "Go on with it? Enter or y goes on, n begins anew.";

describe("askwire chat in a folder where a session waits", () => {
  test("a chat resumes a killed interview, asks its open question, and knows the earlier answers", async () => {
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
    await again.waitFor(APPROVAL);
    again.type("y\r");
    expect((await again.ended).exitCode).toBe(0);
    expect(await readFile(join(cwd, workflow), "utf8")).toContain("node-version");
  });

  test("a chat resumes a model killed at an approval, asks it once, and the model knows all that came before", async () => {
    const questions = [
      { question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
    ];
    const file = { path: "db.txt", content: "PostgreSQL\n" };
    const call = (id: string, name: string, given: object) =>
      streams(calls(0, id, name, JSON.stringify(given)), stops("tool_calls"));
    const endpoint = await modelEndpoint([
      call("call-1", "AskUserQuestion", { questions }),
      call("call-2", "WriteFile", file),
      streams(says("Written."), stops()),
    ]);
    const { cwd, env } = await place({});
    const provider = { ...env, OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "key-1" };
    const chat = () =>
      openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], { cwd, env: provider });
    const killed = chat();
    await killed.waitFor(/^>$/m);
    killed.type("Set it up\r");
    await killed.waitFor(QUESTION);
    killed.type("2\r");
    await killed.waitFor(APPROVAL);
    await kill(killed, env.ASKWIRE_HOME, "approval");
    expect(await readdir(cwd)).toEqual([]);

    const again = chat();
    await again.waitFor(OFFER);
    again.type("\r");
    const screen = await again.waitFor(APPROVAL);
    expect(screen).not.toContain("Which database?");
    again.type("y\r");
    await again.waitFor("Written.");
    expect(await readFile(join(cwd, file.path), "utf8")).toBe(file.content);
    const { messages } = endpoint.calls[2]?.body ?? {};
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(
      expect.arrayContaining(["user", "assistant", "tool", "assistant", "tool"]),
    );
    const [asked, written] = messages.filter(({ role }: { role: string }) => role === "tool");
    expect([asked.content, written.tool_call_id]).toEqual([expect.stringContaining("PostgreSQL"), "call-2"]);
    expect(endpoint.calls).toHaveLength(3);
    again.type("/exit\r");
    await again.ended;
  });

  test("a question that outlived its chat can be left out, talked about and noted as before", async () => {
    const { cwd, env } = await place({ "ask.json": JSON.stringify([asksLine([colour, shape])]) });
    const chat = (...args: string[]) => openAskwire(["chat", "--script", "ask.json", ...args], { cwd, env });
    const whole = /Which colour\?[\s\S]*Let's discuss this first[\s\S]*Ctrl-X/;
    const killed = chat();
    await killed.waitFor(/^>/m);
    killed.type("paint\r");
    await killed.waitFor(whole);
    await kill(killed, env.ASKWIRE_HOME);
    await chat("--continue").waitFor(whole);
  });

  test("a chat mentions another agent's session in a line, and so does a chat in a pipe", async () => {
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

  test("the answer n begins a new chat, and --no-resume ends what was left", async () => {
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
