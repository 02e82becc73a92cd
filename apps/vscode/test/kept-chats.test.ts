import { expect, test } from "vitest";
import { keepChats, keptChats, type Memory } from "../src/chats/kept-chats.js";

function memory(first?: unknown): Memory {
  const values = new Map<string, unknown>([["askwire.sessions", first]]);
  return {
    get: (key) => values.get(key),
    update: async (key, value) => void values.set(key, value),
  };
}
const session = (id: string, title = "") => ({ id, title });

test("a window goes on with its sessions, the shown one first", () => {
  const kept = memory();
  keepChats(kept, [session("b"), session("a", "Set up CI")], new Set());
  expect(keptChats(kept)).toEqual([session("b"), session("a", "Set up CI")]);
});

test("the sessions of another window on the folder stay remembered behind one's own", () => {
  const kept = memory([session("other"), session("a")]);
  keepChats(kept, [session("a", "New title")], new Set());
  expect(keptChats(kept)).toEqual([session("a", "New title"), session("other")]);
});

test("a session that a person closed is forgotten", () => {
  const kept = memory([session("a"), session("b")]);
  keepChats(kept, [session("b")], new Set(["a"]));
  expect(keptChats(kept)).toEqual([session("b")]);
});

test("at most twenty sessions are remembered", () => {
  const kept = memory(Array.from({ length: 30 }, (_, at) => session(`s${at}`)));
  keepChats(kept, [session("mine")], new Set());
  expect(keptChats(kept)).toHaveLength(20);
  expect(keptChats(kept)[0]).toEqual(session("mine"));
});

test.each([["text"], [{}], [[{ id: 1, title: "" }, null, "x"]]])(
  "a memory of another shape (%o) is none",
  (value) => {
    expect(keptChats(memory(value))).toEqual([]);
  },
);
