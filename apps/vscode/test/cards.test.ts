import { type QuestionView, RequestSettled } from "@askwire/client";
import { cardWords } from "@askwire/client/words";
import { isWaiting, openRequests, store, transcript } from "@askwire/react";
import { expect, test } from "vitest";
import { allowsBy, cards, waysOf } from "../src/cards/cards.js";
import type { Chat } from "../src/chats/chat.js";
import type { AgentLink } from "../src/view-state.js";

const question: QuestionView = {
  id: "r1",
  tool_call_id: "c1",
  questions: [
    {
      ...{ id: "q1", question: "Which database?", header: "", body: "", multi_select: false, own_text: true },
      ...{ other_label: "", other_description: "" },
      options: [
        { id: "a", label: "SQLite", description: "" },
        { id: "b", label: "PostgreSQL", description: "" },
      ],
    },
  ],
};
const approval = {
  id: "r2",
  tool_call_id: "c2",
  sender: "Shell",
  action: "run command",
  description: "",
  display: [],
};
const item = { question_id: "q1", selected: ["a"] };

/** A session without an agent, into which a test puts requests. */
function open() {
  const requests = openRequests();
  const gone = new AbortController();
  const context = { signal: gone.signal, issues: [], touch: () => {}, onDelivery: () => {} } as never;
  const chat = {
    ...{ id: "chat", requests, line: store<AgentLink>({ is: "connected" }), talk: transcript() },
    open: () => requests.current().filter(isWaiting),
  } as unknown as Chat;
  return {
    shown: cards(() => [chat]),
    gone,
    /** The name of the card of a request. */
    named: (id: string) => requests.current().find(({ request }) => request.id === id)?.id ?? id,
    ask: () => Promise.resolve(requests.handlers.question(question, context)),
    approve: (options?: never) =>
      Promise.resolve(
        requests.handlers.approval(
          { ...approval, ...(options === undefined ? {} : { options }) } as never,
          context,
        ),
      ),
  };
}

test("the first answer to a card counts, and a later one is refused", async () => {
  const { shown, named, ask } = open();
  const answer = ask();
  expect(shown.open().map(({ request }) => request.request.id)).toEqual(["r1"]);
  expect(shown.answerQuestion("chat", named("r1"), { items: [item] })).toBe(true);
  expect(shown.answerQuestion("chat", named("r1"), "declined")).toBe(false);
  expect(await answer).toEqual({ items: [item] });
  expect(shown.open()).toEqual([]);
});

test("a card of another session, or of no session, takes no answer", () => {
  const { shown, named, ask } = open();
  void ask();
  expect(shown.answerQuestion("other", "r1", "declined")).toBe(false);
  expect(shown.answerQuestion("chat", named("r9"), "declined")).toBe(false);
  expect(shown.open()).toHaveLength(1);
});

test("a question takes no answer of an approval, nor an approval one of a question", () => {
  const { shown, named, ask, approve } = open();
  void ask();
  void approve();
  expect(shown.answerApproval("chat", named("r1"), "approve")).toBe(false);
  expect(shown.answerQuestion("chat", named("r2"), "declined")).toBe(false);
  expect(shown.open()).toHaveLength(2);
});

test.each([
  ["another question", [{ question_id: "q9", selected: ["a"] }]],
  ["an option that is not there", [{ question_id: "q1", selected: ["c"] }]],
  ["two options where one is asked for", [{ question_id: "q1", selected: ["a", "b"] }]],
])("an answer about %s is refused, and the card stays open", (_about, items) => {
  const { shown, named, ask } = open();
  void ask();
  expect(shown.answerQuestion("chat", named("r1"), { items })).toBe(false);
  expect(shown.open()).toHaveLength(1);
});

test("a card that was settled elsewhere takes no answer", async () => {
  const { shown, named, ask, gone } = open();
  const answer = ask();
  gone.abort(new RequestSettled("answered elsewhere"));
  await expect(answer).rejects.toThrow("answered elsewhere");
  expect(shown.answerQuestion("chat", named("r1"), "declined")).toBe(false);
});

const own = [
  { id: "yes", label: "Allow", kind: "allow" },
  { id: "always", label: "Always", kind: "allow", scope: { kind: "program", value: "git", text: "git" } },
  { id: "no", label: "Never", kind: "reject" },
] as never;

test("an approval with options of its own takes these alone", async () => {
  const { shown, named, approve } = open();
  const answer = approve(own);
  expect(shown.answerApproval("chat", named("r2"), "approve")).toBe(false);
  expect(shown.answerApproval("chat", named("r2"), { option: "maybe" })).toBe(false);
  expect(shown.answerApproval("chat", named("r2"), { option: "yes" })).toBe(true);
  expect(await answer).toEqual({ option: "yes" });
});

test("an approval takes a changed text only where it offered one", () => {
  const { shown, named, approve } = open();
  void approve();
  expect(shown.answerApproval("chat", named("r2"), { response: "approve", edited: "rm -rf" })).toBe(false);
  expect(shown.open()).toHaveLength(1);
});

test("the ways to answer an approval tell which of them last, and what these cover", () => {
  const { shown, named, approve } = open();
  void approve(own);
  const ways = (): unknown[] => {
    const request = shown.of("chat", named("r2"));
    if (request?.kind !== "approval") return [];
    return waysOf(request, cardWords.en).map(({ kind, lasts, covers }) => [kind, lasts, covers]);
  };
  expect(ways()).toEqual([
    ["allow", false, ""],
    ["allow", true, "git"],
    ["reject", false, ""],
  ]);
});

test("an approval without options of its own says that it covers each further call of its action for this session", () => {
  const { shown, named, approve } = open();
  void approve();
  const request = shown.of("chat", named("r2"));
  if (request?.kind !== "approval") throw new Error("expected an approval");
  const { action } = request.request;
  expect(waysOf(request, cardWords.en).map(({ label, covers }) => [label, covers])).toEqual([
    ["Approve once", ""],
    ["Approve for this session", `every further “${action}” too`],
    ["Reject", ""],
  ]);
});

test.each([
  ["approve", true],
  ["approve_for_session", true],
  ["reject", false],
] as const)("the reply %s lets the agent act: %s", (response, expected) => {
  const { shown, named, approve } = open();
  void approve();
  const request = shown.of("chat", named("r2"));
  if (request?.kind !== "approval") throw new Error("expected an approval");
  expect([allowsBy(request, response), allowsBy(request, { response })]).toEqual([expected, expected]);
});

test("an option of an approval lets the agent act where it is of the kind that allows", () => {
  const { shown, named, approve } = open();
  void approve(own);
  const request = shown.of("chat", named("r2"));
  if (request?.kind !== "approval") throw new Error("expected an approval");
  expect(["yes", "always", "no", "none"].map((option) => allowsBy(request, { option }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
