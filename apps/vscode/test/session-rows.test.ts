import { expect, test } from "vitest";
import type { PastChat } from "../src/chats/chats.js";
import { sessionRows } from "../src/surfaces/session-rows.js";

const words = {
  untitled: "New session",
  open: (count: number) => `${count} open`,
  time: (at: number) => `at ${Math.floor(at / 60)}`,
};
const here = (open: number) => ({ open: () => Array(open).fill({}) }) as unknown as PastChat["chat"];
const past = (id: string, title: string, at: number, chat?: PastChat["chat"]) => ({ id, title, at, chat });

test("sessions with titles of their own say what waits in them, and those that are not open when they were shown", () => {
  const rows = sessionRows([past("a", "Set it up", 60, here(2)), past("b", "Test $(x)", 120)], words);
  expect(rows).toEqual([
    { label: "Set it up", description: "2 open", value: "a" },
    { label: "Test $ (x)", description: "at 2", value: "b" },
  ]);
});

test("sessions with the same title differ by their time, and within a minute by their ids", () => {
  const rows = sessionRows(
    [
      past("11111111-x", "go", 60, here(0)),
      past("22222222-x", "go", 119),
      past("33333333-x", "go", 600),
      past("44444444-x", "", 60, here(0)),
    ],
    words,
  );
  expect(rows.map(({ label, description }) => `${label}: ${description}`)).toEqual([
    "go: at 1 · 11111111",
    "go: at 1 · 22222222",
    "go: at 10",
    "New session: ",
  ]);
});
