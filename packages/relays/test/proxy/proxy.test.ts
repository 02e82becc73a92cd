import type { ApprovalView, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { never, proxied } from "./proxied.js";

const permission = {
  toolCall: {
    toolCallId: "call-1",
    title: "npm test",
    kind: "execute",
    rawInput: { command: "npm test" },
  },
  options: [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "always", name: "Always allow", kind: "allow_always" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ],
};

const form = {
  mode: "form",
  message: "Before I go on",
  toolCallId: "call-1",
  requestedSchema: {
    type: "object",
    properties: {
      target: {
        type: "string",
        title: "Target",
        oneOf: [
          { const: "a", title: "Alpha" },
          { const: "b", title: "Beta" },
        ],
      },
      count: { type: "integer", title: "Count", minimum: 1, maximum: 5 },
    },
    required: ["target", "count"],
  },
};

const asksPermission = ["request", "session/request_permission", permission];
const asksForm = ["request", "elicitation/create", form];
const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });

const waits = { question: never, approval: never };

describe("a permission", () => {
  test("a person's answer is the agent's, and the host is told to take its card away", async () => {
    const views: ApprovalView[] = [];
    const { run, seen } = await proxied({
      person: {
        approval(view) {
          views.push(view);
          return { option: "always" };
        },
      },
    });
    expect(await run(asksPermission)).toEqual(selected("always"));
    expect(seen).toMatchObject({ permissions: 1, withdrawn: 1 });
    expect(views[0]).toMatchObject({
      description: "npm test",
      display: [{ type: "shell", command: "npm test" }],
      program: { origin: { host: "Scripted agent", folder: "/work/shop", tool: "npm test" } },
    });
  });

  test("the words of a person who rejects are a note on the reply", async () => {
    const { run } = await proxied({ person: { approval: () => ({ option: "no", feedback: "use pnpm" }) } });
    expect(await run(asksPermission)).toEqual({
      result: {
        outcome: { outcome: "selected", optionId: "no" },
        _meta: { "askwire.dev/feedback": "use pnpm" },
      },
    });
  });

  test("the host's answer is the agent's, and people lose the request", async () => {
    const { run, open } = await proxied({
      person: waits,
      permission: async () => {
        await expect.poll(open).toBe(1);
        return { outcome: { outcome: "selected", optionId: "yes" } };
      },
    });
    expect(await run(asksPermission)).toEqual(selected("yes"));
    await expect.poll(open).toBe(0);
  });

  test("both answers at once: the agent has one, and a later permission is not answered by the late one", async () => {
    let answer: (value: unknown) => void = () => {};
    let times = 0;
    const { run } = await proxied({
      person: {
        approval() {
          times += 1;
          // The host's late answer is on its way when the second permission comes.
          return times === 1 ? { option: "no" } : { option: "yes" };
        },
      },
      permission: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    expect(await run(asksPermission)).toEqual(selected("no"));
    answer({ outcome: { outcome: "selected", optionId: "always" } });
    expect(await run(asksPermission)).toEqual(selected("yes"));
  });

  test("a person who closes the card leaves the permission to the host", async () => {
    let closed: () => void = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { run } = await proxied({
      person: {
        approval() {
          closed();
          return { declined: "dismissed" } as never;
        },
      },
      permission: async () => {
        await isClosed;
        return { outcome: { outcome: "selected", optionId: "yes" } };
      },
    });
    expect(await run(asksPermission)).toEqual(selected("yes"));
  });

  test("without people the host alone is asked", async () => {
    const { run, problems } = await proxied({
      proxy: { people: () => Promise.reject(new Error("no gateway")) },
      permission: () => ({ outcome: { outcome: "selected", optionId: "no" } }),
    });
    expect(await run(asksPermission)).toEqual(selected("no"));
    expect(problems).toEqual(["people cannot be asked: no gateway"]);
  });

  test("two options of one id are for the host to refuse, and no person is asked", async () => {
    const { run, open } = await proxied({
      person: waits,
      permission: () => ({ outcome: { outcome: "cancelled" } }),
    });
    const options = [permission.options[0], permission.options[0]];
    const asked = ["request", "session/request_permission", { ...permission, options }];
    expect(await run(asked)).toEqual({ result: { outcome: { outcome: "cancelled" } } });
    expect(open()).toBe(0);
  });

  test("the difference that an update told is what a person sees", async () => {
    const views: ApprovalView[] = [];
    const { run } = await proxied({
      person: {
        approval(view) {
          views.push(view);
          return { option: "yes" };
        },
      },
    });
    const content = [{ type: "diff", path: "/work/shop/a.txt", oldText: "one", newText: "two" }];
    const call = { toolCallId: "call-2", title: "Edit a.txt", kind: "edit" };
    await run(
      ["update", { sessionUpdate: "tool_call", ...call, content }],
      ["request", "session/request_permission", { ...permission, toolCall: { toolCallId: "call-2" } }],
    );
    expect(views[0]).toMatchObject({
      description: "Edit a.txt",
      display: [{ type: "diff", path: "/work/shop/a.txt", old_text: "one", new_text: "two" }],
    });
  });
});

describe("a form", () => {
  const answers = {
    question: () => ({
      items: [
        { question_id: "q1", selected: ["q1_o2"] },
        { question_id: "q2", own_text: "3", selected: [] },
      ],
    }),
  };

  test("a host that shows no forms gets none, and a person's answer is the agent's", async () => {
    const views: QuestionView[] = [];
    const { run, seen } = await proxied({
      elicitation: {},
      person: {
        question(view) {
          views.push(view);
          return answers.question() as never;
        },
      },
    });
    expect(await run(asksForm)).toEqual({ result: { action: "accept", content: { target: "b", count: 3 } } });
    expect(seen.forms).toEqual([]);
    expect(views[0]?.questions.map(({ question }) => question)).toEqual(["Target", "Count"]);
  });

  test("a host that says no is the agent's no, and people lose the form", async () => {
    const { run, open } = await proxied({
      person: waits,
      form: async () => {
        await expect.poll(open).toBe(1);
        return { action: "decline" };
      },
    });
    expect(await run(asksForm)).toEqual({ result: { action: "decline" } });
    await expect.poll(open).toBe(0);
  });

  test("a host sees keys that sort as the questions do and no choice that it could take for made", async () => {
    const { run, seen } = await proxied({
      person: waits,
      form: () => ({ action: "accept", content: { "1_target": "a", "2_count": 2 } }),
    });
    expect(await run(asksForm)).toEqual({ result: { action: "accept", content: { target: "a", count: 2 } } });
    const { requestedSchema } = seen.forms[0] as {
      requestedSchema: { properties: object; required: string[] };
    };
    expect(Object.keys(requestedSchema.properties)).toEqual(["1_target", "2_count"]);
    expect(requestedSchema.required).toEqual(["2_count"]);
  });

  test("a host that leaves out what the agent requires, or sends what does not fit, is asked again", async () => {
    const contents = [{ "2_count": 9 }, { "1_target": "c", "2_count": 2 }, { "1_target": "b", "2_count": 2 }];
    const { run, seen } = await proxied({
      person: waits,
      form: () => ({ action: "accept", content: contents.shift() }),
    });
    expect(await run(asksForm)).toEqual({ result: { action: "accept", content: { target: "b", count: 2 } } });
    expect(seen.forms.map(({ message }) => message)).toEqual([
      "Before I go on",
      "Before I go on\n\nThe answer did not fit: Target: a value is needed; Count: expected a whole number from 1 to 5.",
      'Before I go on\n\nThe answer did not fit: Target: expected "a", "b".',
    ]);
  });

  test("a host whose form fails leaves it to people", async () => {
    const { run } = await proxied({
      person: { question: async () => answers.question() as never },
      form: () => {
        throw new Error("no such form");
      },
    });
    expect(await run(asksForm)).toEqual({ result: { action: "accept", content: { target: "b", count: 3 } } });
  });

  test("where neither host nor people can answer, the form is cancelled", async () => {
    const { run } = await proxied({
      elicitation: {},
      proxy: { people: () => Promise.reject(new Error("none")) },
    });
    expect(await run(asksForm)).toEqual({ result: { action: "cancel" } });
  });
});

describe("an end", () => {
  test("a host that cancels the turn has the form answered that it never saw, and people lose it", async () => {
    const { run, agent, sessionId, open } = await proxied({ elicitation: {}, person: waits });
    const running = run(asksForm);
    await expect.poll(open).toBe(1);
    await agent.notify("session/cancel", { sessionId });
    expect(await running).toEqual({ result: { action: "cancel" } });
    await expect.poll(open).toBe(0);
  });

  test("a host that cancels the turn as a person answers: the agent has one answer, and the next permission its own", async () => {
    const first = deferred<{ option: string }>();
    let times = 0;
    const { run, agent, sessionId, open } = await proxied({
      person: {
        approval() {
          times += 1;
          return times === 1 ? first.promise : { option: "no" };
        },
      },
    });
    const running = run(asksPermission);
    await expect.poll(open).toBe(1);
    first.resolve({ option: "yes" });
    await agent.notify("session/cancel", { sessionId });
    expect([selected("yes"), { result: { outcome: { outcome: "cancelled" } } }]).toContainEqual(
      await running,
    );
    expect(await run(asksPermission)).toEqual(selected("no"));
    await expect.poll(open).toBe(0);
  });

  test("a host that hangs up withdraws what is open, and the agent ends", async () => {
    const { run, hangUp, proxy, open, child } = await proxied({ person: waits });
    void run(asksPermission).catch(() => {});
    await expect.poll(open).toBe(1);
    hangUp();
    await proxy.ended;
    expect(open()).toBe(0);
    await expect.poll(() => child.exitCode).toBe(0);
  });

  test("an agent that dies withdraws what is open", async () => {
    const { run, proxy, open, child } = await proxied({ person: waits });
    void run(asksPermission).catch(() => {});
    await expect.poll(open).toBe(1);
    child.kill("SIGKILL");
    await proxy.ended;
    expect(open()).toBe(0);
  });

  test("an agent that dies fails what its host waits for, with its last words", async () => {
    const { agent, sessionId, child, proxy } = await proxied({
      proxy: { lastWords: async () => "the agent ended by SIGKILL: out of memory" },
    });
    const prompt = [{ type: "text" as const, text: '[["hang"]]' }];
    const prompting = agent.request("session/prompt", { sessionId, prompt });
    const failed = expect(prompting).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("ended by SIGKILL: out of memory"),
    });
    child.kill("SIGKILL");
    await failed;
    await proxy.ended;
  });

  test("an agent that leaves without a word fails what its host waits for all the same", async () => {
    const { prompt, child } = await proxied();
    const failed = expect(prompt('[["hang"]]')).rejects.toMatchObject({
      message: expect.stringContaining("the agent has ended"),
    });
    child.kill("SIGKILL");
    await failed;
  });

  test("while a call waits, the host gets signs of life", async () => {
    const { run, seen, agent, sessionId, open } = await proxied({
      person: waits,
      proxy: { signOfLifeMs: 20 },
    });
    const running = run(asksPermission);
    await expect
      .poll(() => seen.updates)
      .toContainEqual({ sessionUpdate: "tool_call_update", toolCallId: "call-1" });
    await agent.notify("session/cancel", { sessionId });
    void running.catch(() => {});
    expect(open()).toBeLessThanOrEqual(1);
  });
});
