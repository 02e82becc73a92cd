import { lostWords } from "@askwire/client/text";
import { expect, test } from "vitest";

const both = (...features: string[]) => {
  const degraded = features.map((feature, at) => ({ question_id: `q${at}`, feature }));
  return [lostWords.en(degraded), lostWords.zh(degraded)];
};

test("what an answering client was not shown is a list in words, without repeats (P-XQS-3)", () => {
  expect(both("preview", "preview", "deadline")).toEqual(["previews, the time limit", "预览、时限"]);
});

test("the ways to approve and the text to change have words too (P-XAO-6)", () => {
  expect(both("approval_options", "edit")).toEqual([
    "the ways to approve, the text that may be changed",
    "批准的方式、可修改的内容",
  ]);
});

test("a feature of a later server keeps its name", () => {
  expect(both("constructor", "preview")).toEqual(["constructor, previews", "constructor、预览"]);
});

test("nothing is said of a client that was shown all", () => {
  expect([lostWords.en(), lostWords.zh([])]).toEqual(["", ""]);
});
