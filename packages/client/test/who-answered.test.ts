import type { HeardOutcome } from "@askwire/protocol";
import { expect, test } from "vitest";
import { cardWords, talkWords, terminalWords, whoActs, whoAnswered } from "../src/words/index.js";

const client = { name: "askwire-web", connection: "c1" };
const answered = (principal?: unknown): HeardOutcome => ({
  status: "answered",
  by: "human",
  client,
  principal,
});

test.each([
  ["a person by token", { id: "Ann", name: "Ann", via: "token" }, "Ann"],
  [
    "a person with a device",
    { id: "d1", name: "Ann", via: "device", device: "Safari on iPhone" },
    "Ann (Safari on iPhone)",
  ],
  ["the user of the server's machine", { id: "local", name: "root", via: "local" }, "in askwire-web"],
  ["a way of a newer server", { id: "7", name: "Ann", via: "passkey" }, "Ann"],
  ["nobody", undefined, "in askwire-web"],
  ["null", null, "in askwire-web"],
  ["a text", "Ann", "in askwire-web"],
  ["a name that is no text", { id: "7", name: { toString: "x" }, via: "token" }, "in askwire-web"],
  ["a device that is no text", { id: "7", name: "Ann", via: "device", device: [] }, "Ann"],
])("the words name %s by what the door says, where that is a name (P-WHO-3)", (_, principal, who) => {
  const somebodyIn = (name: string) => `in ${name}`;
  expect(whoAnswered(answered(principal), somebodyIn)).toBe(who);
  expect(whoActs({ ...client, principal }, somebodyIn)).toBe(who);
});

test("nobody answered where neither the door nor a client is named", () => {
  expect(whoAnswered({ status: "expired" }, String)).toBeUndefined();
  expect(whoAnswered(undefined, String)).toBeUndefined();
});

test("a card that somebody else settled names the person by the door's word (P-WHO-3)", () => {
  const principal = { id: "d1", name: "Ann", via: "device", device: "Safari on iPhone" };
  const outcome = { status: "answered", by: "human", client: { name: "page", connection: "c1" }, principal };
  const told = (language: "en" | "zh") => cardWords[language].settled("", outcome as never);
  expect(told("en")).toBe("Ann (Safari on iPhone) answered it.");
  expect(told("zh")).toBe("Ann (Safari on iPhone) 已回答。");
});

test("a program that calls itself Ann reads like no person: each place says that somebody is in it (P-WHO-7)", () => {
  const own = { status: "answered", by: "human", client: { name: "Ann", connection: "c1" } } as const;
  expect(cardWords.en.settled("", own)).toBe("Somebody in Ann answered it.");
  expect(cardWords.zh.settled("", own)).toBe("Ann 中的用户 已回答。");
  const { en, zh } = terminalWords;
  const places = [talkWords.en, cardWords.en, en.panel, en.asked, en.chat, en.inbox].concat([
    talkWords.zh,
    cardWords.zh,
    zh.panel,
    zh.asked,
    zh.chat,
    zh.inbox,
  ] as never);
  for (const { somebodyIn } of places) {
    expect(whoActs({ name: "Ann" }, somebodyIn)).not.toBe("Ann");
    expect(whoActs({ name: "x", principal: { name: "Ann", via: "token" } }, somebodyIn)).toBe("Ann");
  }
});
