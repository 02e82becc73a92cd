import { describe, expect, test } from "vitest";
import type { Attendance, QuestionRequest } from "../../src/index.js";
import { type CoreOptions, InteractionCore } from "../../src/requests/core.js";
import { outcomeNow } from "../../src/requests/interaction.js";
import { Scope } from "../../src/requests/scope.js";
import { drivenClock } from "../driven-clock.js";
import { approval, chose, dismissal, ended, question, watcher, word } from "./asked.js";

function setUp(attendance: Attendance = "attended", options: Partial<CoreOptions> = {}) {
  const clock = drivenClock();
  const state = { attendance };
  const settled: string[] = [];
  const core = new InteractionCore({
    policy: state,
    clock,
    onSettled: (request, { outcome }, sent) => void settled.push(`${request.kind} ${word(outcome)} ${sent}`),
    ...options,
  });
  const scope = new Scope();
  const open = (request = question(), where = scope): QuestionRequest => {
    core.open(request, where);
    return request;
  };
  return { clock, core, open, scope, settled, state };
}

describe("the clients that are asked", () => {
  test("every client that can show a question is shown it, once (P-INT-3)", () => {
    const { core, open } = setUp();
    const [a, b, plain] = [watcher("a"), watcher("b"), watcher("plain", { canAsk: false })];
    for (const client of [a, b, plain]) core.attach(client);
    const { id } = open();
    core.attach(a);
    expect([a.shown, b.shown, plain.shown]).toEqual([[id], [id], []]);
  });

  test("opening a request a second time does not ask twice", () => {
    const { core, open, settled } = setUp();
    const client = watcher("a");
    core.attach(client);
    const request = open();
    open(request);
    request.resolve({ "Which?": "A" });
    open(request);
    expect(client.shown).toHaveLength(1);
    expect(settled).toEqual(["question answered true"]);
  });

  test("a client that comes later is shown what is open, oldest first", () => {
    const { core, open } = setUp("hold");
    const ids = [open().id, open().id];
    const late = watcher("late");
    core.attach(late);
    expect(late.shown).toEqual(ids);
    expect(core.pending().map(({ id }) => id)).toEqual(ids);
  });

  test("a client whose abilities grew is shown what it could not show before", () => {
    const { core, open } = setUp("hold");
    core.attach(watcher("a", { canAsk: false }));
    open();
    const able = watcher("a");
    core.attach(able);
    expect(able.shown).toHaveLength(1);
  });
});

describe("answers", () => {
  test("an answer that arrives from inside the sending is kept", async () => {
    const { core, open, settled } = setUp();
    const refusals: unknown[] = [];
    const late = watcher("late");
    const client = watcher("a", {
      onShow: ({ id }) => refusals.push(core.answer(id, "a", () => chose("A"))),
    });
    core.attach(client);
    core.attach(late);
    const request = open();
    expect(await request.wait()).toEqual({ "Which?": "A" });
    expect(refusals).toEqual([undefined]);
    expect(late.shown).toEqual([]);
    expect(client.told).toEqual([request.id]);
    expect(settled).toEqual(["question answered true"]);
    expect(core.size).toBe(0);
  });

  test("the first answer counts, the second is told so with the outcome (P-INT-2)", async () => {
    const { core, open } = setUp();
    core.attach(watcher("a"));
    core.attach(watcher("b"));
    const request = open();
    expect(core.answer(request.id, "b", () => chose("B"))).toBeUndefined();
    expect(core.answer(request.id, "a", () => chose("A"))).toMatchObject({
      code: "already_resolved",
      outcome: { status: "answered" },
    });
    expect(await request.wait()).toEqual({ "Which?": "B" });
  });

  test("each wrong answer has its own refusal, and the request stays open (P-INT-4)", () => {
    const { core, open } = setUp();
    core.attach(watcher("a"));
    core.attach(watcher("plain", { canAsk: false }));
    const request = open();
    const read = () => chose("A");
    expect(core.answer("nothing", "a", read)).toEqual({ code: "unknown_request" });
    expect(core.answer(request.id, "plain", read)).toEqual({ code: "not_allowed" });
    expect(core.answer(request.id, "stranger", read)).toEqual({ code: "not_allowed" });
    expect(request.resolved).toBe(false);
  });

  test("a second ask neither overwrites nor deletes the first", async () => {
    const { core, open } = setUp();
    core.attach(watcher("a"));
    const [first, second] = [open(), open()];
    core.answer(second.id, "a", () => chose("B"));
    core.answer(first.id, "a", () => chose("A"));
    expect(await Promise.all([first.wait(), second.wait()])).toEqual([{ "Which?": "A" }, { "Which?": "B" }]);
  });

  test("everybody who has the question is told once that it is over", () => {
    const { core, open } = setUp();
    const [a, b] = [watcher("a"), watcher("b")];
    core.attach(a);
    core.attach(b);
    const request = open();
    core.answer(request.id, "a", dismissal);
    request.resolve({ "Which?": "A" });
    core.settleScope(new Scope(), ended);
    expect([a.told, b.told]).toEqual([[request.id], [request.id]]);
  });

  test("settled requests are remembered up to a bound, the oldest forgotten first", () => {
    const { core, open, settled } = setUp();
    core.attach(watcher("a"));
    const ids = Array.from({ length: 2_000 }, () => {
      const request = open();
      core.answer(request.id, "a", dismissal);
      return request.id;
    });
    const codes = ids.map((id) => core.answer(id, "a", dismissal)?.code);
    const first = codes.indexOf("already_resolved");
    expect(2_000 - first).toBeGreaterThanOrEqual(256);
    expect(2_000 - first).toBeLessThan(512);
    expect(codes.lastIndexOf("unknown_request")).toBe(first - 1);
    expect(settled).toHaveLength(2_000);
    expect(core.size).toBe(0);
  });
});

describe("nobody there", () => {
  test.each<[Attendance, "none" | "plain" | "able", string | undefined]>([
    ["attended", "none", "unavailable/unattended"],
    ["attended", "plain", "unavailable/unsupported"],
    ["attended", "able", undefined],
    ["hold", "none", undefined],
    ["hold", "plain", undefined],
    ["decline", "able", "unavailable/unattended"],
  ])("a question %s with %s client ends like this: %s", (attendance, client, expected) => {
    const { core, open } = setUp(attendance);
    const able = watcher("a", { canAsk: client === "able" });
    if (client !== "none") core.attach(able);
    const request = open();
    expect(word(request.outcome)).toBe(expected);
    if (attendance === "decline") expect([able.shown, request.outcome?.by]).toEqual([[], "policy"]);
  });

  test("a request over the limit ends at once and leaves the others", () => {
    const { core, open } = setUp("hold", { maxOpen: 2 });
    const requests = [open(), open(), open()];
    expect(requests.map(({ outcome }) => word(outcome))).toEqual([undefined, undefined, "unavailable/limit"]);
    expect(core.size).toBe(2);
  });

  test("a question ends when the last client is lost, after the grace", () => {
    const { clock, core, open } = setUp();
    core.attach(watcher("a"));
    const request = open();
    core.detach("a", 30);
    clock.advance(29);
    expect(request.resolved).toBe(false);
    clock.advance(1);
    expect(word(request.outcome)).toBe("unavailable/client_lost");
  });

  test("a client that comes back within the grace finds the question", () => {
    const { clock, core, open } = setUp();
    core.attach(watcher("a"));
    const request = open();
    core.detach("a", 30);
    const again = watcher("a2");
    core.attach(again);
    clock.advance(60);
    expect(again.shown).toEqual([request.id]);
    expect(request.resolved).toBe(false);
  });

  test("a question that is asked within the grace waits for somebody", () => {
    const { clock, core, open } = setUp();
    core.attach(watcher("a"));
    core.detach("a", 30);
    const request = open();
    expect(request.resolved).toBe(false);
    clock.advance(30);
    expect(word(request.outcome)).toBe("unavailable/client_lost");
  });

  test("a client that fails is taken off; the last one's reason is the outcome", () => {
    const { core, open } = setUp();
    core.attach(watcher("a"));
    core.attach(watcher("b"));
    const request = open();
    core.fail(request.id, "a", "unsupported");
    core.fail(request.id, "a", "unsupported");
    expect(request.resolved).toBe(false);
    expect(core.answer(request.id, "a", dismissal)).toEqual({ code: "not_allowed" });
    core.fail(request.id, "b", "protocol_error", "nonsense");
    expect(request.outcome).toMatchObject({ reason: "protocol_error", note: "nonsense", by: "system" });
  });

  test("the outcome says lost when one client fails and then the other is lost", () => {
    const { core, open } = setUp();
    core.attach(watcher("a"));
    core.attach(watcher("b"));
    const request = open();
    core.fail(request.id, "a", "protocol_error", "nonsense");
    core.detach("b", 0);
    expect(word(request.outcome)).toBe("unavailable/client_lost");
    expect(request.outcome?.note).toBeUndefined();
  });

  test("a client that fails while it is being asked does not end it for those asked next", () => {
    const { core, open } = setUp();
    core.attach(watcher("a", { onShow: ({ id }) => core.fail(id, "a", "protocol_error") }));
    const b = watcher("b");
    core.attach(b);
    const request = open();
    expect(b.shown).toEqual([request.id]);
    expect(request.resolved).toBe(false);
  });

  test("a question ends when all clients fail while they are being asked", () => {
    const { core, open } = setUp();
    core.attach(watcher("a", { onShow: ({ id }) => core.fail(id, "a", "protocol_error") }));
    expect(word(open().outcome)).toBe("unavailable/protocol_error");
  });

  test("on hold a question survives failures and losses, and a new client may answer it", async () => {
    const { core, open } = setUp("hold");
    core.attach(watcher("a"));
    core.attach(watcher("b"));
    const request = open();
    core.fail(request.id, "a", "protocol_error");
    core.detach("b", 0);
    core.attach(watcher("c"));
    core.answer(request.id, "c", () => chose("A"));
    expect(await request.wait()).toEqual({ "Which?": "A" });
  });
});

describe("policies and ends", () => {
  test("a request that a policy covers is settled without asking anybody", () => {
    const { core, scope, settled } = setUp("attended", {
      policy: {
        attendance: "attended",
        settle: (request) =>
          request.kind === "approval"
            ? { outcome: outcomeNow("answered", { by: "policy" }), answer: {} as never }
            : undefined,
      },
    });
    const client = watcher("a");
    core.attach(client);
    core.open(approval(), scope);
    expect(client.shown).toEqual([]);
    expect(settled).toEqual(["approval answered false"]);
  });

  test("ending a scope ends what lies in it and nothing else, before it returns (P-INT-7)", () => {
    const { core, open, scope } = setUp();
    core.attach(watcher("a"));
    const turn = new Scope(scope);
    const subAgent = new Scope(turn);
    const [outer, inner, innermost] = [
      open(question(), scope),
      open(question(), turn),
      open(question(), subAgent),
    ];
    core.settleScope(turn, ended);
    expect([outer, inner, innermost].map(({ outcome }) => word(outcome))).toEqual([
      undefined,
      "withdrawn/interrupted",
      "withdrawn/interrupted",
    ]);
    expect(core.size).toBe(1);
  });

  test("closing settles everything and leaves no timer", () => {
    const { clock, core, open } = setUp();
    core.attach(watcher("a"));
    const requests = [open(), open()];
    core.detach("a", 1_000);
    core.close(ended);
    expect(requests.every(({ resolved }) => resolved)).toBe(true);
    expect([core.size, clock.waiting]).toEqual([0, 0]);
  });
});
