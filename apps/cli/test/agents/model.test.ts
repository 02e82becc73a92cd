import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  calls,
  fails,
  type ModelAnswer,
  type ModelCall,
  modelEndpoint,
  more,
  says,
  stops,
  streams,
  streamsThen,
} from "../../../../packages/agent/test/model-endpoint.js";
import { askwire, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

/** The environment of somebody who has set up a provider, and nothing else. */
async function setUp(url: string) {
  const home = await folderWith();
  return { ASKWIRE_HOME: home, OPENAI_BASE_URL: url, OPENAI_API_KEY: "key-1" };
}

const questions = {
  questions: [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] }],
};

/** A model that asks in small pieces. */
const asks: ModelAnswer = (response, call) => {
  const pieces = JSON.stringify(questions).match(/.{1,7}/gs) ?? [];
  const chunks = [
    says("One thing first."),
    calls(0, "call-1", "AskUserQuestion"),
    ...pieces.map((piece) => more(0, piece)),
  ];
  streams(...chunks, stops("tool_calls"))(response, call);
};

/** A model that says what it was answered. */
const takesUp: ModelAnswer = (response, call) => {
  const result = call.body.messages.at(-1);
  const answer = /PostgreSQL|SQLite/.exec(result.content)?.[0];
  streams(says(`Then I set up ${answer}.`), stops())(response, call);
};

const roles = ({ body }: ModelCall) => body.messages.map(({ role }: { role: string }) => role);

test("a model asks a person at the terminal, is answered, and continues with the answer", async () => {
  const endpoint = await modelEndpoint([asks, takesUp, streams(says("Goodbye."), stops())]);
  const cwd = await folderWith();
  const chat = openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], {
    cwd,
    env: await setUp(endpoint.url),
  });
  await chat.waitFor(/^>/m);
  chat.type("Set it up\r");
  await chat.waitFor(/Which database\?(.|\n)*decline\) >$/);
  chat.type("2\r");
  await chat.waitFor(/Then I set up PostgreSQL\.\n>/);
  chat.type("Thanks\r");
  await chat.waitFor(/Goodbye\.\n>/);
  chat.type("/exit\r");
  expect((await chat.ended).exitCode).toBe(0);
  const [first, second, third] = endpoint.calls;
  expect(first).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer key-1" },
    body: { model: "small", stream: true },
  });
  expect(first?.body.messages[0].content).toContain(`in the folder ${cwd}.`);
  expect(first?.body.messages[0].content).toMatch(/Today is \d{4}-\d\d-\d\d\./);
  expect(first?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toContain(
    "AskUserQuestion",
  );
  expect(second?.body.messages.slice(2)).toMatchObject([
    {
      role: "assistant",
      content: "One thing first.",
      tool_calls: [
        { id: "call-1", function: { name: "AskUserQuestion", arguments: JSON.stringify(questions) } },
      ],
    },
    { role: "tool", tool_call_id: "call-1", content: expect.stringContaining("PostgreSQL") },
  ]);
  expect(roles(third as ModelCall)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
});

test.each([
  ["redc", ["ask_user"], "ask_user"],
  ["klaude,kilo", ["AskUserQuestion", "ask_followup_question"], undefined],
  ["kilo-xml", [], "<ask_followup_question>"],
  ["none", [], undefined],
])(
  "under --dialect %s a provider is told of the question tools %j (P-DIA-1, P-DIA-6)",
  async (dialect, tools, prompt) => {
    const endpoint = await modelEndpoint([streams(says("Hello."), stops())]);
    const args = ["chat", "--model", "openai-compatible:small", "--prompt", "hello", "--dialect", dialect];
    const { stderr } = await askwire(args, { cwd: await folderWith(), env: await setUp(endpoint.url) });
    expect(stderr).toBe("");
    const { body } = endpoint.calls[0] as ModelCall;
    const offered: string[] = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(offered.filter((name) => /ask/i.test(name))).toEqual(tools);
    expect(offered).toContain("WriteFile");
    const [{ content: system }] = body.messages;
    expect(system).toMatch(/in the folder/);
    if (prompt !== undefined) expect(system).toContain(prompt);
    else expect(system).not.toMatch(/ask_|AskUser/);
  },
);

test("a model writes in the folder once the person has approved it", async () => {
  const args = JSON.stringify({ path: "notes/todo.md", content: "- tests\n" });
  const endpoint = await modelEndpoint([
    streams(calls(0, "call-1", "WriteFile", args), stops("tool_calls")),
    streams(says("Written."), stops()),
  ]);
  const cwd = await folderWith({ "notes/old.md": "" });
  const chat = openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], {
    cwd,
    env: await setUp(endpoint.url),
  });
  await chat.waitFor(/^>/m);
  chat.type("Note it\r");
  await chat.waitFor("+- tests");
  expect(existsSync(join(cwd, "notes/todo.md"))).toBe(false);
  chat.type("y\r");
  await chat.waitFor("Written.");
  expect(readFileSync(join(cwd, "notes/todo.md"), "utf8")).toBe("- tests\n");
});

test("Ctrl-C ends a turn while the provider is silent, and the next prompt is answered (P-TRN-6)", async () => {
  const endpoint = await modelEndpoint([
    streamsThen("stalls", says("Let me think")),
    streams(says("Hello."), stops()),
  ]);
  const chat = openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], {
    env: await setUp(endpoint.url),
  });
  await chat.waitFor(/^>/m);
  chat.type("Hello\r");
  await chat.waitFor("Let me think");
  chat.type("\u0003");
  await chat.waitFor(/\(cancelled\)\n>/);
  await endpoint.dropped(1);
  chat.type("Hello\r");
  await chat.waitFor("Hello.");
});

describe("a file of providers' keys (--keys-file)", () => {
  const chat = (file: string, ...more: string[]) => [
    ...["chat", "--model", "openai-compatible:small", "--prompt", "Hello", "--keys-file", file],
    ...more,
  ];
  const file = async (text: string, mode = 0o600) => {
    const path = join(await folderWith({ keys: text }), "keys");
    chmodSync(path, mode);
    return path;
  };

  test("keys from a file reach the provider, before those of the environment, and no command of the agent", async () => {
    const shows = calls(0, "call-1", "Shell", JSON.stringify({ command: "env; cat /proc/$PPID/environ" }));
    const endpoint = await modelEndpoint([
      streams(shows, stops("tool_calls")),
      streams(says("Done."), stops()),
    ]);
    const { OPENAI_API_KEY: _, ...env } = await setUp(endpoint.url);
    const path = await file("# mine\n\n  OPENAI_API_KEY = key-of-the-file\r\nKIMI_API_KEY=a=b\n");
    const { status, stderr } = await askwire(chat(path, "--yolo"), { env, cwd: await folderWith() });
    expect([status, stderr]).toEqual([0, ""]);
    expect(endpoint.calls.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer key-of-the-file",
      "Bearer key-of-the-file",
    ]);
    const result = JSON.stringify(endpoint.calls[1]?.body.messages.at(-1));
    expect(result).toContain("ASKWIRE_HOME");
    expect(result).not.toContain("key-of-the-file");
  });

  test.each<[string, string, number, string]>([
    [
      "one that others may read",
      "OPENAI_API_KEY=x\n",
      0o644,
      "others may read or change it (mode 0644): chmod 600 ",
    ],
    [
      "one that a group may write",
      "OPENAI_API_KEY=x\n",
      0o620,
      "others may read or change it (mode 0620): chmod 600 ",
    ],
    [
      "another name",
      "\nOPENAI_KEY=secret\n",
      0o600,
      "line 2: expected NAME=value with OPENAI_API_KEY or KIMI_API_KEY",
    ],
    ["no name", "secret\n", 0o600, "line 1: expected NAME=value with OPENAI_API_KEY or KIMI_API_KEY"],
    ["no value", "KIMI_API_KEY=\n", 0o600, "line 1: expected the key after KIMI_API_KEY="],
    [
      "a name twice",
      "KIMI_API_KEY=a\nKIMI_API_KEY=b\n",
      0o600,
      "line 2: KIMI_API_KEY is there twice: remove one",
    ],
  ])("a keys file (%s) is refused in one line that shows no value", async (_, text, mode, why) => {
    const path = await file(text, mode);
    const { status, stderr } = await askwire(chat(path), { env: await setUp("http://127.0.0.1:1") });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^askwire: --keys-file .*\n$/);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("secret");
  });

  test.each([
    [["chat", "--keys-file", "k", "--script", "s.json"], "--keys-file needs a model: add --model NAME"],
    [
      ["chat", "--keys-file", "k", "--connect", "ws://127.0.0.1:1/wire"],
      "chat: --keys-file works only with askwire's own agents",
    ],
    [["chat", "--keys-file", "k", "--", "true"], "chat: --keys-file works only with askwire's own agents"],
    [chat("/none/keys"), "--keys-file /none/keys: no such file; check the path"],
  ])("the wrong use of --keys-file in %j is a usage error", async (args, why) => {
    const { status, stderr } = await askwire(args, { env: await setUp("http://127.0.0.1:1") });
    expect([status, stderr.startsWith(`askwire: ${why}`)]).toEqual([2, true]);
  });
});

describe("a failing provider", () => {
  test("a wrong key is reported in one line, with exit code 1", async () => {
    const endpoint = await modelEndpoint([fails(401, "wrong key")]);
    const args = ["chat", "--model", "openai-compatible:small", "--prompt", "Hello"];
    const { stderr, status } = await askwire(args, { env: await setUp(endpoint.url) });
    expect(stderr).toBe("askwire: HTTP status 401: wrong key; check OPENAI_API_KEY\n");
    expect(status).toBe(1);
    expect(endpoint.calls).toHaveLength(1);
  });

  test.each([401, 400])(
    "a failure of status %i that repeats the key is shown, kept and logged without the key",
    async (status) => {
      const key = "sk-a-key-of-the-provider";
      const endpoint = await modelEndpoint([fails(status, `what is ${key} for`)]);
      const env = { ...(await setUp(endpoint.url)), OPENAI_API_KEY: key, ASKWIRE_LOG: "debug" };
      const args = ["chat", "--model", "openai-compatible:small", "--prompt", "Hello"];
      const { stdout, stderr } = await askwire(args, { env });
      expect(stderr).toContain("what is … for");
      const kept = readdirSync(env.ASKWIRE_HOME, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
      expect(kept.join("")).toContain("what is … for");
      expect([stdout, stderr, ...kept].join("")).not.toContain(key);
    },
  );

  test("a busy provider is asked again (P-STP-4)", async () => {
    const busy = fails(429, "slow down", { "retry-after-ms": "1" });
    const endpoint = await modelEndpoint([busy, busy, streams(says("Hello."), stops())]);
    const args = ["chat", "--model", "openai-compatible:small", "--prompt", "Hello"];
    const { stdout, status } = await askwire(args, { env: await setUp(endpoint.url) });
    expect(stdout).toContain("Hello.");
    expect(status).toBe(0);
    expect(endpoint.calls).toHaveLength(3);
  });
});

describe("a --model that cannot be used", () => {
  test.each<[string, string[], Record<string, string>, RegExp]>([
    [
      "no address",
      ["--model", "openai-compatible:small"],
      { OPENAI_BASE_URL: "" },
      /^askwire: --model openai-compatible:small: set OPENAI_BASE_URL to the provider's address, such as http/,
    ],
    [
      "an invalid address",
      ["--model", "openai-compatible:small"],
      { OPENAI_BASE_URL: "localhost" },
      /^askwire: OPENAI_BASE_URL: expected an http or https address, found "localhost"$/m,
    ],
    [
      "no key",
      ["--model", "kimi:k2"],
      { KIMI_API_KEY: "" },
      /^askwire: --model kimi:k2: set KIMI_API_KEY to your key$/m,
    ],
    [
      "a name that is nowhere",
      ["--model", "small"],
      {},
      /^askwire: --model small: .+config\.toml has no model of that name; add it there, or name PROVIDER:MODEL/,
    ],
    ["an unknown provider", ["--model", "psychic:small"], {}, /with a provider of openai-compatible, kimi$/m],
    ["a name of an object's", ["--model", "constructor"], {}, /has no model of that name/],
    [
      "no folder",
      ["--model", "kimi:k2", "--work-dir", "/gone"],
      {},
      /^askwire: --work-dir \/gone: no such folder$/m,
    ],
    ["another agent", ["--model", "a", "--script", "s.json"], {}, /--model and --script name/],
    ["an interview", ["--model", "a", "--interview", "i.yaml"], {}, /--model and --interview name/],
    ["the file of an interview", ["--model", "a", "--out", "o"], {}, /leave it out with --model/],
  ])("--model with %s exits 2 with one line that says the next step", async (_what, args, env, line) => {
    const home = { ASKWIRE_HOME: await folderWith(), ...env };
    for (const start of [["chat"], ["serve", "--stdio"]]) {
      const { stdout, stderr, status } = await askwire([...start, ...args], { env: home });
      expect(stderr).toMatch(line);
      expect(stderr).toMatch(/^askwire: [^\n]+\n$/);
      expect(stdout).toBe("");
      expect(status).toBe(2);
    }
  });

  test.each([
    ["--connect", ["--connect", "ws://127.0.0.1:1/wire"]],
    ["-- COMMAND", ["--", "true"]],
  ])("--model beside %s exits 2 with one line that says the next step", async (name, other) => {
    const { stderr, status } = await askwire(["chat", "--model", "a", ...other]);
    expect(stderr).toBe(`askwire: chat: --model and ${name} name different agents: leave one out\n`);
    expect(status).toBe(2);
  });
});
