import { describe, expect, test } from "vitest";
import { WireIds } from "../../src/connection/wire-ids.js";
import { attendances, type Settlement } from "../../src/index.js";
import { baseProfile, repliedId, wireRequest } from "../../src/profiles/base-profile.js";
import { InteractionCore } from "../../src/requests/core.js";
import { outcomeNow } from "../../src/requests/interaction.js";
import { Scope } from "../../src/requests/scope.js";
import { drivenClock } from "../driven-clock.js";
import { approval, ended, hookCall, question, toolCall, watcher, word } from "./asked.js";

const made = { tool_call: () => toolCall("a"), hook: () => hookCall("a") };
const kinds = ["tool_call", "hook"] as const;
const raw = { name: "raw", connection: "a" };

function setUp(attendance: (typeof attendances)[number] = "attended", asks = false) {
  const clock = drivenClock();
  const settle = () => ({ outcome: outcomeNow("declined", { reason: "dismissed", by: "policy" }) });
  const policy = { attendance, subagentQuestions: asks };
  const core = new InteractionCore({ policy, clock, maxOpen: 2 });
  const strict = new InteractionCore({ policy: { attendance, settle }, clock });
  return { clock, core, strict, scope: new Scope() };
}

describe.each(kinds)("a request to a program (%s)", (kind) => {
  test.each(attendances)(
    "a request to a program goes to its client alone, under %s too, and no policy covers it (P-EXT-4, P-EXT-6)",
    (attendance) => {
      const { core, strict, scope } = setUp(attendance);
      for (const one of [core, strict]) {
        const [other, owner] = [watcher("b"), watcher("a", { canAsk: false })];
        one.attach(other);
        one.attach(owner);
        const request = made[kind]();
        one.open(request, scope);
        expect([owner.shown, other.shown]).toEqual([[request.id], []]);
        expect(one.answer(request.id, "b", () => ({ outcome: ended() }))).toEqual({ code: "not_allowed" });
        expect(request.outcome).toBeUndefined();
      }
    },
  );

  test("a request to a program ends at once without its client, also while others are there or may come back (P-EXT-6)", () => {
    const { core, scope } = setUp("hold");
    core.attach(watcher("b"));
    core.attach(watcher("a"));
    core.detach("a", 1000);
    const request = made[kind]();
    core.open(request, scope);
    expect(word(request.outcome)).toBe("unavailable/client_lost");
  });

  test("a request to a program waits for its lost client as long as the grace, and no longer, also under hold (P-EXT-6)", async () => {
    const { clock, core, scope } = setUp("hold");
    core.attach(watcher("a"));
    core.attach(watcher("b"));
    const request = made[kind]();
    core.open(request, scope);
    core.detach("b", 5000);
    core.detach("a", 1000);
    clock.advance(999);
    expect(request.resolved).toBe(false);
    const back = watcher("a");
    core.attach(back);
    expect(back.shown).toEqual([request.id]);
    core.detach("a", 1000);
    clock.advance(1000);
    expect(word((await request.wait()).outcome)).toBe("unavailable/client_lost");
  });

  test("a request to a program at which its client fails ends, also under hold (P-EXT-8)", () => {
    const { core, scope } = setUp("hold");
    core.attach(watcher("a"));
    const request = made[kind]();
    core.open(request, scope);
    core.fail(request.id, "a", "protocol_error", "bad");
    expect(request.outcome).toMatchObject({ status: "unavailable", reason: "protocol_error", note: "bad" });
  });

  test("a request to a program counts among those that are open, and ends with its scope (P-INT-8, P-INT-7)", () => {
    const { core, scope } = setUp();
    core.attach(watcher("a"));
    const [one, two, over] = [made[kind](), made[kind](), made[kind]()];
    for (const request of [one, two, over]) core.open(request, scope);
    expect(word(over.outcome)).toBe("unavailable/limit");
    core.settleScope(scope, ended);
    expect([word(one.outcome), core.size]).toEqual(["withdrawn/interrupted", 0]);
  });
});

const origin = { agent_id: "agent-1", subagent_type: "coder", description: "fix it" };

describe("a sub-agent", () => {
  test("a sub-agent's question is refused, unless it may ask (P-SUB-3)", () => {
    for (const allowed of [false, true]) {
      const { core, scope } = setUp("attended", allowed);
      const client = watcher("a");
      core.attach(client);
      const request = question();
      request.origin = origin;
      core.open(request, scope);
      expect([word(request.outcome), client.shown.length]).toEqual(
        allowed ? [undefined, 1] : ["unavailable/subagent", 0],
      );
    }
  });

  test("a sub-agent's approval is asked, and says whose it is (P-SUB-2)", () => {
    const { core, scope } = setUp();
    const client = watcher("a");
    core.attach(client);
    const request = approval();
    request.origin = origin;
    core.open(request, scope);
    expect(client.shown).toEqual([request.id]);
    expect(wireRequest(request, request.id)).toMatchObject({
      type: "ApprovalRequest",
      payload: { agent_id: "agent-1", subagent_type: "coder", source_description: "fix it" },
    });
    request.origin = { agent_id: "agent-1", subagent_type: "coder" };
    expect(wireRequest(request, request.id).payload).toMatchObject({ source_description: null });
  });
});

test("a tool call's id is made unique among those that its connection has not answered (P-EXT-7)", () => {
  const ids = new WireIds();
  const [one, two] = [toolCall("a", "tc"), toolCall("a", "tc")];
  expect([ids.take(one), ids.take(two), ids.take(toolCall("a", "tc#2"))]).toEqual(["tc", "tc#2", "tc#2#2"]);
  ids.free("tc");
  expect([ids.take(two), ids.take(two)]).toEqual(["tc", "tc#3"]);
  expect(new WireIds().take(one)).toBe("tc");
  const hook = hookCall("a");
  expect([ids.take(hook), ids.take(hook)]).toEqual([hook.id, hook.id]);
});

test("the ids that a connection never answers are remembered up to a bound (P-EXT-7)", () => {
  const ids = new WireIds();
  for (let n = 0; n <= 1024; n += 1) ids.take(toolCall("a", `tc${n}`));
  expect([ids.take(toolCall("a", "tc0")), ids.take(toolCall("a", "tc1024"))]).toEqual(["tc0", "tc1024#2"]);
});

test("an answer is read by the kind of its request, and names the program that gave it (P-EXT-4, P-HOK-2)", () => {
  const value = { is_error: false, output: "x", message: "", display: [], extras: null };
  const result = baseProfile.reply(toolCall("a"), { tool_call_id: "tc-1", return_value: value }, raw);
  expect(result).toMatchObject({ outcome: { status: "answered", by: "system", client: raw }, answer: value });
  const said = { request_id: "r", action: "block" as const, reason: "no" };
  const verdict = baseProfile.reply(hookCall("a"), said, raw) as Settlement<unknown>;
  expect(verdict).toMatchObject({ outcome: { status: "answered", by: "hook" } });
  expect(verdict.answer).toEqual({ action: "block", reason: "no" });
  expect([repliedId({ tool_call_id: "tc-1", return_value: value }), repliedId(said)]).toEqual(["tc-1", "r"]);
});

test("an error from outside the wire is a protocol error for every kind", () => {
  for (const request of [question(), approval(), toolCall("a"), hookCall("a")]) {
    const failure = { reason: "protocol_error", note: "odd" };
    expect(baseProfile.failure(request, new Error("odd"), raw)).toEqual(failure);
  }
});
