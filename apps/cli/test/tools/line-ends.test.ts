import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalView } from "@askwire/client";
import { approvalForm, approvalReply, reduceForm } from "@askwire/client/form";
import { typedText } from "@askwire/client/text";
import { describe, expect, test } from "vitest";
import { shownText, touchedText } from "../../../../scripts/touched-texts.js";
import { callTool, useFolders } from "./session.js";

const folders = useFolders();
const at = (path: string) => join(folders.work, path);
const bytes = async (path: string) => readFile(at(path), "utf8");
const write = (path: string, content: string, more: object = {}) =>
  callTool(folders.work, "WriteFile", { path, content, ...more });
const replace = (edit: object) => callTool(folders.work, "StrReplaceFile", { path: "a", edit });

describe("line ends in StrReplaceFile", () => {
  test.each<[string, string, object, string]>([
    ["CR LF", "one\r\ntwo\r\nthree\r\n", { old: "one\ntwo", new: "one\n2" }, "one\r\n2\r\nthree\r\n"],
    ["CR alone", "one\rtwo\r", { old: "one\ntwo\n", new: "one\nnew\ntwo\n" }, "one\rnew\rtwo\r"],
    ["mixed ends", "a\r\nb\nc\r", { old: "a\nb\nc", new: "a\nB\nc" }, "a\r\nB\nc\r"],
    ["a line that becomes several", "a\r\nb", { old: "b", new: "b\nc" }, "a\r\nb\r\nc"],
    ["ends that the model took for CR LF", "a\nb\n", { old: "a\r\nb", new: "a\r\nc" }, "a\nc\n"],
    ["ends that the model sent", "a\r\nb\r\n", { old: "a\r\nb", new: "a\nb" }, "a\nb\r\n"],
    ["a mark at the beginning", "\ufeffa\r\nb", { old: "a\nb", new: "b" }, "\ufeffb"],
    ["all places", "a\r\na\na\r", { old: "a\n", new: "b\n", replace_all: true }, "b\r\nb\nb\r"],
    ["a separator that ends no line", "a\u2028b\r\n", { old: "b\n", new: "c\n" }, "a\u2028c\r\n"],
  ])("StrReplaceFile finds and writes line ends as the file has them: %s", async (_, text, edit, wanted) => {
    await writeFile(at("a"), text);
    expect(await replace(edit)).toMatchObject({ is_error: false });
    expect(await bytes("a")).toBe(wanted);
  });

  test("StrReplaceFile refuses a text that occurs twice, with two line ends", async () => {
    await writeFile(at("a"), "a\r\na\n");
    expect(await replace({ old: "a\n", new: "b\n" })).toMatchObject({
      message: expect.stringContaining("occurs 2 times"),
    });
  });
});

describe("line ends in WriteFile", () => {
  test.each<[string, string, string, object, string]>([
    ["of each line that stays", "a\r\nb\nc\r", "a\nb\nnew\nc\n", {}, "a\r\nb\nnew\nc\r"],
    ["also where no line stays", "a\r\nb\r\n", "c\nd\n", {}, "c\r\nd\r\n"],
    ["and its mark at the beginning", "\ufeffa\n", "b\n", {}, "\ufeffb\n"],
    ["unless the model sent some", "a\r\nb\r\n", "a\nb\r\n", {}, "a\nb\r\n"],
    ["and those of the last line at its end", "a\nb\r\n", "c\nd\n", { mode: "append" }, "a\nb\r\nc\r\nd\r\n"],
  ])("WriteFile keeps the line ends of a file, %s", async (_, text, content, more, wanted) => {
    await writeFile(at("a"), text);
    expect(await write("a", content, more)).toMatchObject({ is_error: false });
    expect(await bytes("a")).toBe(wanted);
  });
});

describe("a file's name", () => {
  test.each([240, 250, 255])("a file name of %i bytes can be written and changed", async (length) => {
    const name = "n".repeat(length);
    expect(await write(name, "one\n")).toMatchObject({ is_error: false });
    expect(
      await callTool(folders.work, "StrReplaceFile", { path: name, edit: { old: "one", new: "two" } }),
    ).toMatchObject({ is_error: false });
    expect(await bytes(name)).toBe("two\n");
  });

  test.each([
    ["a name of 256 bytes", "n".repeat(256)],
    ["a name of 86 characters of 3 bytes", "世".repeat(86)],
    ["a folder's name of 300 bytes", `${"n".repeat(300)}/a`],
    ["a path of 6,000 bytes", `${"folder/".repeat(857)}a`],
  ])("a file name is refused with a sentence where it is %s", async (_, path) => {
    const calls: [string, object][] = [
      ["WriteFile", { path, content: "x" }],
      ["StrReplaceFile", { path, edit: { old: "x", new: "y" } }],
      ["ReadFile", { path }],
    ];
    for (const [tool, args] of calls) {
      const { approvals, is_error, message } = await callTool(folders.work, tool, args);
      expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
      expect(message).toContain("is longer than the system takes");
      expect(message).not.toMatch(/ENAMETOOLONG|lstat|\.tmp/);
      expect(message.length).toBeLessThan(1_000);
    }
  });
});

test("a new text with NUL is refused, and nobody is asked", async () => {
  const { approvals, is_error, message } = await write("a", "a\0b");
  expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
  expect(message).toContain("NUL");
  await expect(stat(at("a"))).rejects.toThrow();
});

/** `LINE_ENDS_FILES` asks for more. */
const FILES = Number(process.env.LINE_ENDS_FILES ?? 12);

describe("a file that is changed before it is approved", () => {
  const words = {
    row: (kind: string) => ({ label: kind, description: "" }),
    rejectAndSay: "No",
    edit: () => ({ label: "Change", description: "" }),
  };

  /** Writes a text over a file that has it but for a line, as changed in a text area, by the form's reply. */
  async function approved(seed: number) {
    const { text, touches, problemOf } = touchedText(seed);
    await writeFile(at("a"), `before\n${text}`);
    const approval = (view: ApprovalView) => {
      let now = view.edit?.content ?? "";
      for (const { from, to, typed } of touches) {
        const shown = shownText(now);
        now = typedText(now, shown.slice(0, from) + typed + shown.slice(to), from + typed.length);
      }
      const form = reduceForm(approvalForm(view, words, now), { type: "choose", row: 0 });
      if (form.result === undefined) throw new Error("the form has no result");
      const reply = approvalReply(view, words, form.result, now);
      if (reply === "edit") throw new Error("the form changes the text again");
      return reply;
    };
    const edit = { old: "before\n", new: "" };
    const args = { path: "a", edit };
    const { message } = await callTool(folders.work, "StrReplaceFile", args, { approval });
    return { problem: problemOf(await bytes("a")), message };
  }

  test(`a file changed in a page's text area keeps untouched parts byte for byte, in ${FILES} files with line ends of any kind`, async () => {
    for (let seed = 1; seed <= FILES; seed += 1)
      expect(await approved(seed), `seed ${seed}`).toMatchObject({ problem: undefined });
  });

  test("a file changed by a client that sends line feeds alone keeps untouched parts byte for byte", async () => {
    await writeFile(at("a"), "one\r\ntwo\nthree\r\nfour\r");
    const approval = ({ edit }: ApprovalView) => ({
      response: "approve" as const,
      edited: shownText(edit?.content ?? "").replace("2", "zwei"),
    });
    const args = { path: "a", edit: { old: "two", new: "2" } };
    await callTool(folders.work, "StrReplaceFile", args, { approval });
    expect(await bytes("a")).toBe("one\r\nzwei\nthree\r\nfour\r");
  });
});
