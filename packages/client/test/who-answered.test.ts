import type { HeardOutcome } from "@askwire/protocol";
import { expect, test } from "vitest";
import { cardWords, whoAnswered } from "../src/words/index.js";

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
  ["the user of the server's machine", { id: "local", name: "root", via: "local" }, "askwire-web"],
  ["a way of a newer server", { id: "7", name: "Ann", via: "passkey" }, "Ann"],
  ["nobody", undefined, "askwire-web"],
  ["null", null, "askwire-web"],
  ["a text", "Ann", "askwire-web"],
  ["a name that is no text", { id: "7", name: { toString: "x" }, via: "token" }, "askwire-web"],
  ["a device that is no text", { id: "7", name: "Ann", via: "device", device: [] }, "Ann"],
])("the words name %s by what the door says, where that is a name (P-WHO-3)", (_, principal, who) => {
  expect(whoAnswered(answered(principal))).toBe(who);
});

test("nobody answered where neither the door nor a client is named", () => {
  expect(whoAnswered({ status: "expired" })).toBeUndefined();
  expect(whoAnswered(undefined)).toBeUndefined();
});

test("a card that somebody else settled names the person by the door's word (P-WHO-3)", () => {
  const principal = { id: "d1", name: "Ann", via: "device", device: "Safari on iPhone" };
  const outcome = { status: "answered", by: "human", client: { name: "page", connection: "c1" }, principal };
  const told = (language: "en" | "zh") => cardWords[language].settled("", outcome as never);
  expect(told("en")).toBe("Ann (Safari on iPhone) answered it.");
  expect(told("zh")).toBe("Ann (Safari on iPhone) 已回答。");
});
