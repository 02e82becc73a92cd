import { describe, expect, test } from "vitest";
import { type ExtendedLine, extendedServer } from "./extended-server.js";
import { person } from "./person.js";
import { question } from "./raw-server.js";

const replayed = (line: ExtendedLine, type: string, payload: object = {}) =>
  line.send({ method: "event", params: { type, payload, replayed: true } });

/** A client that wants the conversation so far, and all that it was told, in order. */
function listener() {
  const told: string[] = [];
  const { shown, handlers } = person();
  return {
    told,
    shown,
    options: {
      handlers: {
        ...handlers,
        event: ({ type }: { type: string }) => void told.push(`live ${type}`),
        history: {
          event: ({ type }: { type: string }) => void told.push(`past ${type}`),
          request: ({ type }: { type: string }) => void told.push(`past ${type}`),
          end: (whole: boolean) => void told.push(`end ${whole}`),
        },
      },
      onConnection: (change: { state: string; reset?: boolean }) =>
        void told.push(`${change.state}${change.reset === true ? ", reset" : ""}`),
    },
  };
}

describe("a client that joins a conversation (P-XHI-4)", () => {
  test("a client that joins is handed what was before apart from what happens, and asked only what is open", async () => {
    const { told, shown, options } = listener();
    const { session, line, initialize } = await extendedServer(options, {
      history: true,
      seq: 7,
      plan_mode: true,
    });
    expect(initialize.params.capabilities.askwire).toMatchObject({ history: true });
    replayed(line, "TurnBegin", { user_input: "hi" });
    replayed(line, "QuestionRequest", question);
    replayed(line, "StatusUpdate", { plan_mode: false, context_tokens: 9 });
    replayed(line, "HistoryEnd", { whole: true });
    line.askAgain("QuestionRequest", question);
    line.event("TurnEnd");
    expect(await line.next()).toMatchObject({ method: "received", params: { request_id: question.id } });
    await line.settled();
    expect(told).toEqual([
      "connected",
      "past TurnBegin",
      "past QuestionRequest",
      "past StatusUpdate",
      "end true",
      "live TurnEnd",
    ]);
    expect(shown.length).toBe(1);
    expect(session.status).toMatchObject({ plan_mode: true, context_tokens: 9 });
  });

  test("a client that joins and is cut off in the middle of the history asks for all of it again, and drops what it has", async () => {
    const { told, options } = listener();
    const { line, back } = await extendedServer(options, { history: true, seq: 7 });
    replayed(line, "TurnBegin", { user_input: "hi" });
    await line.settled();
    await line.cut();
    const { line: second, initialize } = await back({ history: true });
    expect(initialize.params.session).toEqual({ id: "s-1" });
    replayed(second, "TurnBegin", { user_input: "hi" });
    replayed(second, "HistoryEnd", { whole: false });
    await second.settled();
    expect(told).toEqual([
      "connected",
      "past TurnBegin",
      "lost",
      "connected, reset",
      "past TurnBegin",
      "end false",
    ]);
    await second.cut();
    const { initialize: third } = await back();
    expect(third.params.session).toEqual({ id: "s-1", stream: "st-1", after_seq: 7 });
  });

  test("a client that joins cannot have a replay at the same time, and a handler that throws is reported", async () => {
    const problems: string[] = [];
    const handlers = {
      history: {
        event() {
          throw new Error("no");
        },
      },
    };
    const { session, line } = await extendedServer(
      { handlers, onProblem: (problem) => void problems.push(problem) },
      { history: true },
    );
    await expect(session.replay()).rejects.toMatchObject({ code: "INVALID_STATE" });
    replayed(line, "TurnEnd");
    replayed(line, "HistoryEnd", { whole: true });
    await line.settled();
    expect(problems).toEqual(["history handler: TurnEnd: Error: no"]);
    const replay = session.replay();
    line.reply((await line.next()).id, { status: "finished", events: 0, requests: 0 });
    expect(await replay).toMatchObject({ status: "finished" });
  });

  test("a client that joins without a handler for the history is not sent it", async () => {
    const { initialize } = await extendedServer();
    expect(initialize.params.capabilities.askwire).not.toHaveProperty("history");
  });
});
