import { describe, expect, test } from "vitest";
import { type Company, converse } from "./conversation.js";
import { type Fault, nameOf, someFaults } from "./fault.js";
import { paces } from "./talkative-client.js";
import { memory } from "./transport.js";
import { type Seen, watcher } from "./watcher.js";

/** The conversation with two others who watch it, and what they saw. */
async function watchedConversation(faults: readonly Fault[] = [], expected = 0) {
  const extended: Seen = { events: [], taken: [] };
  const base: Seen = { events: [], taken: [] };
  const company: Company = async (server, session) => {
    const both = [
      await watcher("extended", "never answers", extended)(server, session),
      await watcher("base", "never answers", base)(server, session),
    ];
    return {
      async leave() {
        for (const each of both) await each.leave();
      },
    };
  };
  return { ...(await converse(memory, faults, { expected, company })), extended, base };
}

/** The payloads of the events of a type. */
const payloadsOf = (events: readonly string[], type: string) =>
  events
    .map((event) => JSON.parse(event))
    .filter((event) => event.type === type)
    .map(({ payload }) => payload);

const byTheClient = { name: "AbortError", outcome: { status: "answered", client: { name: "the client" } } };

const plain = await watchedConversation();
const expected = plain.told.events.length;
const kinds = ["cut before", "cut after", "twice"] as const;
const faults = someFaults(kinds, plain.counts).map((fault) => [nameOf(fault), fault] as const);

test("a watching client is told each settlement once, and who answered (P-XST-1, P-XCL-8)", () => {
  const settled = payloadsOf(plain.extended.events, "InteractionSettled");
  expect(settled.map(({ kind }) => kind)).toEqual(["question", "hook", "tool_call", "approval"]);
  for (const { outcome } of settled) {
    expect(outcome).toMatchObject({ status: "answered", client: { name: "the client" } });
  }
  expect(plain.extended.taken).toMatchObject([byTheClient, byTheClient]);
});

test("a base client that watches is told as the base profile has it (P-XNG-5)", () => {
  expect(plain.base.taken).toMatchObject([{ name: "AbortError" }, { name: "AbortError" }]);
  expect(payloadsOf(plain.base.events, "ApprovalResponse")).toHaveLength(1);
  expect(payloadsOf(plain.base.events, "ToolResult")).toHaveLength(3);
  const types = plain.base.events.map((event) => JSON.parse(event).type);
  expect(types.filter((type) => /Interaction|unrecognized/.test(type))).toEqual([]);
});

describe("other clients that watch", () => {
  test.each(faults)(
    "a fault of one client changes nothing of what those see who watch: %s (P-XST-1, P-XAT-3, P-XAT-8, P-XCL-8)",
    async (_name, fault) => {
      const { told, extended, base } = await watchedConversation([fault], expected);
      expect(told).toEqual(plain.told);
      expect(extended.events).toEqual(plain.extended.events);
      expect(extended.taken).toMatchObject([byTheClient, byTheClient]);
      expect(base.events).toEqual(plain.base.events);
      expect(base.taken).toHaveLength(plain.base.taken.length);
    },
  );
});

describe("a slow client that is cut off", () => {
  const overtaken = async (faults: readonly Fault[] = [], expected = 0) => {
    const seen: Seen = { events: [], taken: [] };
    const company = watcher("extended", "answers at once", seen);
    const pace = paces["once the connection is lost"];
    return { ...(await converse(memory, faults, { company, pace, expected })), seen };
  };

  test("a slow client is told who was first without a fault (P-XST-1, P-XCL-8)", async () => {
    const { taken, told, seen } = await overtaken();
    expect(taken).toEqual(["question, by a watcher, extended", "approval, by a watcher, extended"]);
    expect(told.events).toEqual(seen.events);
  });

  test.each(faults)(
    "a slow client that is cut off is told who was first: %s (P-XST-1, P-XAN-3, P-XCL-3, P-XCL-8)",
    async (_name, fault) => {
      const { taken, told, seen } = await overtaken([fault], expected);
      const settled = payloadsOf(told.events, "InteractionSettled");
      const winners = settled.map(({ kind, outcome }) => `${kind}, by ${outcome.client.name}`);
      expect(winners).toEqual([
        "question, by a watcher, extended",
        "hook, by the client",
        "tool_call, by the client",
        "approval, by a watcher, extended",
      ]);
      const asked = told.done.filter((what) => ["question", "approval"].includes(what));
      expect(taken).toEqual(asked.map((what) => `${what}, by a watcher, extended`));
      expect(told.events).toEqual(seen.events);
      expect(told.settlements.filter((settlement) => !settlement.endsWith(": 1"))).toEqual([]);
    },
  );
});
