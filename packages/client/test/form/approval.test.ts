import { describe, expect, test } from "vitest";
import {
  type ApprovalToShow,
  type ApprovalWords,
  approvalForm,
  approvalReply,
  reduceForm,
} from "../../src/form/index.js";
import { press, seen } from "./press.js";

const words: ApprovalWords = {
  row: (kind, action) => ({ label: kind, description: action }),
  rejectAndSay: "Say why",
  edit: (edited) => ({ label: edited ? "Change it again" : "Change it", description: "" }),
};
const plain: ApprovalToShow = { action: "run command", description: "Run ls" };
const edit = { content: "ls", max_length: 100 };
const options: ApprovalToShow["options"] = [
  { id: "once", kind: "allow", label: "Once" },
  { id: "all", kind: "allow", label: "Always", scope: { kind: "action", text: "every command" } },
  { id: "never", kind: "reject", label: "Never", scope: { kind: "action", text: "no command" } },
  { id: "no", kind: "reject", label: "No" },
];
const offered: ApprovalToShow = { ...plain, options };

/** The reply after these keys. */
function reply(view: ApprovalToShow, keys: readonly string[], given = words, edited?: string) {
  const { result } = press(approvalForm(view, given, edited), ...keys);
  if (result === undefined) throw new Error("nothing was answered");
  return approvalReply(view, given, result, edited);
}

describe("the form of an approval", () => {
  test("the form of an approval has a row for each way to answer, one to change the text, and own words", () => {
    const rows = (view: ApprovalToShow, edited?: string) => {
      const [question] = approvalForm(view, words, edited).questions;
      return [...(question?.options.map(({ label }) => label) ?? []), question?.other_label];
    };
    expect(rows(plain)).toEqual(["approve", "approve_for_session", "reject", "Say why"]);
    expect(rows({ ...plain, edit })).toContain("Change it");
    expect(rows({ ...plain, edit }, "ls -l")).toContain("Change it again");
    expect(rows(offered)).toEqual(["Once", "Always", "Never", "No", "Say why"]);
    const { questions } = approvalForm({ ...plain, edit }, { row: words.row, rejectAndSay: "" });
    expect(questions[0]?.options).toHaveLength(3);
  });

  test.each([
    [plain, "y", "approve"],
    [plain, "a", "approve_for_session"],
    [plain, "n", "reject"],
    [offered, "y", { option: "once" }],
    [offered, "a", { option: "all" }],
    [offered, "n", { option: "no" }],
    [{ ...plain, edit }, "e", "edit"],
  ])("a letter moves to its row, and Enter answers it: case %#", (view, letter, answer) => {
    const moved = press(approvalForm(view, words), letter);
    // The cursor is on the row of y from the beginning.
    expect([moved.result, seen(moved).hint]).toEqual([
      undefined,
      letter === "y" ? "enter_confirms" : undefined,
    ]);
    expect(reply(view, [letter, "enter"])).toEqual(answer);
  });

  test("the form of an approval has no letter for a row that does not exist", () => {
    for (const letter of ["a", "e"]) {
      const moved = press(approvalForm({ ...plain, options: options.slice(0, 1) }, words), letter);
      expect(seen(moved)).toMatchObject({ at: "Other", text: `${letter}|` });
    }
  });

  test("the form of an approval takes own words for a rejection of this call, with the reason (P-XAO-10)", () => {
    const why = ["Not ", "now", "enter"];
    expect(reply(plain, why)).toEqual({ response: "reject", feedback: "Not now" });
    expect(reply(offered, why)).toEqual({ option: "no", feedback: "Not now" });
    const lasting = { ...plain, options: options.slice(0, 3) };
    expect(reply(lasting, why)).toEqual({ response: "reject", feedback: "Not now" });
  });

  test("the form of an approval that is declined rejects", () => {
    expect(reply(offered, ["escape"])).toBe("reject");
    const declined = reduceForm(approvalForm(plain, words), { type: "decline" }).result;
    expect(approvalReply(plain, words, declined ?? "declined")).toBe("reject");
  });

  test("the form of an approval approves a text as it was changed, and rejects without it", () => {
    const view = { ...offered, edit };
    expect(reply(view, ["y", "enter"], words, "ls -l")).toEqual({ option: "once", edited: "ls -l" });
    expect(reply(view, ["n", "enter"], words, "ls -l")).toEqual({ option: "no" });
    expect(reply(view, ["y", "enter"], words, "ls")).toEqual({ option: "once" });
    const base = { ...plain, edit };
    expect(reply(base, ["y", "enter"], words, "ls -l")).toEqual({ response: "approve", edited: "ls -l" });
    expect(reply(base, ["y", "enter"], words, "ls")).toBe("approve");
  });
});
