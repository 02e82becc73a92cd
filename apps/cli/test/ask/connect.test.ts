import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { askwire, colour, colourScript, folderWith, startAskwire, startServe } from "../askwire.js";
import { wayTo } from "../panel/served.js";
import { openAskwire, type Terminal } from "../terminal.js";
import { asks, printed, size } from "./asked.js";

const QUESTION = "(/decline to decline) >";
const flags = ["--question", "Which colour?", "--option", "Red", "--option", "Blue"];

/** A server with a scripted model. */
async function serve(args: readonly string[] = []) {
  const cwd = await folderWith({ "s.json": colourScript });
  return startServe(["--script", "s.json", ...args], { cwd });
}

/** A terminal at a session, at its prompt. */
async function chatAt(address: string, ...args: string[]): Promise<Terminal> {
  const terminal = openAskwire(["chat", "--plain", "--connect", address, ...args], { rows: 30 });
  await terminal.waitFor(/^>$/m);
  return terminal;
}

const askAt = (address: string, ...args: string[]) =>
  startAskwire(["ask", "--connect", address, ...(args.includes("--questions") ? [] : flags), ...args]);

/** An ask that a terminal shows, with its connection cut, once the command has said so. */
async function askAndCut() {
  const { address } = await serve();
  const way = await wayTo(address);
  const terminal = await chatAt(address);
  const { child, ended } = askAt(way.address, "--key", "k");
  await terminal.waitFor(QUESTION);
  const lost = once(child.stderr, "data");
  way.cut();
  return { way, terminal, child, ended, lost: String(await lost) };
}

describe("ask --connect: people at the terminals of a server answer a script (P-XAK-1)", () => {
  test("each person is shown who asks, the first answer counts, and the line and exit code report the outcome", async () => {
    const { address } = await serve();
    const [one, two] = await Promise.all([chatAt(address), chatAt(address)]);
    const { ended } = askAt(address, "--name", "deployer");
    await Promise.all([one.waitFor(QUESTION), two.waitFor(QUESTION)]);
    expect(one.screen()).toContain("deployer has a question for you\n");
    two.type("2\r");
    const { stdout, stderr, status } = await ended;
    expect(printed(stdout)).toMatchObject({
      key: expect.any(String),
      outcome: { status: "answered", by: "human", client: { name: "askwire-chat" } },
      answers: { "Which colour?": "Blue" },
      items: [{ question_id: "q1", selected: ["q1_o2"] }],
    });
    expect([stderr, status]).toEqual(["", 0]);
    await one.waitFor("(no longer open: somebody in askwire-chat answered it)");
    // The agent is there as before.
    await two.waitFor(/^>$/m);
    two.type("hello\r");
    await one.waitFor("(prompted by somebody in askwire-chat) hello");
  });

  test("a panel names the program that asks, in Chinese as well", async () => {
    const { address } = await serve();
    const terminal = openAskwire(["chat", "--connect", address, "--lang", "zh"], { rows: 30 });
    await terminal.waitForRows(/^[>»]/m);
    const { ended } = askAt(address, "--name", "deployer");
    await terminal.waitForRows("deployer 有问题想问你");
    // The hints appear once the panel takes keys.
    await terminal.waitForRows("Enter 选定");
    terminal.type("\r");
    expect(printed((await ended).stdout).answers).toEqual({ "Which colour?": "Red" });
  });

  test("a person who declines gives exit code 3, and nobody coming before the deadline gives 4", async () => {
    const { address } = await serve();
    const terminal = await chatAt(address);
    const declined = askAt(address).ended;
    await terminal.waitFor(QUESTION);
    terminal.type("/decline\r");
    expect((await declined).status).toBe(3);
    terminal.close();
    const { stdout, status } = await askAt(address, "--deadline", "1").ended;
    expect(printed(stdout).outcome).toMatchObject({ status: "expired", reason: "deadline" });
    expect(status).toBe(4);
  });

  test("two scripts that ask at once each get their own answer", async () => {
    const { address } = await serve();
    const cwd = await folderWith({ "q.json": asks(size) });
    const terminal = await chatAt(address);
    const one = askAt(address).ended;
    await terminal.waitFor(QUESTION);
    const two = startAskwire(["ask", "--connect", address, "--questions", "q.json"], { cwd }).ended;
    terminal.type("1\r");
    await terminal.waitFor("Which sizes?");
    await terminal.waitFor(QUESTION, { times: 2 });
    terminal.type("1,3\r");
    expect(printed((await one).stdout).answers).toEqual({ "Which colour?": "Red" });
    expect(printed((await two).stdout).answers).toEqual({ "Which sizes?": "S, L" });
  });
});

describe("--key (P-XAK-4)", () => {
  test("a killed ask command finds its question when it is started again, and later its outcome", async () => {
    const { address } = await serve();
    const terminal = await chatAt(address);
    const first = askAt(address, "--key", "deploy-42");
    await terminal.waitFor(QUESTION);
    first.child.kill("SIGKILL");
    await first.ended;
    const again = askAt(address, "--key", "deploy-42");
    terminal.type("2\r");
    const { stdout, status } = await again.ended;
    expect(printed(stdout)).toMatchObject({ key: "deploy-42", answers: { "Which colour?": "Blue" } });
    expect(status).toBe(0);
    expect((await askAt(address, "--key", "deploy-42").ended).stdout).toBe(stdout);
    expect(terminal.screen().split("Which colour?")).toHaveLength(2);
  });

  test("--timeout takes a question back from everybody, and leaves one with a key open for a later call", async () => {
    const { address } = await serve();
    const terminal = await chatAt(address);
    const { stdout, status } = await askAt(address, "--timeout", "1").ended;
    expect(printed(stdout).outcome).toMatchObject({ status: "expired", reason: "deadline" });
    expect(status).toBe(4);
    const kept = await askAt(address, "--key", "k", "--timeout", "1").ended;
    expect(printed(kept.stdout)).toMatchObject({ key: "k", outcome: null });
    expect(kept.status).toBe(5);
    await terminal.waitFor(QUESTION);
    terminal.type("2\r");
    expect(printed((await askAt(address, "--key", "k").ended).stdout).answers).toEqual({
      "Which colour?": "Blue",
    });
  });

  test("`ask --no-wait` exits at once with a line that says that the question is open, and a later call collects the answer", async () => {
    const { address } = await serve();
    const { stdout, status } = await askAt(address, "--key", "k", "--no-wait").ended;
    expect(printed(stdout)).toEqual({ key: "k", outcome: null, answers: {}, items: [] });
    expect(status).toBe(5);
    const terminal = openAskwire(["chat", "--plain", "--connect", address], { rows: 30 });
    await terminal.waitFor(QUESTION);
    terminal.type("1\r");
    expect(printed((await askAt(address, "--key", "k").ended).stdout).answers).toEqual({
      "Which colour?": "Red",
    });
  });

  test("`ask --key` with other questions is refused with the next step", async () => {
    const { address } = await serve();
    await askAt(address, "--key", "k", "--no-wait").ended;
    const other = ["--key", "k", "--question", "Why?"];
    const { stdout, stderr, status } = await startAskwire(["ask", "--connect", address, ...other]).ended;
    expect(stderr).toMatch(/^askwire: .*key: other questions were asked under it: .*another key\n$/);
    expect([stdout, status]).toEqual(["", 1]);
  });
});

describe("the end of ask --connect", () => {
  test.each([
    ["SIGINT", ["--key", "k"]],
    ["SIGINT", []],
    ["SIGTERM", []],
    ["SIGHUP", []],
  ] as const)("%s withdraws a question asked with %j everywhere", async (signal, flags) => {
    const { address } = await serve();
    const terminal = await chatAt(address);
    const { child, ended } = askAt(address, ...flags);
    await terminal.waitFor(QUESTION);
    child.kill(signal);
    const { stdout, status } = await ended;
    expect(printed(stdout).outcome).toMatchObject({ status: "withdrawn", reason: "agent" });
    expect(status).toBe(130);
    await terminal.waitFor("no longer open");
  });

  test.each(["SIGTERM", "SIGHUP"] as const)(
    "%s does not withdraw a question with a key: it stays open, and a later call gets its answer (P-WHO-1)",
    async (signal) => {
      const { address } = await serve();
      const terminal = await chatAt(address);
      const { child, ended } = askAt(address, "--key", "k");
      await terminal.waitFor(QUESTION);
      child.kill(signal);
      const { stdout, stderr, status } = await ended;
      expect(printed(stdout)).toEqual({ key: "k", outcome: null, answers: {}, items: [] });
      expect([stderr, status]).toEqual(["", 5]);
      terminal.type("2\r");
      const again = await askAt(address, "--key", "k").ended;
      expect(printed(again.stdout).answers).toEqual({ "Which colour?": "Blue" });
      expect(terminal.screen()).not.toContain("no longer open");
    },
  );

  test("a connection that is cut is opened again, and an answer given meanwhile is printed (P-XAK-9)", async () => {
    const { way, terminal, ended, lost } = await askAndCut();
    expect(lost).toBe("askwire: ask: the connection is lost, trying again\n");
    terminal.type("2\r");
    await terminal.waitFor(/^>$/m, { times: 1 });
    way.mend();
    const { stdout, stderr, status } = await ended;
    expect(printed(stdout).answers).toEqual({ "Which colour?": "Blue" });
    expect(stderr).toBe(
      "askwire: ask: the connection is lost, trying again\naskwire: ask: connected again\n",
    );
    expect(status).toBe(0);
  });

  test("a signal while the server is away ends ask at once, and says what may still be open", async () => {
    const { child, ended } = await askAndCut();
    child.kill("SIGINT");
    const { stdout, stderr, status } = await ended;
    expect(printed(stdout).outcome).toMatchObject({ status: "withdrawn", reason: "interrupted" });
    expect(stderr).toContain("the server could not be told: a question with a key stays open there\n");
    expect(status).toBe(130);
  });

  test("`ask` at an unattended server reports that outcome, with exit code 4", async () => {
    const { address, child } = await serve(["--afk"]);
    const { stdout, status } = await askAt(address).ended;
    expect(printed(stdout).outcome).toMatchObject({ status: "unavailable", reason: "unattended" });
    expect(status).toBe(4);
    child.kill("SIGTERM");
  });
});

describe("an address where ask --connect cannot ask", () => {
  test("an address for clients that only answer is refused in one line (P-XRL-2)", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const { address, untilPrinted } = await startServe(["--script", "s.json", "--answer-address"], { cwd });
    const answering = await untilPrinted(/only answer:\n {2}(ws:\S+)\n/);
    expect(answering.split("#")[0]).toBe(address.split("#")[0]);
    const { stdout, stderr, status } = await askAt(answering).ended;
    expect(stderr).toBe("askwire: this connection is for answering only: `ask` is for other clients\n");
    expect([stdout, status]).toEqual(["", 1]);
  });

  test("an address where nothing listens is reported in one line", async () => {
    const { stderr, status } = await askAt("ws://127.0.0.1:1/wire#a-token_of-our-own-choice").ended;
    expect(stderr).toContain("check the address and that the server runs");
    expect(status).toBe(1);
  });
});

test.each([
  [["--key", "k"], "--key needs --connect ADDRESS"],
  [["--no-wait"], "--no-wait needs --connect ADDRESS"],
  [["--deadline", "5"], "--deadline needs --connect ADDRESS"],
  [["--name", "x"], "--name needs --connect ADDRESS"],
  [["--connect", "ws://127.0.0.1:1/wire", "--answers", "a.json"], "--answers asks nobody"],
  [["--connect", "ws://127.0.0.1:1/wire", "--no-wait"], "--no-wait needs --key KEY"],
])("`ask` %j is a usage error in one line", async (args, text) => {
  const cwd = await folderWith({ "a.json": JSON.stringify({ [colour.question]: "Red" }) });
  const { stderr, status } = await askwire(["ask", ...flags, ...args], { cwd });
  expect(stderr).toContain(text);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
});
