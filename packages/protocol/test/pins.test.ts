import { describe, expect, test } from "vitest";
import {
  agentMethods,
  allAgentMethods,
  approvalKinds,
  clientMethods,
  closeCodes,
  compareVersions,
  contentParts,
  deadlineExpiries,
  defaultLimits,
  displayBlocks,
  type EventType,
  effectiveVersion,
  eventIntroduced,
  events,
  extendedAgentMethods,
  extendedEvents,
  hookEvents,
  knowsEvent,
  LocalError,
  Outcome,
  olderEventNames,
  outcomeActors,
  outcomeReasons,
  PROTOCOL_VERSION,
  requestKinds,
  requests,
  sessionStates,
  statedStatuses,
  turnStatuses,
  validate,
  WireError,
  wireErrorCodes,
} from "../src/index.js";
import { toWireError } from "../src/local-side.js";
import { ASSUMED_VERSION } from "../src/version.js";

// What other programs rely on, spelled out. A change here is a change of the protocol or of the public surface.

describe("names and numbers that others rely on", () => {
  test("the error codes stay unchanged (P-ERR-1)", () => {
    expect(wireErrorCodes).toEqual({
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      InvalidState: -32000,
      ModelNotSet: -32001,
      ModelNotSupported: -32002,
      ProviderError: -32003,
      AuthExpired: -32004,
      AlreadyResolved: -32010,
      UnknownRequest: -32011,
      SessionMismatch: -32012,
      InvalidAnswer: -32013,
      NotAllowed: -32014,
      Overloaded: -32020,
      Cancelled: -32800,
    });
  });

  test("the close codes stay unchanged (P-ERR-2)", () => {
    expect(closeCodes).toEqual({
      Normal: 1000,
      GoingAway: 1001,
      BinaryFrame: 1003,
      BadUtf8: 1007,
      TooLarge: 1009,
      Internal: 1011,
      Restart: 1012,
      TryAgain: 1013,
      Token: 4401,
      Session: 4404,
      TooSlow: 4408,
      Replaced: 4409,
      Silent: 4410,
      TooManyConnections: 4413,
    });
  });

  test("the methods stay unchanged (P-MSG-3, P-XNG-4, P-XAT-9)", () => {
    expect(Object.keys(agentMethods)).toEqual([
      "initialize",
      "prompt",
      "steer",
      "replay",
      "set_plan_mode",
      "cancel",
    ]);
    const extended = [
      "answer",
      "alive",
      "received",
      "touch",
      "release",
      "keep_draft",
      "read_draft",
      "set_do_not_ask",
      "ask",
      "list_sessions",
      "create_session",
      "close_session",
      "watch_sessions",
      "unwatch_sessions",
      "list_requests",
      "watch_requests",
      "unwatch_requests",
      "list_decisions",
      "claim",
      "unclaim",
      "create_pairing_code",
      "await_pairing",
    ];
    expect(Object.keys(extendedAgentMethods)).toEqual(extended);
    expect(allAgentMethods).toEqual({ ...agentMethods, ...extendedAgentMethods });
    expect(Object.keys(clientMethods)).toEqual([
      "event",
      "request",
      "call_output",
      "alive",
      "sessions_changed",
      "requests_changed",
    ]);
  });

  test("the events stay unchanged (P-MSG-1)", () => {
    expect(Object.keys(events)).toEqual([
      "TurnBegin",
      "SteerInput",
      "TurnEnd",
      "StepBegin",
      "StepInterrupted",
      "StepRetry",
      "CompactionBegin",
      "CompactionEnd",
      "HookTriggered",
      "HookResolved",
      "MCPLoadingBegin",
      "MCPLoadingEnd",
      "StatusUpdate",
      "Notification",
      "ContentPart",
      "ToolCall",
      "ToolCallPart",
      "ToolResult",
      "ApprovalResponse",
      "SubagentEvent",
      "PlanDisplay",
      "BtwBegin",
      "BtwEnd",
    ]);
    expect(olderEventNames).toEqual({ ApprovalRequestResolved: "ApprovalResponse" });
  });

  test("the events of the extended profile, and the words in them, stay unchanged (P-XST-1 to P-XST-3, P-XTR-1, P-XDL-1)", () => {
    expect(Object.keys(extendedEvents)).toEqual([
      "InteractionOpened",
      "InteractionSettled",
      "InteractionUpdated",
      "HistoryEnd",
      "DoNotAsk",
      "CommandsChanged",
      "PolicyDecided",
    ]);
    expect(Object.keys(clientMethods.event.types)).toEqual([
      ...Object.keys(events),
      ...Object.keys(extendedEvents),
    ]);
    expect(requestKinds).toEqual({
      question: "QuestionRequest",
      approval: "ApprovalRequest",
      tool_call: "ToolCallRequest",
      hook: "HookRequest",
    });
    expect(sessionStates).toEqual(["idle", "running", "waiting"]);
    expect(turnStatuses).toEqual(["finished", "cancelled", "max_steps_reached", "failed"]);
    expect(deadlineExpiries).toEqual(["cancel", "default"]);
    expect(statedStatuses).toEqual(["answered", "declined"]);
  });

  test("the requests and the ways of answering an approval stay unchanged (P-MSG-2, P-APR-1)", () => {
    expect(Object.keys(requests)).toEqual([
      "ApprovalRequest",
      "QuestionRequest",
      "ToolCallRequest",
      "HookRequest",
    ]);
    expect(approvalKinds).toEqual(["approve", "approve_for_session", "reject"]);
  });

  test("the content parts and display blocks stay unchanged (P-MSG-4, P-MSG-5)", () => {
    expect(Object.keys(contentParts)).toEqual(["text", "think", "image_url", "audio_url", "video_url"]);
    expect(Object.keys(displayBlocks)).toEqual(["brief", "diff", "todo", "shell", "background_task"]);
  });

  test("the hook events stay unchanged", () => {
    expect(hookEvents).toEqual([
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "UserPromptSubmit",
      "Stop",
      "StopFailure",
      "SessionStart",
      "SessionEnd",
      "SubagentStart",
      "SubagentStop",
      "PreCompact",
      "PostCompact",
      "Notification",
    ]);
  });

  test("the outcomes and who may cause them stay unchanged (P-OUT-1, P-OUT-3)", () => {
    expect(outcomeReasons).toEqual({
      answered: [],
      declined: ["dismissed", "discuss"],
      expired: ["deadline"],
      withdrawn: ["interrupted", "superseded", "session_closed", "shutdown", "agent"],
      unavailable: [
        "unsupported",
        "unattended",
        "client_lost",
        "subagent",
        "limit",
        "protocol_error",
        "do_not_ask",
        "not_kept",
      ],
    });
    expect(outcomeActors).toEqual(["human", "policy", "hook", "timer", "system"]);
  });

  test("the limits stay unchanged (P-LIM-1)", () => {
    expect(defaultLimits).toEqual({
      inboundBytes: 33_554_432,
      outboundLength: 16_777_216,
      nesting: 64,
      values: 262_144,
      unansweredRequests: 10_000,
      unsentBytes: 4_194_304,
    });
  });
});

describe("versions", () => {
  test("the declared version is 1.10, and 1.2 is assumed where a client declares none (P-VER-1, P-VER-3)", () => {
    expect(PROTOCOL_VERSION).toBe("1.10");
    expect(ASSUMED_VERSION).toBe("1.2");
  });

  test.each([
    ["1.10", "1.9", 1],
    ["1.9", "1.10", -1],
    ["1.10", "1.10", 0],
    ["1.10", "1.10.0", 0],
    ["1.10.1", "1.10", 1],
    ["2", "1.10", 1],
    ["1", "1.0.1", -1],
  ])(
    "the version %s compared with %s gives %i: numbers are compared, not texts (P-VER-1)",
    (left, right, sign) => {
      expect(Math.sign(compareVersions(left, right))).toBe(sign);
    },
  );

  test.each([
    ["1.7", "1.7"],
    ["99.0", "99.0"],
    ["2", "2"],
    [undefined, "1.2"],
    ["", "1.2"],
    ["latest", "1.2"],
    ["1.x", "1.2"],
    ["-1.0", "1.2"],
    ["1.", "1.2"],
    [" 1.10", "1.2"],
  ])("a client that declares %j is taken to speak %s (P-VER-3)", (declared, effective) => {
    expect(effectiveVersion(declared)).toBe(effective);
  });

  test("an older client is spared exactly the events that it would not know (P-VER-2)", () => {
    const introduced = {
      SteerInput: "1.5",
      PlanDisplay: "1.7",
      HookTriggered: "1.7",
      HookResolved: "1.7",
      BtwBegin: "1.9",
      BtwEnd: "1.9",
      StepRetry: "1.10",
      Notification: "1.10",
      MCPLoadingBegin: "1.10",
      MCPLoadingEnd: "1.10",
    };
    expect(eventIntroduced).toEqual(introduced);
    const spared = (version: string, hooked = false) =>
      (Object.keys(events) as EventType[]).filter((type) => !knowsEvent(version, type, hooked)).sort();
    expect(spared("1.2")).toEqual(Object.keys(introduced).sort());
    expect(spared("1.6")).toEqual(
      Object.keys(introduced)
        .filter((type) => type !== "SteerInput")
        .sort(),
    );
    expect(spared("1.6", true)).not.toContain("HookTriggered");
    expect(spared("1.6", true)).not.toContain("HookResolved");
    expect(spared("1.6", true)).toContain("PlanDisplay");
    expect(spared("1.8")).toEqual([
      "BtwBegin",
      "BtwEnd",
      "MCPLoadingBegin",
      "MCPLoadingEnd",
      "Notification",
      "StepRetry",
    ]);
    expect(spared("1.9")).toEqual(["MCPLoadingBegin", "MCPLoadingEnd", "Notification", "StepRetry"]);
    expect(spared("1.10")).toEqual([]);
    expect(spared("2.0")).toEqual([]);
  });
});

describe("an outcome and its reason (P-OUT-1)", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const pairs = Object.entries(outcomeReasons).flatMap(([status, own]) =>
    [undefined, ...Object.values(outcomeReasons).flat()].map((reason) => {
      const fits = reason === undefined ? own.length === 0 : (own as readonly string[]).includes(reason);
      return { status, reason, fits };
    }),
  );
  test("every status has a reason of its own and no other", () => {
    expect(pairs).toHaveLength(5 * 17);
    for (const { status, reason, fits } of pairs) {
      expect(validate(Outcome, { status, reason, by: "system", at }).ok, `${status} ${reason}`).toBe(fits);
    }
  });

  test("an outcome with an unknown status or actor, or without a time, does not fit", () => {
    for (const broken of [
      { status: "lost", by: "system", at },
      { status: "answered", by: "nobody", at },
      { status: "answered", by: "human" },
    ]) {
      expect(validate(Outcome, broken).ok).toBe(false);
    }
    const { problem } = validate(Outcome, { status: "expired", by: "timer", at }) as { problem: string };
    expect(problem).toContain("reason");
  });
});

describe("errors", () => {
  test("an error with a number crosses the wire with its code, text and data (P-ERR-4)", () => {
    const cause = new Error("why");
    const error = new WireError("InvalidState", "busy", { data: { a: 1 }, cause });
    expect(error).toMatchObject({ name: "WireError", code: -32000, message: "busy", data: { a: 1 }, cause });
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: -32000, message: "busy", data: { a: 1 } });
    expect([error.is("InvalidState"), error.is("ParseError")]).toEqual([true, false]);
  });

  test("an error without data says null, and a foreign number is kept (P-ERR-4)", () => {
    expect(new WireError(42, "theirs").toJSON()).toEqual({ code: 42, message: "theirs", data: null });
  });

  test("an error with a word stays on this side and keeps its cause", () => {
    const cause = new Error("why");
    expect(new LocalError("TIMEOUT", "too slow", { cause })).toMatchObject({
      name: "LocalError",
      code: "TIMEOUT",
      cause,
    });
  });

  test("whatever is thrown becomes an error with a number; one that has it stays the same (P-ERR-3)", () => {
    const own = new WireError("Overloaded", "64 requests");
    expect(toWireError(own)).toBe(own);
    const foreign = new TypeError("x is not a function");
    expect(toWireError(foreign)).toMatchObject({
      code: -32603,
      message: "TypeError: x is not a function",
      cause: foreign,
    });
    expect(toWireError("text").message).toBe("text");
    expect(toWireError(null).message).toBe("null");
  });
});
