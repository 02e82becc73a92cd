import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { endings } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { colour, gatewayOf, newHome, personAt, type Sdk, sdks, startHost, untilThere } from "./hosts.js";

const ASK = "ask_user_question";
const STATUS = "ask_user_status";

describe.each(sdks)("askwire mcp under the official client %s", (sdk: Sdk) => {
  test("askwire mcp lists three read-only tools, which Claude Code loads at once, and a person's answer is the structured result", async () => {
    const home = await newHome();
    const host = await startHost(home, { sdk });
    const listed = await host.list();
    expect(listed.map(({ name }) => name)).toEqual([ASK, "ask_user_approval", STATUS]);
    for (const { _meta } of listed)
      expect(_meta).toEqual({ "anthropic/alwaysLoad": true, "anthropic/searchHint": expect.any(String) });
    expect(listed[0]?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
    const messages: (string | undefined)[] = [];
    const called = host.call(
      ASK,
      { questions: [colour] },
      { onprogress: ({ message }) => messages.push(message) },
    );
    const person = await personAt(home);
    const asked = await person.asked();
    expect(asked).toMatchObject({ text: "Which colour?", asker: expect.stringContaining("test-host in ") });
    asked.answer("Blue");
    const told = await called;
    expect(told.structuredContent).toMatchObject({
      outcome: { status: "answered", by: "human" },
      answers: { "Which colour?": "Blue" },
      items: [{ question_id: "q1", selected: ["q1_o2"] }],
    });
    expect(told.content[0]?.text).toContain("askwire open");
    expect(messages[0]).toContain("Waiting for a person");
    expect(JSON.stringify(told)).not.toContain(gatewayOf(home)?.token);
  });
});

test("typed fields and multiple choices reach a person with their bounds, and the structured result has each value", async () => {
  const home = await newHome();
  const host = await startHost(home);
  const field = (question: string, type: string, more: object = {}) => ({
    question,
    field: { type, ...more },
  });
  const called = host.call(ASK, {
    questions: [
      field("How many?", "integer", { bounds: { min: 1, max: 9 } }),
      field("Which day?", "date"),
      field("Sure?", "boolean"),
      field("Which tag?", "text", { pattern: "^v", prefill: "v1" }),
      { ...colour, multi_select: true, min: 2 },
    ],
  });
  const person = await personAt(home);
  const words = (id: string, own_text: string) => ({ question_id: id, selected: [], own_text });
  const items = [
    words("q1", "7"),
    words("q2", "2026-03-01"),
    words("q3", "false"),
    words("q4", "v2"),
    { question_id: "q5", selected: ["q5_o1", "q5_o2"] },
  ];
  const asked = await person.asked();
  expect(asked.questions).toMatchObject([
    { field: { type: "integer", bounds: { min: 1, max: 9 } } },
    { field: { type: "date" } },
    { field: { type: "boolean" } },
    { field: { type: "text", pattern: "^v", prefill: "v1" } },
    { multi_select: true, min: 2 },
  ]);
  asked.reply({ items });
  expect((await called).structuredContent).toMatchObject({
    outcome: { status: "answered" },
    answers: {
      "How many?": "7",
      "Which day?": "2026-03-01",
      "Sure?": "false",
      "Which tag?": "v2",
      "Which colour?": ["Red", "Blue"],
    },
    items,
  });
});

describe("a host whose clock runs out before the person answers", () => {
  const args = ["--timeout", "1"];

  test("a call that runs out of time returns a handle, which outlives a killed server and delivers the answer", async () => {
    const home = await newHome();
    const first = await startHost(home, { args });
    const { structuredContent, content } = await first.call(ASK, { questions: [colour] });
    expect(structuredContent).toMatchObject({ outcome: null, answers: {}, items: [] });
    expect(content[0]?.text).toContain("not answered yet");
    const handle = structuredContent?.handle as string;
    process.kill(first.pid, "SIGKILL");
    const second = await startHost(home, { args: ["--timeout", "60"] });
    expect((await second.call(STATUS, {})).structuredContent).toMatchObject({
      open: [{ handle, questions: ["Which colour?"] }],
    });
    const called = second.call(ASK, { handle });
    const person = await personAt(home);
    (await person.asked()).answer("Red");
    expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Red" }, handle });
    expect((await second.call(STATUS, { handle })).structuredContent).toMatchObject({
      outcome: { status: "answered" },
      answers: { "Which colour?": "Red" },
    });
    expect((await second.call(STATUS, {})).structuredContent).toMatchObject({ open: [] });
  });

  test("a handle alone carries the questions when the gateway is killed too, and a decision is not asked for again", async () => {
    const home = await newHome();
    const first = await startHost(home, { args });
    const { structuredContent } = await first.call(ASK, { questions: [colour] });
    const handle = structuredContent?.handle as string;
    process.kill(first.pid, "SIGKILL");
    process.kill(gatewayOf(home)?.pid as number, "SIGKILL");
    const second = await startHost(home, { args: ["--timeout", "60"] });
    expect((await second.call(STATUS, {})).structuredContent).toMatchObject({
      open: [{ handle, questions: ["Which colour?"] }],
    });
    const called = second.call(ASK, { handle });
    const person = await personAt(home);
    const asked = await person.asked();
    expect(asked?.asker).toContain("test-host in ");
    asked?.answer("Red");
    expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Red" }, handle });
    await person.close();
    const killed = gatewayOf(home)?.pid as number;
    process.kill(killed, "SIGKILL");
    const third = await startHost(home, { args });
    expect((await third.call(STATUS, { handle })).structuredContent).toMatchObject({
      answers: { "Which colour?": "Red" },
    });
    expect((await third.call(STATUS, {})).structuredContent?.open).toEqual([]);
    // The next gateway may still be starting, and would outlive the test.
    await expect.poll(() => gatewayOf(home)?.pid ?? killed, { timeout: 60_000 }).not.toBe(killed);
  });

  test("an answer that comes while no call waits goes to the next call with the same questions", async () => {
    const home = await newHome();
    const host = await startHost(home, { args });
    const { structuredContent } = await host.call(ASK, { questions: [colour] });
    const person = await personAt(home);
    (await person.asked()).answer("Red");
    const open = async () => (await host.call(STATUS, {})).structuredContent?.open;
    await expect.poll(open, { timeout: 60_000 }).toEqual([]);
    expect((await host.call(ASK, { questions: [colour] })).structuredContent).toMatchObject({
      answers: { "Which colour?": "Red" },
      handle: structuredContent?.handle,
    });
    const later = await host.call(ASK, { questions: [colour] });
    expect(later.structuredContent).toMatchObject({ outcome: null });
    expect(person.count()).toBe(2);
  });

  test("an answer given while no server ran goes to the same words in the next server, once", async () => {
    const home = await newHome();
    const first = await startHost(home, { args });
    const { structuredContent } = await first.call(ASK, { questions: [colour] });
    const handle = structuredContent?.handle;
    process.kill(first.pid, "SIGKILL");
    const person = await personAt(home);
    const asked = await person.asked();
    const second = await startHost(home, { args });
    expect((await second.call(ASK, { questions: [colour] })).structuredContent).toMatchObject({
      ...{ outcome: null, handle },
    });
    process.kill(second.pid, "SIGKILL");
    asked.answer("Red");
    const third = await startHost(home, { args });
    const notFetched = async () => (await third.call(STATUS, {})).structuredContent?.not_fetched;
    await expect
      .poll(notFetched, { timeout: 60_000 })
      .toEqual([{ handle, questions: ["Which colour?"], at: expect.any(String) }]);
    const { structuredContent: fetched } = await third.call(ASK, { questions: [colour] });
    expect(fetched).toMatchObject({ answers: { "Which colour?": "Red" }, earlier: expect.any(String) });
    expect((await third.call(ASK, { questions: [colour] })).structuredContent).toMatchObject({
      outcome: null,
    });
    expect(person.count()).toBe(2);
  });

  test("an agent in another folder of the same name neither sees the questions nor can use their handle", async () => {
    const home = await newHome();
    const [mine, other] = ["a", "b"].map((parent) => join(home, parent, "app")) as [string, string];
    await Promise.all([mine, other].map((folder) => mkdir(folder, { recursive: true })));
    const host = await startHost(home, { args, folder: mine });
    const { structuredContent } = await host.call(ASK, { questions: [colour] });
    const next = await startHost(home, { args, folder: other });
    expect((await next.call(STATUS, {})).structuredContent?.open).toEqual([]);
    expect(await next.call(STATUS, { handle: structuredContent?.handle })).toMatchObject({ isError: true });
  });

  test("the handle of another agent is refused", async () => {
    const home = await newHome();
    const host = await startHost(home, { args });
    const { structuredContent } = await host.call(ASK, { questions: [colour] });
    const other = await startHost(home, { name: "another-host" });
    for (const name of [ASK, STATUS]) {
      const told = await other.call(name, { handle: structuredContent?.handle });
      expect(told.isError).toBe(true);
      expect(told.content[0]?.text).toContain("handle: expected one that a call of this tool has returned");
    }
  });

  test("the same questions asked again wait under the same handle, and people are asked once", async () => {
    const home = await newHome();
    const host = await startHost(home, { args });
    const [one, two] = [
      await host.call(ASK, { questions: [colour] }),
      await host.call(ASK, { questions: [colour] }),
    ];
    expect(two.structuredContent?.handle).toBe(one.structuredContent?.handle);
    const person = await personAt(home);
    await person.asked();
    expect(person.count()).toBe(1);
  });
});

describe("several calls, and calls that end early", () => {
  test("two calls at once are two questions, each with its own answer", async () => {
    const home = await newHome();
    const host = await startHost(home);
    const size = { question: "Which size?", options: [{ label: "S" }, { label: "L" }] };
    const called = [host.call(ASK, { questions: [colour] }), host.call(ASK, { questions: [size] })];
    const person = await personAt(home);
    await person.asked(2);
    for (const number of [1, 2]) {
      const { text, answer } = await person.asked(number);
      answer(text === colour.question ? "Red" : "L");
    }
    const results = await Promise.all(called);
    expect(results.map(({ structuredContent }) => structuredContent?.answers)).toEqual([
      { "Which colour?": "Red" },
      { "Which size?": "L" },
    ]);
  });

  test("the same questions in two simultaneous calls are asked once, and both calls get the answer", async () => {
    const home = await newHome();
    const host = await startHost(home);
    const called = [host.call(ASK, { questions: [colour] }), host.call(ASK, { questions: [colour] })];
    const person = await personAt(home);
    const asked = await person.asked();
    await untilThere(() => person.calls().includes(2) || undefined);
    asked.answer("Red");
    for (const { structuredContent } of await Promise.all(called))
      expect(structuredContent).toMatchObject({ answers: { "Which colour?": "Red" } });
    expect(person.count()).toBe(1);
  });

  test("--on-cancel withdraw leaves a question open that another call waits for", async () => {
    const home = await newHome();
    const host = await startHost(home, { args: ["--on-cancel", "withdraw"] });
    const cancelled = new AbortController();
    const first = host.call(ASK, { questions: [colour] }, { signal: cancelled.signal });
    const second = host.call(ASK, { questions: [colour] });
    const person = await personAt(home);
    const asked = await person.asked();
    const refused = expect(first).rejects.toThrow();
    cancelled.abort();
    await refused;
    // The server reads the cancellation before the next call.
    await host.call(STATUS, {});
    asked.answer("Blue");
    expect((await second).structuredContent).toMatchObject({ answers: { "Which colour?": "Blue" } });
  });

  test.each([
    ["keep", 1],
    ["withdraw", 0],
  ] as const)("with --on-cancel %s a cancelled call leaves %i questions open", async (onCancel, open) => {
    const home = await newHome();
    const host = await startHost(home, { args: ["--on-cancel", onCancel] });
    const cancelled = new AbortController();
    const called = host.call(ASK, { questions: [colour] }, { signal: cancelled.signal });
    const person = await personAt(home);
    await person.asked();
    const refused = expect(called).rejects.toThrow();
    cancelled.abort();
    await refused;
    const { structuredContent } = await host.call(STATUS, {});
    expect(structuredContent?.open).toHaveLength(open);
    if (onCancel === "keep") expect(endings.call_cancelled.question.asked).toBe("open");
  });

  test("with --on-cancel withdraw a host that closes in the middle of a call leaves no question open", async () => {
    const home = await newHome();
    const host = await startHost(home, { args: ["--on-cancel", "withdraw"] });
    const refused = expect(host.call(ASK, { questions: [colour] })).rejects.toThrow();
    const person = await personAt(home);
    const asked = await person.asked();
    await host.close();
    await refused;
    await untilThere(() => asked?.signal.aborted || undefined);
    const next = await startHost(home);
    expect((await next.call(STATUS, {})).structuredContent?.open).toEqual([]);
  });

  test("two hosts started at once share one gateway, and a host that closes leaves its question open", async () => {
    const home = await newHome();
    const hosts = await Promise.all([
      startHost(home, { args: ["--timeout", "1"] }),
      startHost(home, { args: ["--timeout", "1"], sdk: "1.x" }),
    ]);
    const questions = ["Which colour?", "Which other colour?"].map((question) => ({ ...colour, question }));
    const results = await Promise.all(
      hosts.map((host, index) => host.call(ASK, { questions: [questions[index]] })),
    );
    const handles = results.map(({ structuredContent }) => structuredContent?.handle);
    await hosts[0]?.close();
    const person = await personAt(home);
    await person.asked(2);
    const { structuredContent } = (await hosts[1]?.call(STATUS, { handle: handles[0] })) ?? {};
    expect(structuredContent).toMatchObject({ outcome: null });
  });

  test("a killed gateway is replaced, and the waiting call is answered at the new one", async () => {
    const home = await newHome();
    const host = await startHost(home);
    const called = host.call(ASK, { questions: [colour] });
    const first = await personAt(home);
    await first.asked();
    await first.close();
    const killed = gatewayOf(home)?.pid as number;
    process.kill(killed, "SIGKILL");
    await untilThere(() => (gatewayOf(home)?.pid === killed ? undefined : true));
    const second = await personAt(home);
    (await second.asked()).answer("Blue");
    expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Blue" } });
  });
});

test("arguments in slightly wrong forms ask what they plainly mean (P-DIA-10)", async () => {
  const home = await newHome();
  const host = await startHost(home);
  const questions = JSON.stringify([
    { question: "Which?", options: ["Red", "Blue"], multiSelect: "true", header: null, field: null },
  ]);
  const called = host.call(ASK, { questions, handle: null });
  const asked = await (await personAt(home)).asked();
  asked.answer("Red");
  expect((await called).structuredContent).toMatchObject({ answers: { "Which?": expect.anything() } });
});

describe("a call that does not fit", () => {
  test.each([
    [ASK, {}, "questions: expected an array"],
    [ASK, { questions: [{ question: "" }] }, "questions[0].question: expected a text that is not blank"],
    [ASK, { questions: [{ question: "Q?", choices: [] }] }, 'no such key as "choices"'],
    [ASK, { text: "Q?" }, '"text": no such argument; expected questions or deadline_seconds or handle'],
    [ASK, { question: "Q?", deadline_seconds: 0 }, "deadline_seconds: expected a number of seconds from 1"],
    ["ask_user_approval", { action: "deploy" }, "description: expected string"],
    ["ask_user_approval", { action: "deploy", handle: "x" }, "handle: expected it alone"],
    [ASK, { handle: "deploy-42" }, "handle: expected one that a call of this tool has returned"],
    [
      STATUS,
      { handle: "mcp-AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA" },
      "handle: expected one that a call",
    ],
  ])("a call of %s with %j is refused with the field and what was expected", async (name, given, words) => {
    const host = await startHost(await newHome());
    const told = await host.call(name, given);
    expect(told.isError).toBe(true);
    expect(told.content[0]?.text).toContain(words);
  });
});
