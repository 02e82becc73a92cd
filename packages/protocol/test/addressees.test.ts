import { describe, expect, test } from "vitest";
import { AskParams, askedEvents, extendedEvents, ToldRequest, validate } from "../src/index.js";

const ask = (more: object) => validate(AskParams, { key: "k", questions: [], ...more });
const to = { roles: ["payments"] };
const names = (count: number) => Array.from({ length: count }, (_, index) => `role ${index}`);

describe("an ask for some people alone", () => {
  test.each([
    ["a role", { to }],
    ["a person", { to: { principals: ["Ann"] } }],
    ["twenty roles and a long name", { to: { roles: names(20), principals: ["a".repeat(200)] } }],
    ["an exclusive one", { to, exclusive: true }],
    ["steps up to the longest time", { to, escalate: [{ after_ms: 2 ** 31 - 1, to: { roles: ["leads"] } }] }],
  ])("%s is read as it came", (_, more) => {
    expect(ask(more)).toMatchObject({ ok: true, value: more });
  });

  test.each([
    ["an empty list of roles", { to: { roles: [] } }, "to.roles"],
    ["21 roles", { to: { roles: names(21) } }, "to.roles"],
    ["an empty name", { to: { principals: [""] } }, "to.principals[0]"],
    ["a name of 201 characters", { to: { roles: ["a".repeat(201)] } }, "to.roles[0]"],
    ["one role in the place of a list", { to: { roles: "payments" } }, "to.roles"],
    ["no time before a step", { to, escalate: [{ after_ms: 0, to }] }, "escalate[0].after_ms"],
    ["a time longer than a timer", { to, escalate: [{ after_ms: 2 ** 31, to }] }, "escalate[0].after_ms"],
    ["half a millisecond", { to, escalate: [{ after_ms: 0.5, to }] }, "escalate[0].after_ms"],
    ["a step to nobody in particular", { to, escalate: [{ after_ms: 1 }] }, "escalate[0].to"],
    ["no step", { to, escalate: [] }, "escalate"],
    ["eleven steps", { to, escalate: names(11).map(() => ({ after_ms: 1, to })) }, "escalate"],
    ["`exclusive` that is no flag", { to, exclusive: "yes" }, "exclusive"],
  ])("%s is refused with its place", (_, more, place) => {
    expect(ask(more)).toMatchObject({ ok: false, problem: expect.stringContaining(place) });
  });
});

test("clients are told for whom a request is, in events and in lists", () => {
  const told = { to: { ...to, later: ["anything"] }, exclusive: true, escalated: 1 } as const;
  const asked = { id: "r", tool_call_id: "c", questions: [], ...told };
  const row = {
    ...{ request_id: "r", kind: "question", text: "Pay?", since: "2026-11-23T14:32:33.582Z" },
    ...{ state: "open", session_id: "s", to_me: true, may_answer: false, ...told },
  };
  expect(validate(askedEvents.QuestionRequest, asked)).toMatchObject({ ok: true, value: told });
  expect(validate(extendedEvents.InteractionOpened, { request_id: "r", kind: "question", to })).toMatchObject(
    { ok: true, value: { to } },
  );
  expect(
    validate(extendedEvents.InteractionUpdated, { request_id: "r", deadline: null, ...told }),
  ).toMatchObject({ ok: true, value: told });
  expect(validate(ToldRequest, row)).toMatchObject({ ok: true, value: row });
});
