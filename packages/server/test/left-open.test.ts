import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leftOpen } from "../src/journal/left-open.js";
import { temporaryFolder } from "./journal-folder.js";

const to = { roles: ["payments"] };

test("a session whose process was killed right after it asked is listed without those for whom its requests are, or how many must approve", () => {
  const journal = join(temporaryFolder(), "wire.jsonl");
  const record = (type: string, payload: object) =>
    JSON.stringify({ timestamp: 1, message: { type, payload } });
  const addressed = { at: "2026-11-24T00:00:00Z", to, exclusive: true };
  const pay = { id: "r-2", description: "Pay 100", action: "pay", quorum: 2, to };
  const options = ["Yes", "No"].map((label) => ({ label, description: "" }));
  const asked = { question: "Pay it?", header: "", options, multi_select: false };
  const lines = [
    record("InteractionOpened", { request_id: "r-1", kind: "question", request: { id: "r-1" }, addressed }),
    record("QuestionRequest", { id: "r-1", tool_call_id: "tc-1", questions: [asked] }),
    record("InteractionOpened", { request_id: "r-2", kind: "approval", request: pay, addressed }),
    record("InteractionOpened", {
      request_id: "r-3",
      kind: "approval",
      request: { ...pay, quorum: undefined },
    }),
  ];
  writeFileSync(journal, `${lines.join("\n")}\n`);
  const since = "1970-01-01T00:00:01.000Z";
  expect(leftOpen(journal, undefined).open).toEqual([
    { request_id: "r-1", kind: "question", text: "Pay it?", since, to, exclusive: true },
    { request_id: "r-2", kind: "approval", text: "Pay 100", since, quorum: 2, to, exclusive: true },
    { request_id: "r-3", kind: "approval", text: "Pay 100", since },
  ]);
});
