import { describe, expect, test } from "vitest";
import {
  AnswerParams,
  AskwireCapabilities,
  AttachedSession,
  askedEvents,
  events,
  extendedAgentMethods,
  extendedEvents,
  InitializeParams,
  InitializeResult,
  ListedSession,
  requests,
  validate,
} from "../src/index.js";

const at = "2026-01-01T00:00:00.000Z";
const outcome = { status: "answered", by: "human", at, client: { name: "ui", connection: "c1" } };
const deadline = { at, remaining_ms: 1000, on_expiry: "default" };
const listed = { id: "s", state: "waiting", connections: 2 };

type Schema = Parameters<typeof validate>[0];

/** A sent message arrives unchanged: no field is added, none is lost. */
function expectAsItIs(schema: Schema, ...values: unknown[]) {
  for (const value of values) expect(validate(schema, value)).toStrictEqual({ ok: true, value });
}
const problem = (schema: Schema, value: unknown) => {
  const parsed = validate(schema, value);
  return parsed.ok ? undefined : parsed.problem;
};

describe("messages of the extended profile", () => {
  test("InteractionSettled passes unchanged in both directions, with what was answered or without (P-XST-1)", () => {
    const settled = { request_id: "r", kind: "question", outcome };
    const response = { answers: { "Which?": "A" }, items: [{ question_id: "q1", selected: ["q1_o1"] }] };
    expectAsItIs(extendedEvents.InteractionSettled, settled, { ...settled, response });
  });

  test("InteractionOpened and InteractionUpdated pass unchanged in both directions (P-XST-1, P-XST-3)", () => {
    expectAsItIs(
      extendedEvents.InteractionOpened,
      { request_id: "r", kind: "question" },
      { request_id: "r", kind: "hook" },
    );
    expectAsItIs(
      extendedEvents.InteractionUpdated,
      { request_id: "r", deadline: null },
      { request_id: "r", deadline },
    );
  });

  test("TurnBegin and TurnEnd pass unchanged with their turn, who asked, and how it ended (P-XTR-1)", () => {
    const marks = { turn_id: "t", by: { name: "ui", connection: "c1" } };
    expectAsItIs(events.TurnBegin, { user_input: "hi", ...marks });
    expectAsItIs(
      events.TurnEnd,
      { ...marks, status: "finished" },
      { ...marks, status: "max_steps_reached", steps: 3 },
      { ...marks, status: "failed", error: { code: -32003, message: "no", data: null } },
    );
  });

  test("a question passes unchanged with its ids, agent and deadline (P-XQS-1, P-XDL-1)", () => {
    const option = { label: "A", description: "", id: "q1_o1", preview: "# A", recommended: true };
    const question = {
      question: "Which?",
      header: "",
      options: [option],
      multi_select: false,
      body: "",
      other_label: "",
      other_description: "",
      id: "q1",
      own_text: true,
      placeholder: "a name",
      default: ["q1_o1"],
    };
    const agent = { id: "a", type: "coder", parent_tool_call_id: null };
    const payload = { id: "r", tool_call_id: "t", questions: [question], agent, deadline };
    expectAsItIs(askedEvents.QuestionRequest, payload, { ...payload, deadline: null });
    expectAsItIs(requests.QuestionRequest.payload, payload);
  });

  test("calls of tools and hooks pass unchanged with the server's own id (P-XTH-1)", () => {
    const call = { id: "t", name: "lookup", arguments: null, request_id: "r" };
    const hook = {
      id: "h",
      subscription_id: "s",
      event: "Stop",
      target: "",
      input_data: {},
      request_id: "r",
    };
    expectAsItIs(requests.ToolCallRequest.payload, call);
    expectAsItIs(requests.HookRequest.payload, hook);
  });

  test("a receipt passes unchanged, and so does a release with its reason (P-XAN-1, P-XAN-9)", () => {
    const { received, release } = extendedAgentMethods;
    expectAsItIs(received.params, { request_id: "r" });
    expect(problem(received.params, {})).toBe("request_id: expected string");
    const released = { request_id: "r" };
    expectAsItIs(release.params, released, { ...released, reason: "limit", message: "too many" });
    expect(problem(release.params, { ...released, reason: "client_lost" })).toBe(
      'reason: expected "unsupported" or "limit" or "protocol_error"',
    );
    for (const type of ["QuestionRequest", "ApprovalRequest"] as const) {
      expect(problem(requests[type].response, { request_id: "r", received: true })).toBeDefined();
    }
  });

  test("answers and their replies, sessions and what a client finds pass unchanged (P-XAN-2, P-XSE-1, P-XAT-4)", () => {
    const item = {
      question_id: "q1",
      selected: ["q1_o1"],
      own_text: "mine",
      skipped: false,
      note: "hm",
      attachments: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA", id: null } }],
    };
    const answer = { request_id: "r", answer_id: "a", outcome: { status: "answered" } };
    expectAsItIs(
      AnswerParams,
      { ...answer, items: [item] },
      { ...answer, response: "approve_for_session", feedback: "" },
      { ...answer, outcome: { status: "declined", reason: "discuss", note: "why?" } },
    );
    expectAsItIs(
      extendedAgentMethods.answer.result,
      { outcome },
      { outcome, kind: "question", response: { answers: {} }, seq: 7, state: "running" },
    );
    expectAsItIs(ListedSession, listed);
    expectAsItIs(extendedAgentMethods.list_sessions.result, { sessions: [listed] });
    expectAsItIs(extendedAgentMethods.create_session.result, { session: listed });
    const session = {
      id: "s",
      stream: "u",
      seq: 0,
      state: "idle",
      plan_mode: false,
      pending: [],
      reset: true,
    };
    expectAsItIs(AttachedSession, session, { ...session, turn_id: "t" });
  });

  test.each<[string, Schema, object, string]>([
    [
      "a kind of request that does not exist",
      extendedEvents.InteractionSettled,
      { request_id: "r", kind: "riddle", outcome },
      'kind: expected "question" or "approval" or "tool_call" or "hook"',
    ],
    [
      "an outcome with another status's reason",
      extendedEvents.InteractionSettled,
      { request_id: "r", kind: "hook", outcome: { ...outcome, reason: "deadline" } },
      "outcome: expected reason: one that belongs to the status",
    ],
    [
      "a state that no session has",
      ListedSession,
      { ...listed, state: "busy" },
      'state: expected "idle" or "running" or "waiting" or "kept"',
    ],
    [
      "a deadline that expires otherwise",
      extendedEvents.InteractionUpdated,
      { request_id: "r", deadline: { ...deadline, on_expiry: "guess" } },
      'deadline.on_expiry: expected "cancel" or "default"',
    ],
    [
      "no id of the answer",
      AnswerParams,
      { request_id: "r", answer_id: "", outcome: { status: "answered" } },
      "answer_id: expected at least 1 character",
    ],
    [
      "an id of the answer that is too long",
      AnswerParams,
      { request_id: "r", answer_id: "x".repeat(129), outcome: { status: "answered" } },
      "answer_id: expected at most 128 characters",
    ],
    [
      "a chosen option that is no list",
      AnswerParams,
      {
        request_id: "r",
        answer_id: "a",
        outcome: { status: "answered" },
        items: [{ question_id: "q1", selected: "A" }],
      },
      "items[0].selected: expected array",
    ],
  ])("%s is refused, and the reason is said (P-XST-1 to P-XST-3, P-XAN-5)", (_, schema, value, expected) => {
    expect(problem(schema, value)).toBe(expected);
  });
});

describe("the features of the extended profile that a client declares", () => {
  const client_id = "6F9619FF-8B86-d011-b42d-00c04fc964ff";

  test("a feature that a client does not declare is false, and unknown ones are kept out of the way (P-XNG-2)", () => {
    expect(validate(AskwireCapabilities, { revision: 1, client_id, holograms: true })).toEqual({
      ok: true,
      value: {
        revision: 1,
        client_id,
        previews: false,
        notes: false,
        attachments: false,
        skip: false,
        deadline: false,
        fields: false,
        approval_options: false,
        edits: false,
        holograms: true,
      },
    });
  });

  test("a client declares the base profile where the extended one is absent or null (P-XNG-1)", () => {
    for (const capabilities of [undefined, null, {}, { askwire: null }]) {
      expect(problem(InitializeParams, { protocol_version: "1.10", capabilities })).toBeUndefined();
    }
  });

  test.each<[unknown, string]>([
    [true, "capabilities.askwire: expected object"],
    [[], "capabilities.askwire: expected object"],
    [{}, "capabilities.askwire.revision: expected number"],
    [{ revision: "1" }, "capabilities.askwire.revision: expected number"],
    [{ revision: 0 }, "capabilities.askwire.revision: expected at least 1"],
    [{ revision: 1.5 }, "capabilities.askwire.revision: expected int"],
    [{ revision: 1, client_id: "me" }, "capabilities.askwire.client_id: expected a UUID"],
    [{ revision: 1, client_id: `${client_id}0` }, "capabilities.askwire.client_id: expected a UUID"],
    [{ revision: 1, client_id: 7 }, "capabilities.askwire.client_id: expected string"],
    [{ revision: 1, notes: "yes" }, "capabilities.askwire.notes: expected boolean"],
    [{ revision: 1, deadline: null }, "capabilities.askwire.deadline: expected boolean"],
  ])(
    "a declaration in the shape %j is refused, and what was expected is said (P-XNG-1, P-XAT-1)",
    (askwire, expected) => {
      const params = { protocol_version: "1.10", capabilities: { supports_question: true, askwire } };
      expect(problem(InitializeParams, params)).toBe(expected);
    },
  );

  test.each<[unknown, string | undefined]>([
    [null, undefined],
    [{ id: "s" }, undefined],
    [{ id: "s", stream: null, after_seq: null }, undefined],
    [{ id: "s", stream: "u", after_seq: 0 }, undefined],
    [{ stream: "u" }, "session.id: expected string"],
    [{ id: "s", after_seq: -1 }, "session.after_seq: expected at least 0"],
    [{ id: "s", after_seq: "7" }, "session.after_seq: expected number"],
    ["s", "session: expected object"],
  ])("a declaration with the session %j is read like this: %s (P-XAT-2)", (session, expected) => {
    expect(problem(InitializeParams, { protocol_version: "1.10", session })).toBe(expected);
  });

  test("a declaration is answered with what the server may use, and where the client is attached (P-XNG-1, P-XAT-4)", () => {
    const askwire = {
      revision: 1,
      previews: true,
      notes: true,
      attachments: true,
      skip: true,
      deadline: true,
      fields: true,
      approval_options: true,
      edits: true,
    };
    const session = {
      id: "s",
      stream: "u",
      seq: 3,
      state: "running",
      plan_mode: false,
      pending: [],
      reset: false,
    };
    expectAsItIs(InitializeResult, {
      protocol_version: "1.10",
      server: { name: "s", version: "1" },
      slash_commands: [],
      capabilities: { supports_question: true, askwire },
      session,
    });
  });
});
