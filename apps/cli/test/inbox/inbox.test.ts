import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { askwire, command, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { asks, programAt, serverOf } from "./many.js";

/** A server with a connected program that asks, and the inbox of the same person in a terminal. */
async function setUp(args: readonly string[] = [], size: { columns?: number; rows?: number } = {}) {
  const home = await folderWith();
  const { address, child, ended } = await serverOf(home);
  const program = await programAt(address, "builder");
  const open = () => openAskwire(["inbox", ...args], { ...size, env: { ASKWIRE_HOME: home } });
  return { home, address, child, ended, program, open };
}

const ESC = "\u001b";

test("Enter opens a request in place, and the answer there reaches the program", async () => {
  const { program, open } = await setUp();
  const asked = program.ask(asks("Which colour?"));
  const terminal = open();
  await terminal.waitForRows(/❯ \? builder +Which colour\?/);
  terminal.type("\r");
  await terminal.waitForRows("Esc back · Ctrl-D decline");
  terminal.type(`${ESC}[B`);
  await terminal.waitForRows(/❯ 2\. Green/);
  terminal.type("\r");
  expect(await asked).toMatchObject({
    outcome: { status: "answered" },
    answers: { "Which colour?": "Green" },
  });
  await terminal.waitForRows("Nothing waits for you.");
  expect(terminal.screen()).toContain("Green");
  terminal.type("q");
  expect((await terminal.ended).exitCode).toBe(0);
});

test("Esc goes back to the list and decides nothing, and what was begun is there again", async () => {
  const { program, open } = await setUp();
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const terminal = open();
  await terminal.waitForRows("Which colour?");
  for (const attempt of [1, 2]) {
    terminal.type("\r");
    if (attempt === 1) {
      await terminal.waitForRows("Esc back · Ctrl-D");
      terminal.type("teal");
    }
    await terminal.waitForRows(/❯ 4\. Other: teal\n[\s\S]*Esc back/);
    terminal.type(ESC);
    await terminal.waitForRows("Enter open");
  }
  terminal.type("q");
  await terminal.ended;
  expect(terminal.screen()).not.toContain("no longer open");
  const state = await program.ask({ key: "k", wait: false });
  expect(state.outcome).toBeUndefined();
});

test("Esc while an answer is on its way to a server that has ended goes back to the list", async () => {
  const { program, open, child, ended } = await setUp();
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const terminal = open();
  await terminal.waitForRows("Which colour?");
  terminal.type("\r");
  await terminal.waitForRows("Esc back · Ctrl-D");
  child.kill("SIGKILL");
  await ended;
  await terminal.waitForRows("interview has ended with a request open");
  terminal.type("\r");
  await terminal.waitForRows("Sending your answer…");
  terminal.type(ESC);
  await terminal.waitForRows("was not delivered");
  await terminal.waitForRows("Enter open");
  expect(terminal.screen()).not.toContain("Sending your answer…");
});

test("Ctrl-D declines a request that is open, as the last line says", async () => {
  const { program, open } = await setUp();
  const asked = program.ask(asks("Which colour?"));
  const terminal = open();
  await terminal.waitForRows("Which colour?");
  terminal.type("\r");
  await terminal.waitForRows("Ctrl-D decline");
  terminal.type("\u0004");
  expect((await asked).outcome).toMatchObject({ status: "declined" });
  await terminal.waitForRows("Nothing waits for you.");
});

test("what comes rings the bell and notifies by the chosen ways, and the title counts it", async () => {
  const { program, open } = await setUp(["--signal", "bell,title,osc777"]);
  const terminal = open();
  await terminal.waitForRows("Nothing waits for you.");
  expect(terminal.sent).not.toContain(`${ESC}]777`);
  void program.ask(asks("Which colour?")).catch(() => {});
  await terminal.waitForRows("Which colour?");
  // The signs come behind the rows.
  const sent = () => expect.poll(() => terminal.sent, { timeout: 60_000 });
  await sent().toContain(`\u0007${ESC}]777;notify;askwire;Which colour?\u0007`);
  await sent().toContain(`${ESC}]0;Waiting for you (1)\u0007`);
  expect(terminal.sent).not.toContain(`${ESC}]9;`);
});

test("--plain tells lines with numbers and draws no frame; a number opens, Ctrl-C goes back", async () => {
  const { program, open } = await setUp(["--plain"]);
  const asked = program.ask(asks("Which colour?"));
  void asked.catch(() => {});
  const terminal = open();
  await terminal.waitFor(/^1\. Question from builder, just now: Which colour\?/m);
  await terminal.waitFor(/^>$/m);
  terminal.type("1\r");
  await terminal.waitFor("/decline to decline");
  terminal.type("\u0003");
  await terminal.waitFor(/^>$/m);
  expect(terminal.screen()).not.toContain("no longer open");
  void program.ask(asks("And which shape?")).catch(() => {});
  await terminal.waitFor(/^2\. Question from builder, just now: And which shape\?/m);
  terminal.type("1\r");
  await terminal.waitFor("/decline to decline", { times: 2 });
  terminal.type("3\r");
  expect((await asked).answers).toEqual({ "Which colour?": "Blue" });
  await terminal.waitFor("1 no longer waits.");
  terminal.type("q\r");
  expect((await terminal.ended).exitCode).toBe(0);
  expect(terminal.sent).not.toContain("❯");
});

test("--once prints what waits, its JSON says it in one line, and its number is empty for nothing", async () => {
  const { home, program } = await setUp();
  const env = { ASKWIRE_HOME: home };
  expect(await askwire(["inbox", "--once", "--count"], { env })).toMatchObject({ status: 0, stdout: "" });
  void program.ask(asks("Which colour?")).catch(() => {});
  void program.ask({ ...asks("Say\nwhat?"), key: "b" }).catch(() => {});
  await expect
    .poll(async () => (await askwire(["inbox", "--once", "--count"], { env })).stdout, { timeout: 60_000 })
    .toBe("2\n");
  const { stdout } = await askwire(["inbox", "--once"], { env });
  expect(stdout).toMatch(/^1\. Question from builder, just now: Which colour\?\n2\. Question from builder/);
  const { stdout: json } = await askwire(["inbox", "--once", "--json"], { env });
  expect(json.split("\n")).toHaveLength(2);
  expect(JSON.parse(json)).toMatchObject({
    requests: [{ text: "Which colour?", program: "builder", server: "interview" }, {}],
    servers: [{ name: "interview", state: "here", waiting: 2 }, { state: "here" }],
  });
});

test("the lines of docs/inbox.md for the status bar of tmux and for starship print what waits, and nothing while nothing does", async () => {
  const page = await readFile(new URL("../../../../docs/inbox.md", import.meta.url), "utf8");
  const [, ofTmux = ""] = page.match(/^set -g status-right '#\((.*)\)'$/m) ?? [];
  const [, ofStarship = ""] = page.match(/^\[custom\.askwire\]\ncommand = "(.*)"$/m) ?? [];
  const { home, program } = await setUp();
  const bin = await folderWith({ askwire: `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n` });
  await chmod(join(bin, "askwire"), 0o755);
  const env = { ...process.env, ASKWIRE_HOME: home, PATH: `${bin}:${process.env.PATH}` };
  const printed = async (line: string) => (await promisify(execFile)("sh", ["-c", line], { env })).stdout;
  expect([await printed(ofTmux), await printed(ofStarship)]).toEqual(["", ""]);
  void program.ask(asks("Which colour?")).catch(() => {});
  await expect.poll(() => printed(ofTmux), { timeout: 60_000 }).toBe("1 waiting\n");
  expect(await printed(ofStarship)).toBe("1\n");
});

test("inbox answer answers from a script, and a wrong word sends nothing", async () => {
  const { home, program } = await setUp();
  const env = { ASKWIRE_HOME: home };
  const { request_id: id } = await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const wrong = await askwire(["inbox", "answer", id, "--choose", "Pink"], { env });
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
  expect(wrong.stderr).toBe('askwire: --choose: "Pink" is no option; expected "Red", "Green", "Blue"\n');
  expect((await program.ask({ key: "k", wait: false })).outcome).toBeUndefined();
  expect(await askwire(["inbox", "answer", id, "--choose", "Blue"], { env })).toMatchObject({
    status: 0,
    stdout: "answered\n",
    stderr: "",
  });
  expect((await program.ask({ key: "k" })).answers).toEqual({ "Which colour?": "Blue" });
  const again = await askwire(["inbox", "answer", id, "--choose", "Red"], { env });
  expect(again.status).toBe(2);
  expect(again.stderr).toContain(`inbox answer ${id}: no request of this id waits`);
});

test("an approval is approved by --approve alone, and rejected with the words of --reject", async () => {
  const { home, program } = await setUp();
  const env = { ASKWIRE_HOME: home };
  const approval = { action: "deploy", description: "Deploy to mill" };
  const first = await program.ask({ approval, key: "a", wait: false });
  const refused = await askwire(["inbox", "answer", first.request_id, "--text", "yes"], { env });
  expect(refused.stderr).toBe(
    "askwire: --text: the request is an approval: expected --approve, --option or --reject\n",
  );
  await askwire(["inbox", "answer", first.request_id, "--reject", "not on a Friday"], { env });
  expect(await program.ask({ key: "a" })).toMatchObject({ response: "reject", feedback: "not on a Friday" });
  const second = await program.ask({ approval, key: "b", wait: false });
  await askwire(["inbox", "answer", second.request_id, "--approve"], { env });
  expect(await program.ask({ key: "b" })).toMatchObject({ response: "approve" });
});

test("the token of a server stands in its file alone: nothing that the inbox prints has it", async () => {
  const { home, address, program, open } = await setUp();
  void program.ask(asks("Which colour?")).catch(() => {});
  const token = decodeURIComponent(new URL(address).hash.slice(1));
  const terminal = open();
  await terminal.waitForRows("Which colour?");
  const { stdout, stderr } = await askwire(["inbox", "--once", "--json"], { env: { ASKWIRE_HOME: home } });
  expect(`${terminal.sent}${stdout}${stderr}`).not.toContain(token);
});

test("a server that was named by --connect is listed, and one that is not there is told", async () => {
  const { address, program } = await setUp();
  void program.ask(asks("Which colour?")).catch(() => {});
  const elsewhere = await folderWith();
  const args = ["inbox", "--once", "--connect", address, "--connect", "ws://127.0.0.1:9/wire/x#t"];
  const { stdout, stderr, status } = await askwire(args, { env: { ASKWIRE_HOME: elsewhere } });
  expect(stdout).toContain("Which colour?");
  expect(stderr).toMatch(/^askwire: inbox: 127\.0\.0\.1:9 did not say what waits \(could not connect/m);
  expect(status).toBe(0);
  const wrong = await askwire(["inbox", "--once", "--connect", "nowhere#secret"], {
    env: { ASKWIRE_HOME: elsewhere },
  });
  expect(wrong.stderr).toContain("--connect nowhere#…: expected ws://host:port/wire/<id>#<token>");
});

test("--plain keeps the number of a stored session's request while that is opened again", async () => {
  const { home, program, open, child, ended } = await setUp(["--plain"]);
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const isKept = () =>
    readdirSync(home, { recursive: true }).some((name) => /open\.json$/.test(String(name)));
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  await ended;
  const terminal = open();
  await terminal.waitFor(/^1\. Question from builder, .*: Which colour\?/m);
  await terminal.waitFor(/^>$/m);
  terminal.type("1\r");
  await terminal.waitFor("/decline to decline");
  expect(terminal.screen()).not.toContain("no longer waits");
  terminal.type("2\r");
  await terminal.waitFor("1 no longer waits.");
  expect(terminal.screen()).not.toMatch(/^2\. Question/m);
});
