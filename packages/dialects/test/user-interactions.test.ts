import { QuestionRequest, wireSend } from "@askwire/server";
import { userInteractions } from "@askwire/server/user-interactions";
import { describe, expect, test } from "vitest";
import { drivenClock } from "../../server/test/driven-clock.js";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { payload } from "../../server/test/raw-client.js";
import { until } from "../../server/test/until.js";
import { approval, asked, cancelled, chose, joined, selected, submitted } from "./joined-session.js";
import { extras, klaudeAsks, klaudeScenario, resultsRead, say, storage } from "./klaude-scenario.js";

describe("a question of a turn", () => {
  test("a question of a turn comes out of the channel in klaude-code's shape, and its answer continues the turn (P-KLA-7)", async () => {
    const { session, next, respond, model } = joined([klaudeAsks([storage, extras], "tc-7"), say]);
    const turn = session.prompt("go");
    const request = await next();
    expect(request).toEqual({
      session_id: session.id,
      request_id: session.pending[0]?.id,
      source: "tool",
      tool_call_id: "tc-7",
      payload: {
        kind: "ask_user_question",
        questions: [
          {
            id: "q1",
            header: "Storage",
            question: "Which storage?",
            options: [
              { id: "q1_o1", label: "SQLite", description: "one file", markdown: "| file |\n| --- |" },
              { id: "q1_o2", label: "PostgreSQL", description: "" },
            ],
            multi_select: false,
            input_placeholder: null,
          },
          {
            id: "q2",
            header: "Extras",
            question: "Which extras?",
            options: [
              { id: "q2_o1", label: "Bell", description: "rings" },
              { id: "q2_o2", label: "Light, bright", description: "shines" },
              { id: "q2_o3", label: "Lock", description: "" },
            ],
            multi_select: true,
            input_placeholder: null,
          },
        ],
      },
    });
    respond(
      request,
      submitted(
        { question_id: "q1", selected_option_ids: ["q1_o1"], annotation: { markdown: "| file |" } },
        { question_id: "q2", selected_option_ids: ["q2_o2", "__other__"], other_text: "Rack", note: "soon" },
      ),
    );
    expect(await turn).toEqual({ status: "finished" });
    expect(resultsRead(model)[0]?.output).toBe(
      [
        "Question: Which storage?\nAnswer: SQLite: one file\nSelected markdown:\n| file |\n| --- |",
        "Question: Which extras?\nAnswer:\n- Light, bright: shines\n- Other: Rack\nNote: soon",
      ].join("\n---\n"),
    );
  });

  test("the model may ask although no client is connected, until the channel closes (P-KLA-7)", async () => {
    const { session, channel, model } = joined([say, say]);
    await session.prompt("one");
    channel.close();
    await session.prompt("two");
    const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered).toEqual([["AskUserQuestion"], []]);
  });

  test.each<[string, object, string]>([
    [
      "with the option for it",
      { selected_option_ids: ["__other__"], other_text: "use a file" },
      "Other: use a file",
    ],
    ["without that option", { selected_option_ids: [], other_text: "use a file" }, "Other: use a file"],
    ["and as its own note", { selected_option_ids: ["__other__"], other_text: "a", note: "a" }, "Other: a"],
    [
      "with an annotation of what was not chosen",
      { selected_option_ids: ["__other__"], other_text: "a", annotation: { markdown: "| file |" } },
      "Other: a",
    ],
  ])("own text in a response counts %s (P-KLA-9)", async (_, answer, told) => {
    const { session, next, respond, model } = joined();
    const turn = session.prompt("go");
    respond(await next(), submitted({ question_id: "q1", ...answer }));
    await turn;
    expect(resultsRead(model)[0]?.output).toBe(`Question: Which storage?\nAnswer: ${told}`);
  });

  test("a question that no row answers is skipped (P-KLA-9)", async () => {
    const { session, next, respond, model } = joined([klaudeAsks([storage, extras]), say]);
    const turn = session.prompt("go");
    respond(await next(), chose("q2_o1", "q2"));
    await turn;
    expect(resultsRead(model)[0]?.output).toMatch(/Answer: \(No answer provided\)\n---\n/);
  });

  test("a question that is cancelled is declined: the declined text, and the turn ends (P-KLA-9)", async () => {
    const { session, next, respond, model, meet } = joined();
    const { client } = await meet({ session });
    const turn = session.prompt("go");
    respond(await next(), cancelled);
    expect(await turn).toEqual({ status: "finished" });
    expect(model.requests).toHaveLength(1);
    expect(payload(await client.seen("ToolResult")).return_value).toMatchObject({
      is_error: false,
      output: "Question: Which storage?\nAnswer: (User declined to answer questions)",
    });
  });

  test("a question is no longer pending once it is answered, before its tool continues", async () => {
    const { session, next, respond, channel, model } = joined();
    const turn = session.prompt("go");
    const request = await next();
    expect(channel.pending).toBe(1);
    respond(request, chose("q1_o2"));
    expect([channel.pending, session.pending.length, model.requests.length]).toEqual([0, 0, 1]);
    await turn;
    expect(model.requests).toHaveLength(2);
  });

  test("a question is answered by its answer alone: what is said meanwhile waits for the agent, and another prompt is refused", async () => {
    const { session, next, respond, channel, model, meet } = joined();
    const { client } = await meet({ session });
    const turn = session.prompt("go");
    const request = await next();
    expect((await client.call("steer", { user_input: "use SQLite" })).result).toEqual({ status: "steered" });
    expect((await client.call("prompt", { user_input: "use SQLite" })).error).toMatchObject({ code: -32000 });
    expect([channel.pending, model.requests.length]).toEqual([1, 1]);
    respond(request, chose("q1_o2"));
    expect(await turn).toEqual({ status: "finished" });
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: "tool", result: { output: "Question: Which storage?\nAnswer: PostgreSQL:" } },
      { role: "user", content: "use SQLite" },
    ]);
  });

  test("a question may be answered from inside the handler that is told of it (P-KLA-7)", async () => {
    const { session, channel, model } = joined(undefined, {}, (request) => {
      const { request_id, session_id } = request as { request_id: string; session_id: string };
      channel.respond(request_id, session_id, chose("q1_o2"));
    });
    expect(await session.prompt("go")).toEqual({ status: "finished" });
    expect(resultsRead(model)[0]?.output).toBe("Question: Which storage?\nAnswer: PostgreSQL:");
    expect(channel.pending).toBe(0);
  });

  test("a question that was open before the channel is given to its handler, too (P-KLA-7)", async () => {
    const set = klaudeScenario(undefined, { attendance: "hold" });
    const session = set.server.createSession();
    const turn = session.prompt("go");
    await until(() => session.pending.length === 1);
    const channel = userInteractions(session, {
      onRequest: ({ request_id, session_id }) => channel.respond(request_id, session_id, chose("q1_o2")),
    });
    expect(channel.pending).toBe(1);
    expect(await turn).toEqual({ status: "finished" });
    expect(resultsRead(set.model)[0]?.output).toBe("Question: Which storage?\nAnswer: PostgreSQL:");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no screen");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no screen"))],
  ])("a question does not hang where its handler %s", async (_, handler) => {
    const { session, channel, model } = joined(undefined, {}, handler);
    expect(await session.prompt("go")).toEqual({ status: "finished" });
    expect(resultsRead(model)).toMatchObject([
      { is_error: true, output: "Invalid AskUserQuestion response payload" },
    ]);
    expect(channel.pending).toBe(0);
  });

  test("a question that a client of the session answers is gone from the channel, which says so (P-KLA-10)", async () => {
    const { session, next, respond, channel, meet } = joined();
    const { client } = await meet({ session });
    const turn = session.prompt("go");
    const request = await next();
    const seen = await client.seen("QuestionRequest");
    const ended = channel.outcome(request.request_id);
    client.reply(seen, { request_id: seen.id, answers: { "Which storage?": "SQLite" } });
    await turn;
    expect(channel.pending).toBe(0);
    expect(await ended).toMatchObject({ status: "answered", client: { name: "raw" } });
    expect(await channel.outcome(request.request_id)).toBe(await ended);
    await expect(channel.outcome("x")).rejects.toMatchObject({ code: -32011 });
    expect(() => respond(request, chose("q1_o1"))).toThrow("already resolved");
  });

  test("a question that the channel answers is settled for the clients, who are told by whom (P-KLA-9)", async () => {
    const set = joined();
    const { client } = await meetExtended(set, { session: set.session });
    const turn = set.session.prompt("go");
    await client.asked("QuestionRequest");
    set.respond(await set.next(), chose("q1_o1"));
    await turn;
    expect(client.events("InteractionSettled")[0]?.payload).toMatchObject({
      outcome: { status: "answered", by: "human", client: { name: "klaude" } },
      response: { items: [{ question_id: "q1", selected: ["q1_o1"] }] },
    });
  });
});

describe("a program loops over the requests", () => {
  test("a program loops over the requests while the turn runs, and the loop ends with the session (P-KLA-10)", async () => {
    const { session, channel, respond, model } = joined([klaudeAsks(), klaudeAsks([extras], "tc-2"), say]);
    const headers: string[] = [];
    const loop = (async () => {
      for (;;) {
        const request = await channel.nextRequest();
        if (request?.payload.kind !== "ask_user_question") return request;
        headers.push(...request.payload.questions.map(({ header }) => header));
        respond(request, chose("q1_o1"));
      }
    })();
    expect(await session.prompt("go")).toEqual({ status: "finished" });
    expect(resultsRead(model, 3)).toHaveLength(2);
    await session.close();
    expect(await loop).toBeUndefined();
    expect(headers).toEqual(["Storage", "Extras"]);
    await expect(channel.request(asked)).rejects.toMatchObject({ code: "CLOSED" });
    expect(() => userInteractions(session)).toThrow("the session is closed");
  });

  test("a program's loop gets the requests in their order, each once, without those that were settled meanwhile (P-KLA-7)", async () => {
    const { channel, next, respond } = joined();
    const question = (request_id: string) => channel.request({ request_id, ...approval(request_id) });
    const all = ["a", "b", "c"].map(question);
    respond({ request_id: "a" }, selected("reject"));
    const [first, second] = [await next(), await next()];
    expect([first.request_id, second.request_id]).toEqual(["b", "c"]);
    const waiting = channel.nextRequest();
    for (const request of [first, second]) respond(request, cancelled);
    expect(await Promise.all(all)).toMatchObject([{ status: "submitted" }, cancelled, cancelled]);
    channel.close();
    expect(await waiting).toBeUndefined();
  });

  test("a program's loop stops waiting by a signal; a limited number may wait (P-KLA-10)", async () => {
    const { channel } = joined();
    const stop = new AbortController();
    const waiting = channel.nextRequest(stop.signal);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(channel.nextRequest(stop.signal)).rejects.toThrow("enough");
    const many = Array.from({ length: 64 }, () => channel.nextRequest());
    await expect(channel.nextRequest()).rejects.toMatchObject({
      code: -32020,
      data: { limit: "nextRequest" },
    });
    channel.close();
    expect(new Set(await Promise.all(many))).toEqual(new Set([undefined]));
  });

  test("a program's loop finds what was open before it came, first and once; a client that comes back does too (P-KLA-7)", async () => {
    const set = klaudeScenario(undefined, { attendance: "hold" });
    const session = set.server.createSession();
    const turn = session.prompt("go");
    await until(() => session.pending.length === 1);
    const channel = userInteractions(session);
    const { client } = await meetExtended(set, { session });
    const request = await channel.nextRequest();
    expect((await client.asked("QuestionRequest")).id).toBe(request?.request_id);
    expect(client.received.slice(0, 2).map(({ method }) => method)).toEqual([undefined, "event"]);
    expect(channel.pending).toBe(1);
    channel.respond(String(request?.request_id), session.id, chose("q1_o2"));
    await turn;
    expect(client.requests()).toHaveLength(1);
    channel.close();
  });
});

test("a channel that closes leaves its questions to other clients, and ends what nobody else has (P-KLA-10)", async () => {
  const { session, channel, model, next } = joined();
  const turn = session.prompt("go");
  await next();
  const asking = channel.request(approval("Run"));
  const lost = expect(asking).rejects.toMatchObject({ outcome: { reason: "client_lost" } });
  channel.close();
  await lost;
  expect(await turn).toEqual({ status: "finished" });
  expect(resultsRead(model)).toMatchObject([{ output: "Missing AskUserQuestion response payload" }]);
});

test("a session that a program listens to stays in memory, and leaves it when nobody is left (P-KLA-7, P-SES-3)", async () => {
  const clock = drivenClock();
  const set = klaudeScenario([], { clock, sessionIdleMs: 1_000 });
  const session = set.server.createSession();
  const channel = userInteractions(session);
  const { client, closed } = await set.meet({ session });
  client.close();
  await closed;
  clock.advance(60_000);
  expect(set.server.sessions.size).toBe(1);
  channel.close();
  clock.advance(60_000);
  await until(() => set.server.sessions.size === 0);
});

test("words that are too long for the clients of the session are refused, and the question stays (P-KLA-9, P-LIM-4)", async () => {
  const { session, channel, next, respond, model } = joined(undefined, { limits: { outboundLength: 8_192 } });
  const turn = session.prompt("go");
  const request = await next();
  const says = (text: string) => submitted({ question_id: "q1", selected_option_ids: [], other_text: text });
  expect(() => respond(request, says("x".repeat(10_000)))).toThrow("expected at most");
  expect(channel.pending).toBe(1);
  respond(request, says("short"));
  await turn;
  expect(resultsRead(model)[0]?.output).toContain("Other: short");
});

test("a question with a field comes out as text, and a response that does not fit it is refused (P-XFL-8, P-KLA-9)", async () => {
  const field = { type: "integer", bounds: { min: 1, max: 9 } } as const;
  const request = new QuestionRequest({ tool_call_id: "tc", questions: [{ question: "How many?", field }] });
  const run = async () => {
    wireSend(request);
    await request.wait();
  };
  const { session, next, respond } = joined([], { run });
  const turn = session.prompt("go");
  const shown = await next();
  const asText = { options: [], body: "Expected: a whole number from 1 to 9." };
  expect(shown.payload).toMatchObject({ questions: [asText] });
  expect(shown).not.toHaveProperty("payload.questions[0].field");
  const say = (other_text: string) =>
    respond(shown, submitted({ question_id: "q1", selected_option_ids: [], other_text }));
  expect(() => say("12")).toThrow("expected a whole number from 1 to 9");
  say(" 07 ");
  await turn;
  expect(await request.wait()).toEqual({ "How many?": "7" });
  expect(request.outcome?.degraded).toEqual([{ question_id: "q1", feature: "field" }]);
});
