import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endings } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { acpAgent } from "../../src/acp.js";
import { conversation, temporaryFolder } from "./conversation.js";

const question = {
  mode: "form",
  message: "Which?",
  requestedSchema: { type: "object", properties: { k: { type: "string" } } },
};
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const permission = { toolCall: { toolCallId: "c", title: "Do it" }, options };

/** Waits until the person is asked this many things. */
const untilAsked = (agent: Awaited<ReturnType<typeof conversation>>, count: number) => {
  const never = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  agent.person.question = never;
  agent.person.approval = never;
  return expect.poll(() => [...agent.server.sessions.values()][0]?.pending.length).toBe(count);
};

describe("a cancelled turn", () => {
  test("a cancelled turn ends at once; open permissions and forms are answered as cancelled, and the agent continues with the next prompt", async () => {
    const agent = await conversation();
    const script = [
      ["together", ["session/request_permission", permission], ["elicitation/create", question]],
      ["untilCancelled"],
    ];
    const turn = agent.session.prompt(JSON.stringify(script));
    await untilAsked(agent, 2);
    await agent.session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(agent.told("InteractionSettled")).toMatchObject([
      { outcome: { status: "withdrawn", reason: "interrupted" } },
      { outcome: { status: "withdrawn", reason: "interrupted" } },
    ]);
    expect(await agent.say("next")).toBe("You said: next");
    expect(agent.told("ContentPart")).toHaveLength(1);
  });

  test("a cancelled turn asks a person nothing more: what the agent still asks is answered as cancelled", async () => {
    const agent = await conversation();
    agent.person.question = () => "declined";
    const late = [
      ["session/request_permission", permission],
      ["elicitation/create", question],
      ["fs/write_text_file", { path: "/a", content: "" }],
    ];
    const turn = agent.session.prompt(
      JSON.stringify([["say", "working"], ["untilCancelled"], ["kept", ...late]]),
    );
    await expect.poll(() => agent.told("ContentPart").length).toBe(1);
    await agent.session.cancel();
    await turn.result;
    expect(await agent.act("answers")).toMatchObject([
      { result: { outcome: { outcome: "cancelled" } } },
      { result: { action: "cancel" } },
      { error: { code: -32800 } },
    ]);
    expect(agent.told("InteractionSettled")).toEqual([]);
  });

  test("a cancelled turn ends an agent that does not stop, and the next prompt starts it again and says so", async () => {
    const agent = await conversation({ cancelTimeoutMs: 50 });
    const before = await agent.act("pid");
    const turn = agent.session.prompt('[["say", "working"], ["hang"]]');
    await expect.poll(() => agent.told("ContentPart").length).toBe(2);
    await agent.session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(await agent.act("pid")).not.toBe(before);
    expect(agent.told("Notification")).toMatchObject([
      { title: "The agent was started again", severity: "warning" },
    ]);
  });
});

describe("an agent that dies in a turn", () => {
  test("an agent that dies in a turn ends its requests, fails the prompt with its last words, and is started again by the next prompt", async () => {
    const agent = await conversation();
    const pid: number = await agent.act("pid");
    const script = [
      ["together", ["elicitation/create", question], ["session/request_permission", permission]],
    ];
    const turn = agent.session.prompt(JSON.stringify(script));
    const failed = turn.result.catch((error: unknown) => error);
    await untilAsked(agent, 2);
    process.kill(pid, "SIGKILL");
    expect(await failed).toMatchObject({
      code: -32003,
      message: expect.stringContaining("ended by SIGKILL"),
    });
    const { question: ofQuestion, approval: ofApproval } = endings.agent_dies;
    expect(agent.told("InteractionSettled")).toMatchObject([
      { kind: "question", outcome: ofQuestion.unkept },
      { kind: "approval", outcome: ofApproval.unkept },
    ]);
    expect(await agent.say("hello")).toBe("You said: hello");
    expect(agent.told("Notification")).toMatchObject([
      {
        title: "The agent was started again",
        body: expect.stringContaining("does not have the conversation any more"),
      },
    ]);
  });

  test("an agent that takes its time to start again is waited for, and the person is told so", async () => {
    const store = temporaryFolder();
    const env = { ...process.env, STORE: store };
    const agent = await conversation({ env, startTimeoutMs: 12_000 });
    await expect(agent.session.prompt('[["exit", 3, "out of memory"]]').result).rejects.toThrow();
    writeFileSync(join(store, "slow"), "");
    const said = agent.say("hello");
    await expect
      .poll(() => agent.told("Notification"), { timeout: 60_000 })
      .toMatchObject([
        { title: "The agent has not answered yet, and is waited for", body: expect.stringContaining("12 s") },
      ]);
    rmSync(join(store, "slow"));
    expect(await said).toBe("You said: hello");
  });

  test("an agent that dies in a turn has its last words in the error of the prompt", async () => {
    const agent = await conversation();
    const turn = agent.session.prompt('[["exit", 3, "out of memory"]]');
    await expect(turn.result).rejects.toMatchObject({
      code: -32003,
      message: expect.stringMatching(/status 3: out of memory/),
    });
  });
});

describe("a request that the agent takes back", () => {
  test.each([
    ["elicitation/create", question],
    ["session/request_permission", permission],
  ])(
    "a request that the agent takes back by $/cancel_request of %s is taken from the person",
    async (method, params) => {
      const store = temporaryFolder();
      const agent = await conversation({ env: { ...process.env, STORE: store } });
      const turn = agent.session.prompt(JSON.stringify([["withdraw", method, params]]));
      await untilAsked(agent, 1);
      writeFileSync(join(store, "withdraw"), "");
      await turn.result;
      expect(agent.told("InteractionSettled")).toMatchObject([
        { outcome: { status: "withdrawn", reason: "agent" } },
      ]);
      expect(JSON.stringify(agent.told("ContentPart"))).toContain('\\"result\\"');
    },
  );
});

describe("an agent that cannot be used", () => {
  test.each([
    ["is not there", { command: ["/nothing/here"] }, /could not start .*not found/],
    [
      "ends at once",
      { command: [process.execPath, "-e", "console.error('no key'); process.exit(2)"] },
      /status 2.*no key/s,
    ],
    [
      "does not introduce itself in time",
      { flags: ["silent"], startTimeoutMs: 300 },
      /did not introduce itself/,
    ],
    [
      "opens no conversation in time",
      { flags: ["deaf"], startTimeoutMs: 6_000 },
      /did not open a conversation/,
    ],
    ["speaks a version that nobody knows", { flags: ["future"] }, /version 7 of ACP/],
    [
      "is no agent",
      { command: [process.execPath, "-e", "process.stdin.pipe(process.stdout)"], startTimeoutMs: 2_000 },
      /sends back/,
    ],
  ])(
    "an agent that cannot be used because it %s is reported to the client that comes",
    async (_, setup, words) => {
      await expect(conversation(setup)).rejects.toMatchObject({ message: expect.stringMatching(words) });
    },
  );

  test("an agent of an empty command is refused", () => {
    expect(() => acpAgent([])).toThrow("expected an executable");
  });
});

test("noise on standard output, and messages that nobody expects, change nothing", async () => {
  const strays: string[] = [];
  const agent = await conversation({ flags: ["noise"], onStray: (problem) => strays.push(problem) });
  const text = await agent.script(
    ["raw", "Loading plugins…"],
    ["raw", '{"jsonrpc":"2.0","id":999,"result":{}}'],
    ["raw", '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":7}}'],
    ["raw", '{"jsonrpc":"2.0","method":"_other/news","params":{}}'],
    ["update", { sessionUpdate: "weather_update", sun: true }],
    ["update", { sessionUpdate: "tool_call", toolCallId: 5 }],
    ["foreign", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "not here" } }],
    ["say", "done"],
  );
  expect(text).toBe("done");
  expect(strays).toEqual(
    expect.arrayContaining([
      expect.stringContaining("no message: Loading plugins…"),
      "it replied to a request that nobody made",
      "its update: sessionId: expected string; update: expected object",
      'it sent an update of the kind "weather_update"',
      expect.stringContaining("tool_call: toolCallId"),
      "it sent an update of another conversation",
    ]),
  );
});

test("two requests with one id are both put to the person", async () => {
  const agent = await conversation();
  let asked = 0;
  agent.person.question = () => {
    asked += 1;
    return "declined";
  };
  const line = (sessionId: string) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "elicitation/create",
      params: { sessionId, ...question },
    });
  const id = await agent.act("session");
  await agent.script(["raw", line(id)], ["raw", line(id)], ["request", "elicitation/create", question]);
  expect(asked).toBe(3);
});

test("a flood of updates reaches a client whole", async () => {
  const agent = await conversation();
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(100) } };
  expect(await agent.script(["updates", chunk, 5_000])).toHaveLength(500_000);
});

test("a flood of questions opens as many as a session may have, and one of requests is refused", async () => {
  const strays = new Set<string>();
  const agent = await conversation({ onStray: (problem) => strays.add(problem) });
  const most = { open: 0 };
  agent.person.question = () => {
    most.open = Math.max(most.open, [...agent.server.sessions.values()][0]?.pending.length ?? 0);
    return "declined";
  };
  const answers = (await agent.act("together", ...Array(200).fill(["elicitation/create", question]))) as {
    result: { action: string };
  }[];
  expect(new Set(answers.map(({ result }) => result.action))).toContain("decline");
  expect(most.open).toBeLessThanOrEqual(64);
  const read = { method: "fs/read_text_file", params: { sessionId: await agent.act("session"), path: "/a" } };
  const lines = [...Array(300)].map((_, n) => JSON.stringify({ jsonrpc: "2.0", id: 10_000 + n, ...read }));
  await agent.script(["raw", lines.join("\n")]);
  expect(strays).toContainEqual(expect.stringMatching(/^it made more than 256 requests, .* at a time$/));
});

test("a session that ends ends the agent", async () => {
  const agent = await conversation();
  const pid: number = await agent.act("pid");
  await agent.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("an agent inherits no variable of Askwire, and no key of a model provider, unless it is given one", async () => {
  process.env.ASKWIRE_TOKEN = "secret";
  process.env.OPENAI_API_KEY = "key";
  process.env.HARMLESS = "yes";
  try {
    const agent = await conversation();
    expect(await agent.act("environment", "ASKWIRE_TOKEN", "OPENAI_API_KEY", "HARMLESS")).toEqual({
      ASKWIRE_TOKEN: null,
      OPENAI_API_KEY: null,
      HARMLESS: "yes",
    });
    const given = await conversation({ env: { ...process.env } });
    expect(await given.act("environment", "OPENAI_API_KEY")).toEqual({ OPENAI_API_KEY: "key" });
  } finally {
    for (const name of ["ASKWIRE_TOKEN", "OPENAI_API_KEY", "HARMLESS"]) delete process.env[name];
  }
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
