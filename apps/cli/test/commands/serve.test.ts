import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { askwire, colourScript, folderWith, startAskwire, startServe } from "../askwire.js";
import { wayTo } from "../panel/served.js";
import { openAskwire, type Terminal } from "../terminal.js";

const CTRL_C = "\u0003";
const QUESTION = "(/decline to decline) >";

/** A server with this script; the default one asks for a colour. */
async function serve(args: readonly string[] = [], script = colourScript) {
  const cwd = await folderWith({ "s.json": script });
  const { address, child, ended } = await startServe(["--script", "s.json", ...args], { cwd });
  async function stop(): Promise<number | null> {
    child.kill("SIGTERM");
    return (await ended).status;
  }
  return { address, cwd, stop };
}

const chat = (address: string): Terminal =>
  openAskwire(["chat", "--plain", "--connect", address], { rows: 30 });

/** Two terminals on one session: the first has been asked a question, while the second has a half-typed line. */
async function askedOverHalfALine(): Promise<[Terminal, Terminal]> {
  const { address } = await serve();
  const [one, two] = [chat(address), chat(address)];
  await Promise.all([one.waitFor(/^>$/m), two.waitFor(/^>$/m)]);
  two.type("half a tho");
  await two.waitFor("> half a tho");
  one.type("hello\r");
  await two.waitFor(/once this line is empty.*\n> half a tho$/);
  return [one, two];
}

describe("an address without a session", () => {
  test("an address without a session lists the sessions, those that wait for a person first, and joins the chosen one", async () => {
    const { address } = await serve();
    const one = chat(address);
    await one.waitFor(/^>$/m);
    one.type("Paint the shop\r");
    await one.waitFor(QUESTION);
    const two = chat(address.replace(/\/wire\/[^#]*/, "/wire"));
    await two.waitFor(/^ {2}1 {2}Paint the shop \(.*\): waits for an answer, since less than a minute: /m);
    two.type("7\r");
    await two.waitFor("There is no session 7.");
    two.type("1\r");
    await two.waitFor(QUESTION);
    two.type("1\r");
    await one.waitFor("Thanks.");
    one.type("/exit\r");
    await one.ended;
    const three = chat(address.replace(/\/wire\/[^#]*/, "/wire"));
    await three.waitFor(/^ {2}1 {2}Paint the shop \(.*\): idle$/m);
    three.type("new\r");
    await three.waitFor("leaves)");
    three.type("/exit\r");
    expect(await three.ended).toMatchObject({ exitCode: 0 });
  });

  test("serve says at its own terminal which session waits", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const served = openAskwire(["serve", "--listen", "127.0.0.1:0", "--script", "s.json"], {
      cwd,
      columns: 200,
    });
    const [, address = ""] = /^(ws:\/\/\S+)$/m.exec(await served.waitFor("askwire chat --connect")) ?? [];
    const one = chat(address);
    await one.waitFor(/^>$/m);
    one.type("Paint the shop\r");
    await served.waitFor("askwire: Paint the shop waits for an answer: ");
    served.type(CTRL_C);
    expect(await served.ended).toMatchObject({ exitCode: 0 });
  });
});

describe("a person who does not want to be asked (P-XDN-1)", () => {
  test("/noask at a question ends it for everybody, and another terminal can undo that", async () => {
    const { address } = await serve([], JSON.stringify([JSON.parse(colourScript)[0], "text: I decide."]));
    const [one, two] = [chat(address), chat(address)];
    await Promise.all([one.waitFor(/^>$/m), two.waitFor(/^>$/m)]);
    one.type("hello\r");
    await Promise.all([one.waitFor(QUESTION), two.waitFor(QUESTION)]);
    one.type("/noask\r");
    const said =
      "(no more questions are asked in this session, said somebody in askwire-chat: the agent decides by itself)";
    await Promise.all([one.waitFor(said), two.waitFor(said)]);
    await Promise.all([one.waitFor("I decide."), two.waitFor("I decide.")]);
    const three = chat(address);
    await three.waitFor("(no more questions are asked in this session: the agent decides by itself)");
    two.type("/noask maybe\r");
    await two.waitFor("/noask: expected on, off or nothing.");
    two.type("/noask off\r");
    await one.waitFor("(questions are asked again, said somebody in askwire-chat)");
    two.type("/noask off\r");
    await two.waitFor("(questions are asked again)");
    two.type("/help\r");
    await two.waitFor(/^ {2}\/noask +asks you no more questions/m);
  });
});

describe("a terminal that joins a running turn (P-XHI-1)", () => {
  test("a terminal that joins shows the conversation so far, then what is asked, and follows the turn", async () => {
    const script = JSON.stringify(["text: Good morning.", JSON.parse(colourScript)[0], "text: Thanks."]);
    const { address } = await serve([], script);
    const one = chat(address);
    await one.waitFor(/^>$/m);
    one.type("hello\r");
    await one.waitFor("Good morning.");
    one.type("paint it\r");
    await one.waitFor(QUESTION);
    const two = chat(address);
    await two.waitFor(QUESTION);
    expect(two.screen()).toMatch(
      /> hello\nGood morning\.\n\n> paint it\n[\s\S]*\(this is the conversation so far\)\n[\s\S]*Which colour/,
    );
    two.type("1\r");
    await Promise.all([one.waitFor("Thanks."), two.waitFor("Thanks.")]);
    expect(two.screen().match(/Good morning/g)).toHaveLength(1);
  });

  test("a terminal that was there from the beginning gets no heading about the conversation so far", async () => {
    const { address } = await serve();
    const one = chat(address);
    await one.waitFor(/^>$/m);
    one.type("hello\r");
    await one.waitFor(QUESTION);
    expect(one.screen()).not.toContain("the conversation so far");
  });
});

describe("two terminals on one session", () => {
  test("two terminals both see the question, the first answer settles it, and the turn continues in both", async () => {
    const { address, stop } = await serve();
    const [one, two] = [chat(address), chat(address)];
    await Promise.all([one.waitFor(/^>$/m), two.waitFor(/^>$/m)]);
    one.type("hello\r");
    await Promise.all([one.waitFor(QUESTION), two.waitFor(QUESTION)]);

    // A client that did not prompt sees the prompt too.
    expect(two.screen()).toContain("(prompted by somebody in askwire-chat) hello\n");
    expect(one.screen()).not.toContain("prompted by");

    two.type("2\r");
    await two.waitFor("Thanks.");
    await one.waitFor("Thanks.");
    expect(one.screen()).toContain("(no longer open: somebody in askwire-chat answered it)");
    expect(two.screen()).not.toContain("no longer open");

    // Both are at their prompts again.
    await one.waitFor(/^>$/m);
    await two.waitFor(/Thanks\.\n>$/m);
    expect(two.screen().match(/^> ?$/gm)).toHaveLength(1);
    one.type(CTRL_C);
    expect(await one.ended).toMatchObject({ exitCode: 0 });
    two.type("/exit\r");
    expect(await two.ended).toMatchObject({ exitCode: 0 });
    expect(await stop()).toBe(0);
  });

  test("a question that opens while the other terminal types a prompt waits for that line, and disappears when the first answers", async () => {
    const [one, two] = await askedOverHalfALine();
    await one.waitFor(QUESTION);
    one.type("1\r");
    await two.waitFor(/Thanks\.\n> half a tho$/);
    expect(two.screen()).not.toContain(QUESTION);
  });

  test("a question held back by a half-typed line is asked once that line is wiped", async () => {
    const [one, two] = await askedOverHalfALine();
    two.type("\u0015");
    await two.waitFor(QUESTION);
    two.type("2\r");
    await one.waitFor("Thanks.");
  });

  test.each(["who saw it begin", "who came in the middle"])(
    "words said during another client's turn by %s reach the agent in that turn",
    async (who) => {
      const command = "until [ -e go ]; do sleep 0.05; done";
      const call = { id: "tc", name: "Shell", arguments: JSON.stringify({ command }) };
      const script = [`tool_call: ${JSON.stringify(call)}`, "text: Done."];
      const { address, cwd } = await serve(["--yolo"], JSON.stringify(script));
      const one = chat(address);
      await one.waitFor(/^>$/m);
      const early = who === "who saw it begin" ? chat(address) : undefined;
      await early?.waitFor(/^>$/m);
      one.type("hello\r");
      await one.waitFor("• Shell");
      await early?.waitFor("• Shell");
      const two = early ?? chat(address);
      if (early === undefined) await two.waitFor(/^>$/m);
      two.type("in German\r");
      // The prompt comes back once the agent has the words.
      await two.waitFor(/> in German\n(.*\n)*>$/m);
      await writeFile(join(cwd, "go"), "");
      await one.waitFor("↪ in German");
      await two.waitFor("↪ in German");
      expect(two.screen()).not.toContain("already in progress");
    },
  );

  test("after /afk off, a question at a server with --afk waits for somebody who can answer", async () => {
    const { address } = await serve(["--afk"]);
    // This client shows no questions.
    const mute = await connectWebSocket(address);
    onTestFinished(() => mute.close());
    await mute.prompt("/afk off").result;
    const { result } = mute.prompt("hello");
    const terminal = chat(address);
    await terminal.waitFor(QUESTION);
    terminal.type("2\r");
    await terminal.waitFor("Thanks.");
    expect(await result).toEqual({ status: "finished" });
  });

  test("a stopped server is reported once by a terminal, which retries and can be left (P-XCL-2)", async () => {
    const { address, stop } = await serve();
    const one = chat(address);
    await one.waitFor(/^>$/m);
    expect(await stop()).toBe(0);
    await one.waitFor("(the connection is lost, trying again: ");
    one.type("/exit\r");
    expect(await one.ended).toMatchObject({ exitCode: 0 });
    expect(one.screen().split("trying again")).toHaveLength(2);
  });

  test("while the connection is lost, words for the turn wait, and Ctrl-C says that nothing is cancelled and then leaves (P-XCL-2)", async () => {
    const { address, stop } = await serve();
    const one = chat(address);
    await one.waitFor(/^>$/m);
    await stop();
    await one.waitFor("(the connection is lost, trying again: ");
    one.type("hello\r");
    await one.waitFor("»");
    one.type("and more\r");
    await one.waitFor("(the connection is lost: it is said at the next prompt)");
    one.type(CTRL_C);
    await one.waitFor("(not cancelled, since the connection is lost: Ctrl-C again leaves)");
    one.type(CTRL_C);
    expect(await one.ended).toMatchObject({ exitCode: 130 });
  });

  test("an answer given during a lost connection that came second is reported as not counted (P-XCL-6)", async () => {
    const { address } = await serve();
    const way = await wayTo(address);
    const [one, two] = [chat(way.address), chat(address)];
    await Promise.all([one.waitFor(/^>$/m), two.waitFor(/^>$/m)]);
    one.type("hello\r");
    await Promise.all([one.waitFor(QUESTION), two.waitFor(QUESTION)]);
    way.cut();
    await one.waitFor("(the connection is lost, trying again: ");
    one.type("1\r");
    await one.waitFor(/> 1\n/);
    two.type("2\r");
    await two.waitFor("Thanks.");
    way.mend();
    await one.waitFor("(your answer did not count: somebody in askwire-chat answered it)");
    await one.waitFor("Thanks.");
    expect(two.screen()).not.toContain("did not count");
  });

  test("chat without a terminal does not wait for a stopped server", async () => {
    const { address, stop } = await serve();
    const { child, ended } = startAskwire(["chat", "--connect", address]);
    child.stdin.write("hello\n");
    await once(child.stdout, "data");
    expect(await stop()).toBe(0);
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([1, expect.stringContaining("1012")]);
  });
});

describe("an answer-only address (P-XRL-1, P-XRL-2)", () => {
  /** A server that prints a second address. */
  async function serveBoth(args: readonly string[]) {
    const cwd = await folderWith({ "s.json": colourScript, token: "for-those-who-only-answer\n" });
    const { address, untilPrinted } = await startServe(["--script", "s.json", ...args], { cwd });
    return { address, answering: await untilPrinted(/For those who may only answer:\n {2}(ws:\S+)\n/) };
  }

  test("a terminal at an answer-only address says so, answers what is asked, and takes no words for the agent", async () => {
    const { address, answering } = await serveBoth(["--answer-address"]);
    expect(new URL(answering).hash).not.toBe(new URL(address).hash);
    const [one, two] = [chat(address), chat(answering)];
    await Promise.all([one.waitFor(/^>$/m), two.waitFor(/^>$/m)]);
    expect(two.screen()).toContain("(this address is for answering only: what is asked appears here");
    two.type("hello\r");
    await two.waitFor("for answering only", { times: 2 });
    one.type("hello\r");
    await Promise.all([one.waitFor(QUESTION), two.waitFor(QUESTION)]);
    two.type("2\r");
    await Promise.all([one.waitFor("Thanks."), two.waitFor("Thanks.")]);
    expect(one.screen()).toContain("(no longer open: somebody in askwire-chat answered it)");
    two.type("/exit\r");
    expect(await two.ended).toMatchObject({ exitCode: 0 });
  });

  test("a terminal at an answer-only address speaks Chinese as well", async () => {
    const { answering } = await serveBoth(["--answer-address"]);
    const person = openAskwire(["chat", "--lang", "zh", "--connect", answering]);
    await person.waitFor("此地址仅供回答问题");
  });

  test("--answer-token-file sets the token of the answer-only address, where a pipe is refused its prompt", async () => {
    const { answering } = await serveBoth(["--answer-token-file", "token"]);
    expect(new URL(answering).hash).toBe("#for-those-who-only-answer");
    const { stderr, status } = await askwire(["chat", "--connect", answering], { input: "hello\n" });
    expect(stderr).toBe("askwire: this connection is for answering only: `prompt` is for other clients\n");
    expect(status).toBe(1);
  });
});

describe("an address that cannot be reached", () => {
  const failure = async (address: string, env: Record<string, string> = {}) => {
    const { stderr, stdout, status } = await askwire(["chat", "--connect", address], { env });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stdout).toBe("");
    expect(status).toBe(1);
    return stderr;
  };

  test("an address where nothing listens is reported in one line with the next step", async () => {
    expect(await failure("ws://127.0.0.1:1/wire")).toContain("check the address and that the server runs");
  });

  test("a wrong or missing token is reported in one line with the next step", async () => {
    const { address } = await serve();
    const [bare] = address.split("#");
    expect(await failure(`${bare}#wrong`)).toContain("refused the token: use the address that it printed");
    expect(await failure(bare as string)).toContain("refused the token");
  });

  test("a missing session is reported in one line with the next step", async () => {
    const { address } = await serve();
    expect(await failure(address.replace(/wire\/[^#]+/, "wire/none"))).toContain("no such session");
  });

  test("a server that is not Askwire is reported in one line with the next step", async () => {
    const other = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", () => resolve()));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await failure(`ws://127.0.0.1:${port}/wire`)).toContain("check the address");
  });

  test("a text that is not an address is reported in one line with the next step", async () => {
    expect(await failure("localhost")).toContain("expected ws://host:port/wire/<id>#<token>");
  });
});

describe("the token", () => {
  const own = "a-token_of-our-own-choice";

  test("a server takes its token from a file, and a client from that file or the environment", async () => {
    const file = join(await folderWith({ token: `${own}\n` }), "token");
    const { address } = await serve(["--token-file", file]);
    expect(address).toContain(`#${own}`);
    const [bare = ""] = address.split("#");
    for (const [more, env] of [
      [[], { ASKWIRE_TOKEN: own }],
      [["--token-file", file], {}],
    ] as const) {
      const { stdout, status } = await askwire(["chat", "--connect", bare, ...more], { input: "", env });
      expect(stdout).toBe("> \n");
      expect(status).toBe(0);
    }
  });

  test("a server never takes its token from the environment, which its commands could read", async () => {
    const { child, ended } = startAskwire(["serve", "--listen", "127.0.0.1:0"], {
      env: { ASKWIRE_TOKEN: own },
    });
    const [printed] = await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(String(printed)).not.toContain(own);
    expect((await ended).stderr).toBe(
      "askwire: serve ignores ASKWIRE_TOKEN and makes a new token: to set one, use --token-file\n",
    );
  });

  test.each(["", "21-characters-are-few", "with spaces between the words", "a+token/of+standard/base64=="])(
    "a server refuses the token %j",
    async (token) => {
      const cwd = await folderWith({ token });
      const line = ["serve", "--listen", "127.0.0.1:0", "--token-file", "token"];
      const { stderr, status } = await askwire(line, { cwd });
      const expected = "expected at least 22 characters of base64url (letters, digits, - and _)";
      expect(stderr).toBe(`askwire: token: ${expected}; without --token-file a new token is made\n`);
      expect(status).toBe(2);
    },
  );

  test("the token in the address takes precedence over the environment and a file", async () => {
    const cwd = await folderWith({ token: "a-token-of-another" });
    const { address } = await serve();
    const { stderr, status } = await askwire(["chat", "--connect", address, "--token-file", "token"], {
      cwd,
      env: { ASKWIRE_TOKEN: "a-token-of-yet-another" },
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("an empty token in the environment counts as no token", async () => {
    const { address } = await serve();
    const [bare] = address.split("#");
    const { stderr } = await askwire(["chat", "--connect", bare as string], { env: { ASKWIRE_TOKEN: "" } });
    expect(stderr).toContain("refused the token");
  });
});

test.each([
  [["serve"], "expected --stdio, or --listen HOST:PORT"],
  [["serve", "--stdio", "--listen", "127.0.0.1:0"], "expected --stdio, or --listen"],
  [["serve", "--listen", "80"], "expected HOST:PORT"],
  [["serve", "--listen", "0.0.0.0:0"], "add --allow-remote"],
  [["serve", "--listen", "127.0.0.1:0", "--token-file", "none"], "no such file"],
  [["serve", "--listen", "127.0.0.1:0", "--answer-token-file", "none"], "no such file"],
  [["serve", "--stdio", "--answer-address"], "--answer-address needs --listen HOST:PORT"],
  [["chat", "--connect", "ws://127.0.0.1:1/wire", "--script", "s.json"], "--script and --connect"],
  [["chat", "--connect", "ws://127.0.0.1:1/wire", "--yolo"], "--yolo works only with askwire's own agents"],
])("%j is a usage error in one line", async (args, text) => {
  const { stderr, status } = await askwire(args, { cwd: await folderWith({ "s.json": colourScript }) });
  expect(stderr).toContain(text);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
});

test("serve names a session that another process holds, and exits with 1", async () => {
  const cwd = await folderWith({ "s.json": colourScript });
  const line = ["serve", "--listen", "127.0.0.1:0", "--script", "s.json", "--session", "mine"];
  const { child } = startAskwire(line, { cwd });
  await once(child.stdout, "data");
  const { stdout, stderr, status } = await askwire(line, { cwd });
  expect([stdout, status]).toEqual(["", 1]);
  expect(stderr).toMatch(/^askwire: .*mine.*\n$/);
});

test("serve names a port that is taken", async () => {
  const { address } = await serve();
  const host = new URL(address).host;
  const cwd = await folderWith({ "s.json": colourScript });
  const { stderr, status } = await askwire(["serve", "--listen", host, "--script", "s.json"], { cwd });
  expect(stderr).toBe(`askwire: --listen ${host}: the port is taken; name another, or 0 for a free one\n`);
  expect(status).toBe(1);
});
