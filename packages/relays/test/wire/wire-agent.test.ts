import { fileURLToPath } from "node:url";
import type { ApprovalView, QuestionView, RequestSettled } from "@askwire/client";
import { describe, expect, test, vi } from "vitest";
import { acting, join, relay, saidIn, type Told } from "./relayed.js";

const repeating = fileURLToPath(new URL("./repeating-agent.mjs", import.meta.url));
const until = vi.waitUntil as (condition: () => unknown) => Promise<unknown>;
const typesOf = ({ events }: Told) => events.map(({ type }) => type);

describe("a question or approval of an agent of the wire", () => {
  test("a question reaches the clients with its previews and fields, and the agent continues with its answer", async () => {
    const server = relay();
    let seen: QuestionView | undefined;
    const client = await join(server, server.createSession(), {
      handlers: {
        question(view) {
          seen = view;
          return {
            items: [
              { question_id: "q1", selected: ["q1_o1"] },
              { question_id: "q2", selected: [], own_text: "2026-11-24" },
            ],
          };
        },
      },
    });
    const { text } = await client.say("ask");
    expect(seen?.questions[0]?.options[0]).toMatchObject({ label: "SQLite", preview: "one file" });
    expect(seen?.questions[1]?.field).toMatchObject({ type: "date" });
    expect(JSON.parse(text)).toMatchObject({
      status: "answered",
      answer: { answers: { "Which database?": "SQLite", "Since when?": "2026-11-24" } },
    });
  });

  test("what a call of the agent prints reaches the clients while it runs (P-XCO-1)", async () => {
    const server = relay();
    const printed: unknown[] = [];
    const client = await join(server, server.createSession(), {
      handlers: {
        callOutput: ({ text, lines }) => void printed.push({ text, lines }),
        approval: async () => {
          await until(() => printed.length > 0);
          return "approve";
        },
      },
    });
    expect((await client.say("build")).text).toBe("built");
    expect(printed[0]).toEqual({ text: "one\ntwo\n", lines: 2 });
  });

  test("a question that two people see is answered by the first, and the other is told", async () => {
    const server = relay();
    const session = server.createSession();
    let gone: unknown;
    const late = await join(server, session, {
      handlers: {
        question: (_view, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              gone = signal.reason;
              reject(signal.reason);
            });
          }),
      },
    });
    const first = await join(server, session, { handlers: { question: () => "declined" } });
    const { text } = await first.say("ask");
    expect(JSON.parse(text)).toMatchObject({ status: "declined", reason: "dismissed" });
    await until(() => gone);
    expect((gone as RequestSettled).outcome).toMatchObject({ status: "declined", by: "human" });
    expect(typesOf(late)).toContain("TurnEnd");
  });

  test("the words to talk about first, and a refusal to show, keep their meaning", async () => {
    const server = relay();
    const client = await join(server, server.createSession(), {
      handlers: { question: () => ({ declined: "discuss", note: "why two?" }) },
    });
    expect(JSON.parse((await client.say("ask")).text)).toMatchObject({
      status: "declined",
      reason: "discuss",
    });
    const blind = await join(server, server.createSession());
    expect(JSON.parse((await blind.say("ask")).text)).toMatchObject({
      status: "unavailable",
      reason: "unsupported",
    });
  });

  test("an approval reaches the clients with its options and its text to change, and is answered by the chosen one", async () => {
    const server = relay();
    let seen: ApprovalView | undefined;
    const client = await join(server, server.createSession(), {
      handlers: {
        approval(view) {
          seen = view;
          return { option: "once", edited: "npm run check" };
        },
      },
    });
    const { text } = await client.say("approve");
    expect(seen?.options?.map(({ id }) => id)).toEqual(["once", "program", "all", "no"]);
    expect(seen?.edit).toMatchObject({ content: "npm test", language: "bash" });
    expect(JSON.parse(text).answer).toMatchObject({ option: "once", edited: "npm run check" });
  });

  test("an approval that is for a person alone is answered by no policy of the server that passes it on (P-XAO-10)", async () => {
    const server = relay(acting, {}, { yolo: true });
    const seen: (boolean | undefined)[] = [];
    const client = await join(server, server.createSession(), {
      handlers: {
        approval({ person_only }) {
          seen.push(person_only);
          return "reject";
        },
      },
    });
    expect(JSON.parse((await client.say("plan")).text).answer).toMatchObject({ response: "reject" });
    expect(seen).toEqual([true]);
    expect(JSON.parse((await client.say("approve")).text).answer).toMatchObject({ response: "approve" });
    expect(seen).toHaveLength(1);
  });

  test("a base client answers in the three words, and the agent learns what it was not shown", async () => {
    const server = relay();
    const client = await join(server, server.createSession(), {
      profile: "base",
      handlers: { approval: () => "approve_for_session" },
    });
    const { status, answer, degraded } = JSON.parse((await client.say("approve")).text);
    expect([status, answer.option]).toEqual(["answered", "all"]);
    expect(degraded).toEqual([{ feature: "approval_options" }, { feature: "edit" }]);
  });

  test("an answer of always reaches the agent, which alone remembers it (P-XAO-8)", async () => {
    const server = relay();
    const session = server.createSession();
    const asked: string[] = [];
    const client = await join(server, session, {
      handlers: {
        approval({ description }) {
          asked.push(description);
          return "approve_for_session";
        },
      },
    });
    expect((await client.say("write")).text).toBe("writtenwritten");
    expect(asked).toEqual(["Write it"]);
    // Another process of the agent has forgotten, and so has the server.
    await client.say("die").catch(() => {});
    await client.say("write");
    expect(asked).toEqual(["Write it", "Write it"]);
  });

  test("a person who begins to answer stops the agent's clock", async () => {
    const server = relay();
    const client = await join(server, server.createSession(), {
      handlers: {
        async question(_view, { touch }) {
          touch();
          await until(() => client.events.some(({ type }) => type === "InteractionUpdated"));
          return { answers: { "Go on?": "Yes" } };
        },
      },
    });
    expect(JSON.parse((await client.say("deadline")).text).answer.answers).toEqual({ "Go on?": "Yes" });
    expect(client.events.find(({ type }) => type === "InteractionUpdated")?.payload).toMatchObject({
      deadline: null,
    });
  });

  test("the approval of a sub-agent names the sub-agent, whose events come inside its call", async () => {
    const server = relay();
    let seen: ApprovalView | undefined;
    const client = await join(server, server.createSession(), {
      handlers: {
        approval(view) {
          seen = view;
          return "approve";
        },
      },
    });
    await client.say("worker");
    expect(seen?.subagent_type).toBe("worker");
    expect(typesOf(client)).toContain("SubagentEvent");
  });
});

describe("what clients bring and say reaches the agent", () => {
  test("a tool of the clients reaches the agent, and one of the clients runs it", async () => {
    const server = relay();
    const client = await join(server, server.createSession(), {
      tools: [
        { name: "Weather", description: "Tells it", parameters: {}, run: ({ city }) => `rain in ${city}` },
      ],
    });
    expect(JSON.parse((await client.say("tool Weather")).text)).toMatchObject({ output: "rain in Oslo" });
    expect(typesOf(client).filter((type) => type === "ToolCall")).toHaveLength(1);
  });

  test("a tool that comes in the middle of a turn reaches the agent at the next prompt, and the client is told so (P-EXT-9)", async () => {
    const server = relay();
    const session = server.createSession();
    const first = await join(server, session);
    const turn = first.session.prompt("listen");
    await until(() => typesOf(first).includes("StepBegin"));
    const tools = [{ name: "Weather", description: "Tells it", parameters: {}, run: () => "rain" }];
    const second = await join(server, session, { tools });
    expect(second.session.server).toMatchObject({
      external_tools: { accepted: ["Weather"] },
      offers_from: "next_prompt",
    });
    await first.session.steer("go on");
    await turn.result;
    expect((await first.say("tool Weather")).text).toContain("rain");
  });

  test("a hook of a client reaches the agent, and may block one of its calls", async () => {
    const server = relay();
    const client = await join(server, server.createSession(), {
      hooks: [{ event: "PreToolUse", matcher: "Write", run: () => ({ block: "not today" }) }],
    });
    expect((await client.say("write")).text).toContain("not today");
    expect(typesOf(client)).toContain("HookResolved");
  });

  test("words in between reach the agent, and are sent to clients once it has read them", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    const turn = client.session.prompt("listen");
    await until(() => typesOf(client).includes("StepBegin"));
    await client.session.steer("louder");
    await turn.result;
    expect(saidIn(client.events)).toBe("heard louder");
    expect(typesOf(client).filter((type) => type === "SteerInput")).toHaveLength(1);
  });

  test("plan mode reaches the agent and the clients", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    await client.session.setPlanMode(true);
    await until(() => client.session.status.plan_mode);
    expect((await client.say("hello")).text).toBe("You said: hello (plan mode)");
    await client.say("/plan off");
    expect(client.session.status.plan_mode).toBe(false);
  });

  test("a cancelled turn ends at the agent too, and the next prompt runs", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    const turn = client.session.prompt("wait");
    await until(() => saidIn(client.events) === "waiting");
    await client.session.cancel();
    expect((await turn.result).status).toBe("cancelled");
    expect((await client.say("hello")).text).toBe("You said: hello");
  });
});

describe("the agent introduces itself through the server", () => {
  test("an agent introduces itself through the server with its commands, and with those that come later (P-SLH-3)", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    expect(client.session.slashCommands.map(({ name }) => name)).toEqual(["plan"]);
    await client.say("learn dance");
    await until(() => client.session.slashCommands.some(({ name }) => name === "dance"));
    expect((await client.say("/dance")).text).toBe("ran dance");
  });

  test("an agent of the wire ends its turns as it says: by a limit, or by an error", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    expect((await client.say("limit")).result).toEqual({ status: "max_steps_reached", steps: 3 });
    await expect(client.say("fail")).rejects.toThrow("it broke");
  });

  test("each session has its own process of the agent", async () => {
    const server = relay();
    const one = await join(server, server.createSession());
    const other = await join(server, server.createSession());
    await one.session.setPlanMode(true);
    expect((await other.say("hello")).text).toBe("You said: hello");
  });

  test("a program that is no agent is refused with its last words", async () => {
    const server = relay([process.execPath, "-e", "console.error('no licence'); process.exit(4)"]);
    await expect(join(server, server.createSession())).rejects.toThrow(/ended with status 4: no licence/);
  });
});

describe("an agent that goes wrong", () => {
  test("an agent that dies leaves its question withdrawn, and the next start says so", async () => {
    const server = relay();
    const outcomes: unknown[] = [];
    const client = await join(server, server.createSession(), {
      handlers: { question: () => new Promise(() => {}) },
    });
    await expect(client.say("die")).rejects.toThrow(/ended with status 3: out of memory/);
    for (const { type, payload } of client.events)
      if (type === "InteractionSettled") outcomes.push(payload.outcome?.status);
    expect(outcomes).toEqual(["withdrawn"]);
    expect((await client.say("hello")).text).toBe("You said: hello");
    expect(client.events.find(({ type }) => type === "Notification")?.payload).toMatchObject({
      type: "agent.restarted",
      body: expect.stringContaining("status 3"),
    });
  });

  test("an agent that says very much loses nothing of it", async () => {
    const server = relay();
    const client = await join(server, server.createSession());
    expect((await client.say("flood 2000")).text).toHaveLength(2_000_000);
  });

  test("an agent that starts slowly is given up after the time for it", async () => {
    const server = relay([process.execPath, "-e", "setInterval(() => {}, 1000)"], { startTimeoutMs: 300 });
    await expect(join(server, server.createSession())).rejects.toThrow(/did not introduce itself/);
  });

  test("an agent that does not end a cancelled turn is ended itself, and the next prompt has another", async () => {
    const server = relay(acting, { cancelTimeoutMs: 100 });
    const client = await join(server, server.createSession());
    const turn = client.session.prompt("deaf");
    await until(() => client.session.state === "running");
    await client.session.cancel();
    expect((await turn.result).status).toBe("cancelled");
    expect((await client.say("hello")).text).toBe("You said: hello");
  });

  test("an agent that names two requests alike has both put, under two ids", async () => {
    const server = relay([process.execPath, repeating]);
    const seen: string[] = [];
    const client = await join(server, server.createSession(), {
      handlers: {
        question({ id }) {
          seen.push(id);
          return { answers: { "Which?": "This" } };
        },
      },
    });
    expect((await client.say("hello")).text).toBe('{"Which?":"This"}{"Which?":"This"}');
    expect(new Set(seen).size).toBe(2);
  });

  test("an agent that does not know initialize is prompted nevertheless, and asks", async () => {
    const server = relay([process.execPath, repeating, "older"]);
    const client = await join(server, server.createSession(), {
      handlers: {
        question: ({ questions: [first] }) => ({
          items: [{ question_id: first?.id ?? "", selected: ["q1_o2"] }],
        }),
      },
    });
    const { result, text } = await client.say("go");
    expect(result).toEqual({ status: "finished" });
    expect(text).toBe('{"Which?":"That"}{"Which?":"That"}');
  });

  test("an agent goes with the session, whose end leaves no process", async () => {
    const server = relay(acting);
    const client = await join(server, server.createSession());
    const turn = client.session.prompt("wait");
    await until(() => saidIn(client.events) === "waiting");
    turn.result.catch(() => {});
    await server.close();
    expect(server.sessions.size).toBe(0);
  });
});
