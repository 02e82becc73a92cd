import { keepIn, type QuestionRequest, type Session } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { lastState, meetExtended, states } from "../../server/test/extended/extended-client.js";
import { detailedLog, temporaryFolder } from "../../server/test/journal-folder.js";
import { type Message, payload } from "../../server/test/raw-client.js";
import { approvedTool, callLine } from "../../server/test/scenario.js";
import {
  done,
  follows,
  kiloScenario,
  option,
  overBase,
  overExtended,
  own,
  picture,
  readByModel,
} from "./kilo-scene.js";

const second = follows({ question: "Which size?", follow_up: ["S", "M"] }, "tc-2");

describe("a newer question", () => {
  test("a newer question takes the place of the older one, whose call ends with its text (P-DIA-3, P-KIL-4)", async () => {
    const { client, model, prompt } = await overExtended([`${follows()}\n${second}`, done]);
    const newer = await client.asked("QuestionRequest", 2);
    const [settled] = client.events("InteractionSettled");
    expect(settled?.payload.outcome).toMatchObject({
      status: "withdrawn",
      reason: "superseded",
      by: "policy",
    });
    await client.answer(newer, option(2));
    await prompt;
    expect(readByModel(model.requests, 1, "tc-1")).toMatchObject({
      is_error: true,
      output: "A newer question took the place of this one, which was not answered.",
    });
    expect(readByModel(model.requests, 1, "tc-2").output).toBe("<answer>\nM\n</answer>");
  });

  test("a newer question leaves approvals unchanged (P-DIA-3)", async () => {
    const script = `${callLine("Shell", {}, "s-1")}\n${follows()}`;
    const { client, prompt } = await overExtended([script, done], { tools: [approvedTool("Shell")] });
    const approval = await client.asked("ApprovalRequest");
    const asked = await client.asked("QuestionRequest");
    await client.answer(approval, { response: "approve" });
    await client.answer(asked, option(1));
    expect((await prompt).result).toEqual({ status: "finished" });
  });
});

describe("the end of the task", () => {
  test("the end of the task ends the question without a result for the model (P-DIA-4)", async () => {
    const { client, prompt } = await overExtended();
    await client.asked("QuestionRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(client.events("ToolResult")).toEqual([]);
  });
});

const openQuestion = (session: Session) => session.pending[0] as QuestionRequest;
type Open = Awaited<ReturnType<typeof overExtended>> & { readonly asked: Message };

test.each<[string, (open: Open) => unknown, string, string | undefined]>([
  ["is answered", ({ client, asked }) => client.answer(asked, option(1)), "answered", undefined],
  [
    "is dismissed",
    ({ client, asked }) => client.answer(asked, { outcome: { status: "declined" } }),
    "declined",
    "dismissed",
  ],
  ["expires", ({ clock }) => clock.advance(60_000), "expired", "deadline"],
  [
    "makes room for a newer one",
    ({ client }) => client.seen("QuestionRequest", 2),
    "withdrawn",
    "superseded",
  ],
  ["is given up by its agent", ({ session }) => openQuestion(session).reject("no use"), "withdrawn", "agent"],
  [
    "fails at its client",
    ({ client, asked }) => client.call("release", { request_id: asked.id }),
    "unavailable",
    "protocol_error",
  ],
  ["is interrupted", ({ client }) => client.call("cancel"), "withdrawn", "interrupted"],
  ["loses its session", ({ session }) => session.close(), "withdrawn", "session_closed"],
  ["loses its server", ({ server }) => server.close(), "withdrawn", "shutdown"],
])("where a question %s, clients are told once how it ended", async (_, ends, status, reason) => {
  const settings = { deadline: { ms: 60_000, on_expiry: "cancel" as const } };
  const scripts = [reason === "superseded" ? `${follows()}\n${second}` : follows(), done];
  const open = await overExtended(scripts, { settings });
  const asked = await open.client.asked("QuestionRequest");
  await ends({ ...open, asked });
  await open.client.seen("InteractionSettled");
  const settled = open.client.events("InteractionSettled").map((event) => event.payload);
  expect(settled).toMatchObject([{ request_id: asked.id, outcome: { status, ...(reason && { reason }) } }]);
});

describe("while a question is open", () => {
  test("clients are told that the session waits for a person while a question is open, and then that it continues", async () => {
    const { client, prompt } = await overExtended();
    const asked = await client.asked("QuestionRequest");
    await client.settled();
    expect(lastState(client)).toEqual({ state: "waiting", pending: [asked.id] });
    await client.answer(asked, option(1));
    await prompt;
    expect(states(client)).toEqual([
      "TurnBegin: running",
      "QuestionRequest: waiting",
      "InteractionSettled: running",
      "TurnEnd: idle",
    ]);
  });

  test("the first answer to an open question counts; what was chosen is reported, and a later one is refused", async () => {
    const { client, prompt } = await overExtended();
    const asked = await client.asked("QuestionRequest");
    await client.answer(asked, option(2));
    const [settled] = client.events("InteractionSettled");
    expect(settled?.payload).toMatchObject({
      outcome: { status: "answered", by: "human", client: { name: "one" } },
      response: { items: [{ question_id: "q1", selected: ["q1_o2"] }] },
    });
    expect((await client.answer(asked, option(1))).error).toMatchObject({ code: -32010 });
    await prompt;
  });
});

test("an answered question stays answered after a restart: a replay says what was chosen, and no time runs", async () => {
  const id = "33333333-3333-4333-8333-333333333333";
  const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });
  const options = { keep, settings: { autoAnswer: { afterMs: 60_000 } } };
  const first = kiloScenario([follows(), done], options);
  const { client: before } = await meetExtended(first, { sessionId: id });
  const prompt = before.call("prompt", { user_input: "go" });
  const asked = await before.asked("QuestionRequest");
  await before.answer(asked, option(2));
  await prompt;
  await first.server.close();

  const second = kiloScenario([], options);
  const { client, found } = await meetExtended(second, { sessionId: id });
  await client.call("replay");
  expect([found.pending, client.received.filter(({ method }) => method === "request")]).toEqual([[], []]);
  const settled = () => client.events("InteractionSettled").map((event) => event.payload);
  expect(settled()).toMatchObject([
    {
      request_id: asked.id,
      outcome: { status: "answered", by: "human" },
      response: { items: [{ question_id: "q1", selected: ["q1_o2"] }] },
    },
  ]);
  second.clock.advance(600_000);
  await client.settled();
  expect(settled()).toHaveLength(1);
  await second.server.close();
});

describe("the first suggestion as the answer after a time", () => {
  const settings = { autoAnswer: { afterMs: 60_000 }, switchMode: () => expect.unreachable() };
  const modes = follows({ question: "Which?", follow_up: [{ text: "a", mode: "code" }, { text: "b" }] });

  test("the first suggestion is no answer unless that is set: a question waits (P-KIL-10)", async () => {
    const { client, clock, prompt } = await overExtended();
    const asked = await client.asked("QuestionRequest");
    clock.advance(2 ** 31);
    expect((await client.answer(asked, option(2))).error).toBeUndefined();
    await prompt;
  });

  test("the first suggestion is the answer when the time is over, and no mode is switched to (P-KIL-10)", async () => {
    const { client, clock, model, prompt } = await overExtended([modes, done], { settings });
    const asked = await client.asked("QuestionRequest");
    expect(payload(asked)).toMatchObject({
      deadline: { remaining_ms: 60_000, on_expiry: "default" },
      questions: [{ default: ["q1_o1"] }],
    });
    clock.advance(59_999);
    expect(client.events("InteractionSettled")).toEqual([]);
    clock.advance(1);
    await prompt;
    expect(readByModel(model.requests)).toMatchObject({
      is_error: false,
      output: "<answer>\na\n</answer>",
      extras: null,
    });
  });

  test("the time for the first suggestion waits for a person who has begun to answer, and ends with the answer (P-XDL-3)", async () => {
    const { client, clock, model, prompt } = await overExtended(undefined, {
      settings: { autoAnswer: { afterMs: 60_000 } },
    });
    const asked = await client.asked("QuestionRequest");
    await client.call("touch", { request_id: asked.id });
    clock.advance(600_000);
    await client.answer(asked, own("green"));
    await prompt;
    expect(readByModel(model.requests).output).toBe("<answer>\ngreen\n</answer>");
    clock.advance(600_000);
    expect(client.events("InteractionSettled")).toHaveLength(1);
  });

  test("the first suggestion does not count where nobody was shown it: the question expires (P-XDL-2)", async () => {
    const shows = { shows: { deadline: false } };
    const { client, clock, model, prompt } = await overExtended([modes, done], { settings }, shows);
    await client.asked("QuestionRequest");
    clock.advance(60_000);
    await prompt;
    expect(readByModel(model.requests)).toMatchObject({
      is_error: false,
      output: "The question expired before the user answered it.",
    });
  });

  test("a question without a suggestion waits, whatever time is set (P-KIL-10)", async () => {
    const script = follows({ question: "Which?", follow_up: [] });
    const { client, clock, model, prompt } = await overExtended([script, done], { settings });
    const asked = await client.asked("QuestionRequest");
    expect(payload(asked)).not.toHaveProperty("deadline");
    clock.advance(600_000);
    await client.answer(asked, own("green"));
    await prompt;
    expect(readByModel(model.requests).output).toBe("<answer>\ngreen\n</answer>");
  });
});

describe("the person's words in the running turn", () => {
  const messagesAnswer = { settings: { messagesAnswer: true } };

  test("the person's words in the running turn wait for the agent unless it is set otherwise, and the question stays open (P-STR-1)", async () => {
    const { client, model, prompt } = await overBase();
    const asked = await client.seen("QuestionRequest");
    expect((await client.call("steer", { user_input: "green" })).result).toEqual({ status: "steered" });
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    await prompt;
    expect(readByModel(model.requests).output).toBe("<answer>\nRed\n</answer>");
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "green" });
  });

  test.each<[string, unknown, unknown]>([
    ["a text", "green, please", "<answer>\ngreen, please\n</answer>"],
    [
      "several texts",
      [
        { type: "text", text: "green" },
        { type: "text", text: "or so" },
      ],
      "<answer>\ngreen\nor so\n</answer>",
    ],
    [
      "text with pictures",
      [picture("AAAA"), { type: "text", text: "like this" }],
      [{ type: "text", text: "<answer>\nlike this\n</answer>" }, picture("AAAA")],
    ],
  ])(
    "the person's words in the running turn answer the question where that is set: %s, of a base client (P-DIA-7)",
    async (_, user_input, output) => {
      const { client, model, prompt } = await overBase(undefined, messagesAnswer);
      await client.seen("QuestionRequest");
      expect((await client.call("steer", { user_input })).result).toEqual({ status: "steered" });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(readByModel(model.requests)).toMatchObject({ is_error: false, output });
      // It is said once.
      expect(model.requests[1]?.messages.at(-1)?.role).toBe("tool");
      expect(client.story()).not.toContain("SteerInput");
    },
  );

  test("the person's words in the running turn count as an answer of who said them, and every client is told (P-DIA-7)", async () => {
    const { client, prompt } = await overExtended(undefined, messagesAnswer);
    const asked = await client.asked("QuestionRequest");
    await client.call("steer", { user_input: "green" });
    await prompt;
    expect(client.events("InteractionSettled").map((event) => event.payload)).toMatchObject([
      {
        request_id: asked.id,
        outcome: { status: "answered", by: "human", client: { name: "one" } },
        response: { items: [{ question_id: "q1", selected: [], own_text: "green" }] },
      },
    ]);
  });

  test("words of this process in the running turn answer the question too, with no client (P-DIA-7)", async () => {
    const { client, session, prompt } = await overExtended(undefined, messagesAnswer);
    await client.asked("QuestionRequest");
    session.steer("green");
    await prompt;
    const [settled] = client.events("InteractionSettled");
    expect(settled?.payload.outcome).not.toHaveProperty("client");
  });

  test.each<[string, unknown]>([
    ["nothing but spaces", " \n"],
    ["a picture without a word", [picture()]],
    [
      "a sound",
      [
        { type: "text", text: "hear" },
        { type: "audio_url", audio_url: { url: "data:audio/wav;base64,AAAA" } },
      ],
    ],
    [
      "a picture by its address",
      [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: "https://x.test/a.png" } },
      ],
    ],
  ])(
    "words in the running turn that are no answer wait for the agent: %s (P-DIA-7)",
    async (_, user_input) => {
      const { client, model, prompt } = await overExtended(undefined, messagesAnswer);
      const asked = await client.asked("QuestionRequest");
      await client.call("steer", { user_input });
      await client.answer(asked, option(1));
      await prompt;
      expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user" });
    },
  );

  test("words in the running turn are the agent's again once the question is answered, and after the turn nobody's (P-STR-1)", async () => {
    const { client, model, prompt } = await overBase(
      [`${callLine("Shell", {}, "s-1")}\n${follows()}`, done],
      {
        ...messagesAnswer,
        tools: [approvedTool("Shell")],
      },
    );
    await client.seen("QuestionRequest");
    await client.call("steer", { user_input: "green" });
    await client.call("steer", { user_input: "and quick" });
    const approval = await client.seen("ApprovalRequest");
    client.reply(approval, { request_id: approval.id, response: "approve", feedback: "" });
    await prompt;
    expect(readByModel(model.requests).output).toBe("<answer>\ngreen\n</answer>");
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "and quick" });
    expect((await client.call("steer", { user_input: "late" })).error).toMatchObject({ code: -32000 });
  });

  test("words in the running turn answer no question that no dialect asks (P-DIA-7)", async () => {
    const wrong = [1, 2, 3].map((n) => follows({}, `w-${n}`));
    const { client, model, prompt } = await overBase([...wrong, done], messagesAnswer);
    const asked = await client.seen("QuestionRequest");
    await client.call("steer", { user_input: "green" });
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
    expect(model.requests[3]?.messages.at(-1)).toEqual({ role: "user", content: "green" });
  });
});

test("a client that shows no questions, and nobody at all, are reported to the model alike (P-KIL-4)", async () => {
  const yolo =
    "<error>This tool is not available in yolo mode. Do not ask questions - make your best judgment and proceed with the task.</error>";
  const { meet, model } = kiloScenario([follows(), done, follows(), done]);
  const { client, session } = await meet({}, { supports_question: false });
  await client.call("prompt", { user_input: "go" });
  session.attendance = "decline";
  await client.call("prompt", { user_input: "go" });
  for (const n of [1, 3])
    expect(readByModel(model.requests, n)).toMatchObject({ is_error: true, output: yolo });
});
