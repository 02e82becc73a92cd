import { answerLimits } from "@askwire/protocol";
import type { Entry } from "@askwire/react";
import { describe, expect, test } from "vitest";
import { readMessage, toHost, toView } from "../src/messages.js";
import { changedEntries, entriesChange, type ToView } from "../src/view-state.js";

const card = { chat: "c", card: "r" };
const answered = { call: 1, ...card };
const png = `data:image/png;base64,${"A".repeat(8)}`;
const item = { question_id: "q1", selected: ["a"] };

/** A message of each type that the host takes. */
const samples: { readonly [K in keyof typeof toHost]: object } = {
  ready: {},
  answerQuestion: { ...answered, reply: { items: [item] } },
  answerApproval: { ...answered, reply: { option: "yes", feedback: "fine" } },
  begin: card,
  dismiss: card,
  difference: card,
  saveFirst: { chat: "s", card: "c" },
  prompt: { call: 1, chat: "c", text: "go" },
  cancel: { call: 1, chat: "c" },
  planMode: { call: 1, chat: "c", enabled: true },
  doNotAsk: { call: 1, chat: "c", enabled: true },
  openFile: { chat: "c", path: "src/a.ts:3" },
  findFiles: { call: 1, begun: "src/a" },
  attach: {},
  detach: { attachment: "a" },
  keepDrafts: { chat: "c", drafts: "{}" },
  paste: { url: png },
  copy: { text: "words" },
  showChat: { chat: "c" },
  command: { name: "restart" },
  putAway: {},
};

describe("messages of the webview", () => {
  test.each(Object.entries(samples))("a message of the type %s is taken unchanged", (type, fields) => {
    expect(readMessage(toHost, { type, ...fields })).toEqual({ type, ...fields });
  });

  test.each([
    ["that are no objects", "ready"],
    ["of an unknown type", { type: "eval", code: "1" }],
    ["of a type that every object has", { type: "constructor" }],
    ["without a card", { type: "answerQuestion", call: 1, chat: "c", reply: "declined" }],
    ["with an answer of no items", { type: "answerQuestion", ...answered, reply: { items: [] } }],
    [
      "with an answer that relays features",
      { type: "answerQuestion", ...answered, reply: { items: [item], relayed: {} } },
    ],
    ["with an unknown kind of approval", { type: "answerApproval", ...answered, reply: "always" }],
    ["with a field that is not in the table", { type: "begin", ...card, admin: true }],
    ["with a command of the editor", { type: "command", name: "workbench.action.terminal.new" }],
    ["with a picture from the web", { type: "paste", url: "https://example.com/a.png" }],
    ["with a picture that is a page", { type: "paste", url: "data:text/html;base64,AAAA" }],
    [
      "with a text without bound",
      { type: "prompt", call: 1, chat: "c", text: "x".repeat(4 * 1024 * 1024 + 1) },
    ],
  ])("messages %s are refused", (_what, message) => {
    expect(readMessage(toHost, message)).toBeUndefined();
  });
});

test("an answer with each of many options, and a change of the largest file, are taken", () => {
  const selected = Array.from({ length: 500 }, (_, index) => `q1_o${index + 1}`);
  const items = Array.from({ length: 500 }, (_, index) => ({ question_id: `q${index + 1}`, selected }));
  const answer = { type: "answerQuestion", ...answered, reply: { items } };
  expect(readMessage(toHost, answer)).toEqual(answer);
  const edited = "x".repeat(1024 * 1024);
  const change = { type: "answerApproval", ...answered, reply: { response: "approve", edited } };
  expect(readMessage(toHost, change)).toEqual(change);
});

test("the host takes whatever a card takes: pictures of all kinds up to the limit, many of them, ids of any length", () => {
  const url = (type: string, bytes: number) =>
    `data:image/${type};base64,${"A".repeat(Math.ceil(bytes / 3) * 4)}`;
  const picture = (type: string, bytes: number) => ({
    type: "image_url",
    image_url: { url: url(type, bytes), id: null },
  });
  const attachments = [picture("avif", answerLimits.picture), ...Array(30).fill(picture("bmp", 900))];
  const id = "an id of an agent ".repeat(30);
  const item = { question_id: id, selected: [id], attachments };
  const answer = { type: "answerQuestion", call: 1, chat: "c", card: id, reply: { items: [item] } };
  expect(readMessage(toHost, answer)).toEqual(answer);
  const tooLarge = { ...item, attachments: [picture("png", answerLimits.picture + 1_000)] };
  expect(readMessage(toHost, { ...answer, reply: { items: [tooLarge] } })).toBeUndefined();
});

test("the webview reads each message that the host sends", () => {
  const sent: ToView[] = [
    { type: "done", call: 1 },
    { type: "done", call: 2, problem: "no" },
    { type: "done", call: 3, files: ["a.ts"] },
    { type: "lead", card: "r" },
    {
      type: "state",
      seq: 0,
      parts: {
        language: "en",
        chat: "c",
        line: { is: "ended", why: "gone" },
        chats: [{ id: "c", title: "", open: 0 }],
      },
      entries: { from: 1, to: 1, changed: [{ kind: "text", key: 1, text: "Hi" }] },
    },
  ];
  for (const message of sent) expect(readMessage(toView, message)).toEqual(message);
});

describe("entries of the conversation", () => {
  const text = (key: number, words = "x"): Entry => ({ kind: "text", key, text: words });
  const [one, two, three] = [text(1), text(2), text(3)];

  test.each([
    ["one that is new", [one], [one, two]],
    ["one that has grown", [one, two], [one, text(2, "xy")]],
    ["old ones that are left out", [one, two, three], [two, three]],
    ["a conversation that begins anew", [one, two, three], [text(1, "other")]],
    ["a conversation that is forgotten", [one, two], []],
  ])(
    "entries of the conversation reach the webview after %s, and the other entries stay the same objects",
    (_what, before, now) => {
      const change = entriesChange(before, now);
      expect(change && changedEntries(before, change)).toEqual(now);
      const kept = change === undefined ? [] : changedEntries(before, change);
      for (const entry of now) if (before.includes(entry)) expect(kept).toContain(entry);
      expect(change?.changed.some((entry) => before.includes(entry))).toBe(false);
    },
  );
});
