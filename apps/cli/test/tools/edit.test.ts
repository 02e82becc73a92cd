import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { callTool, callTools, openTools, type ToolsOptions, useFolders } from "./session.js";

const folders = useFolders();
const at = (path: string) => join(folders.work, path);
const text = (path: string) => readFile(at(path), "utf8");
const write = (path: string, content: string, more: object = {}, options: ToolsOptions = {}) =>
  callTool(folders.work, "WriteFile", { path, content, ...more }, options);
const replace = (path: string, edit: object, options: ToolsOptions = {}) =>
  callTool(folders.work, "StrReplaceFile", { path, edit }, options);

describe("WriteFile", () => {
  test("WriteFile shows what it is about to write, and makes the file with its folders", async () => {
    const { approvals, is_error, message, display } = await write("src/new/a.txt", "one\ntwo\n");
    expect(approvals).toHaveLength(1);
    const diff = {
      type: "diff",
      path: at("src/new/a.txt"),
      old_text: "",
      new_text: "one\ntwo",
      old_start: 1,
      new_start: 1,
      is_summary: false,
    };
    expect(approvals[0]).toMatchObject({
      sender: "WriteFile",
      action: "edit file",
      description: "Create the file src/new/a.txt",
      display: [diff],
    });
    expect({ is_error, message, display }).toEqual({
      is_error: false,
      message: "Created src/new/a.txt, which has 8 bytes now.",
      display: [diff],
    });
    expect(await text("src/new/a.txt")).toBe("one\ntwo\n");
    expect(await readdir(at("src/new"))).toEqual(["a.txt"]);
  });

  test("WriteFile shows a change with the lines around it and their numbers", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`);
    await writeFile(at("a"), lines.join(""));
    const changed = lines.with(9, "ten\n").toSpliced(30, 1);
    const { approvals } = await write("a", changed.join("").trimEnd());
    expect(approvals[0]?.display).toMatchObject([
      { old_start: 7, new_start: 7, old_text: "7\n8\n9\n10\n11\n12\n13" },
      { old_start: 28, new_start: 28, new_text: "28\n29\n30\n32\n33\n34" },
      { old_start: 37, new_start: 36, old_text: "37\n38\n39\n40\n", new_text: "37\n38\n39\n40" },
    ]);
    expect(approvals[0]?.display[0]).toMatchObject({ new_text: "7\n8\n9\nten\n11\n12\n13" });
  });

  test("WriteFile shows very many changes in full, from the first to the last", async () => {
    const body = (word: string) => Array.from({ length: 1_500 }, (_, index) => `${word} ${index}\n`).join("");
    const around = ["1\n2\n3\n4\n", "5\n6\n7\n8\n9\n"] as const;
    await writeFile(at("a"), around.join(body("old")));
    const { approvals } = await write("a", around.join(body("new")));
    expect(approvals[0]?.display).toMatchObject([
      {
        old_text: `2\n3\n4\n${body("old")}5\n6\n7`,
        new_text: `2\n3\n4\n${body("new")}5\n6\n7`,
        old_start: 2,
        new_start: 2,
        is_summary: false,
      },
    ]);
  });

  test("WriteFile shows only the size of a very large change", async () => {
    await writeFile(at("a"), "x\n".repeat(100_001));
    const { approvals } = await write("a", "y\n".repeat(100_000));
    expect(approvals[0]?.display).toEqual([
      {
        type: "diff",
        path: at("a"),
        old_text: "(100001 lines)",
        new_text: "(100000 lines)",
        old_start: 1,
        new_start: 1,
        is_summary: true,
      },
    ]);
  });

  test("WriteFile appends to a file, or makes it", async () => {
    await callTools(folders.work, [
      ["WriteFile", { path: "log", content: "one\n", mode: "append" }],
      ["WriteFile", { path: "log", content: "two\n", mode: "append" }],
    ]);
    expect(await text("log")).toBe("one\ntwo\n");
  });

  test("WriteFile asks nobody where nothing would change", async () => {
    await writeFile(at("a"), "same");
    const { approvals, is_error, message } = await write("a", "same");
    expect({ approvals, is_error }).toEqual({ approvals: [], is_error: false });
    expect(message).toContain("nothing was written");
  });

  test("WriteFile keeps the mode of a file, and a link to it", async () => {
    await writeFile(at("run.sh"), "old");
    await chmod(at("run.sh"), 0o750);
    await symlink("run.sh", at("link"));
    await write("link", "new");
    expect((await stat(at("run.sh"))).mode & 0o777).toBe(0o750);
    expect(await text("run.sh")).toBe("new");
    expect(await text("link")).toBe("new");
  });

  test.each([
    ["../other/a", 'without ".."'],
    ["/tmp/a", "found the absolute path /tmp/a"],
    ["away/a", "leads outside the work folder"],
    ["away/new/a", "leads outside the work folder"],
    ["link", "leads outside the work folder"],
    [".git/hooks/pre-commit", "outside .git"],
    ["src", "expected a regular file"],
    ["binary", "expected a readable text file"],
    ["large", "expected at most 1048576 bytes"],
  ])("WriteFile refuses %j before anybody is asked", async (path, problem) => {
    await mkdir(at("src"));
    await symlink(folders.other, at("away"));
    await symlink("../other/secret", at("link"));
    await writeFile(join(folders.other, "secret"), "secret");
    await writeFile(at("binary"), Buffer.from([1, 0, 2]));
    await writeFile(at("large"), "x".repeat(1_048_577));
    const { approvals, is_error, message } = await write(path, "x");
    expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
    expect(message).toContain(problem);
    expect(await readdir(folders.other)).toEqual(["secret"]);
    expect(await readFile(join(folders.other, "secret"), "utf8")).toBe("secret");
  });
});

describe("StrReplaceFile", () => {
  test("StrReplaceFile replaces a text literally, patterns included", async () => {
    await writeFile(at("a"), "price: $1.*\r\nend\r\n");
    const { is_error, message } = await replace("a", { old: "$1.*\r\n", new: "$& $$\r\n" });
    expect({ is_error, message }).toEqual({ is_error: false, message: "Changed a, which has 19 bytes now." });
    expect(await text("a")).toBe("price: $& $$\r\nend\r\n");
  });

  test("StrReplaceFile makes several edits in order, in one approval", async () => {
    await writeFile(at("a"), "one two two\n");
    const edits = [
      { old: "one", new: "two" },
      { old: "two", new: "x", replace_all: true },
    ];
    const { approvals } = await replace("a", edits);
    expect(approvals).toHaveLength(1);
    expect(await text("a")).toBe("x x x\n");
  });

  test.each<[string, string, object, string]>([
    ["a text that is not there", "a", { old: "four", new: "x" }, "`old` is not in the file"],
    ["a text that is there twice", "a", { old: "two", new: "x" }, "`old` occurs 2 times"],
    [
      "one that does not fit among several",
      "a",
      [
        { old: "one", new: "x" },
        { old: "one", new: "y" },
      ],
      "`old` of edit 2 is not in the file",
    ],
    ["a file that is not there", "b", { old: "one", new: "x" }, "there is no such file"],
    ["no text", "a", { old: "", new: "x" }, "Invalid arguments"],
    [
      "a text that would grow without bound",
      "a",
      { old: "t", new: "t".repeat(3_000_000), replace_all: true },
      "would grow",
    ],
  ])("StrReplaceFile refuses %s, and changes nothing", async (_, path, edit, problem) => {
    await writeFile(at("a"), "one two two\n");
    const { approvals, is_error, message } = await replace(path, edit);
    expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
    expect(message).toContain(problem);
    expect(await text("a")).toBe("one two two\n");
  });
});

describe("an edit", () => {
  test("a rejected edit leaves the file unchanged, and the model is told", async () => {
    await writeFile(at("a"), "old");
    const approval = () => ({ response: "reject" as const, feedback: "not that file" });
    const { is_error, message } = await write("a", "new", {}, { approval });
    expect(is_error).toBe(true);
    expect(message).toContain("not that file");
    expect(await text("a")).toBe("old");
    expect(await readdir(folders.work)).toEqual(["a"]);
  });

  test("an edit is made as the person changed it, and the model is told how (P-XAO-3)", async () => {
    await writeFile(at("a"), "one\ntwo\n");
    const approval = ({ edit }: ApprovalView) => {
      expect(edit).toEqual({ content: "1\ntwo\n", path: "a", max_length: 262_144 });
      return { option: "approve", edited: "1\n2\n" };
    };
    const args = { path: "a", edit: { old: "one", new: "1" } };
    const { message, display } = await callTool(folders.work, "StrReplaceFile", args, { approval });
    expect(await text("a")).toBe("1\n2\n");
    expect(message).toBe(
      "The user changed the text before it was written. Changed a, which has 4 bytes now.\n" +
        "Their change of your text:\n@@\n 1\n-two\n+2",
    );
    expect(display).toMatchObject([{ type: "diff", old_text: "one\ntwo", new_text: "1\n2" }]);
  });

  test("an edit that the person changed back to the present text writes nothing (P-XAO-3)", async () => {
    await writeFile(at("a"), "one");
    const approval = () => ({ option: "approve", edited: "one" });
    const { message } = await callTool(
      folders.work,
      "WriteFile",
      { path: "a", content: "two" },
      { approval },
    );
    expect(message).toContain("back to what a has; nothing was written.");
    expect(await text("a")).toBe("one");
  });

  test("approving an edit of a file covers that file alone, by either tool (P-XAO-4, P-XAO-7)", async () => {
    const { approvals } = await callTools(
      folders.work,
      [
        ["WriteFile", { path: "a", content: "one" }],
        ["StrReplaceFile", { path: "a", edit: { old: "one", new: "two" } }],
        ["WriteFile", { path: "b", content: "one" }],
      ],
      { approval: () => ({ option: "file" }) },
    );
    expect(approvals.map(({ description }) => description)).toEqual([
      "Create the file a",
      "Create the file b",
    ]);
  });

  test("an edit approved for the session is not asked about again, by either tool (P-APR-3)", async () => {
    const { approvals, results } = await callTools(
      folders.work,
      [
        ["WriteFile", { path: "a", content: "one" }],
        ["StrReplaceFile", { path: "a", edit: { old: "one", new: "two" } }],
        ["Shell", { command: "echo" }],
      ],
      { approval: ({ sender }) => ({ option: sender === "Shell" ? "approve" : "action" }) },
    );
    expect(approvals.map(({ sender }) => sender)).toEqual(["WriteFile", "Shell"]);
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false]);
    expect(await text("a")).toBe("two");
  });

  test("an edit of a file that changed during its approval is not made", async () => {
    await writeFile(at("a"), "old");
    const approval = async () => {
      await writeFile(at("a"), "somebody else's");
      return "approve" as const;
    };
    const { is_error, message } = await write("a", "new", {}, { approval });
    expect(is_error).toBe(true);
    expect(message).toContain("a: changed since its new text was shown: nothing was written");
    expect(await text("a")).toBe("somebody else's");
  });

  test("an edit does not follow a folder that became a link during the approval", async () => {
    await mkdir(at("docs"));
    const approval = async () => {
      await rm(at("docs"), { recursive: true });
      await symlink(folders.other, at("docs"));
      return "approve" as const;
    };
    const { is_error } = await write("docs/a", "new", {}, { approval });
    expect(is_error).toBe(true);
    expect(await readdir(folders.other)).toEqual([]);
  });

  test("an edit does not follow a file that became a link during the approval", async () => {
    await writeFile(at("a"), "old");
    await writeFile(join(folders.other, "secret"), "old");
    const approval = async () => {
      await rename(at("a"), at("b"));
      await symlink("../other/secret", at("a"));
      return "approve" as const;
    };
    expect((await write("a", "new", {}, { approval })).is_error).toBe(true);
    expect(await readFile(join(folders.other, "secret"), "utf8")).toBe("old");
  });

  test("two simultaneous edits of a file come one after the other, so that both are made", async () => {
    await writeFile(at("a"), "one two\n");
    const edit = (old: string, now: string) =>
      ["StrReplaceFile", { path: "a", edit: { old, new: now } }] as const;
    const { session, results } = await openTools(folders.work, [[edit("one", "1"), edit("two", "2")]]);
    await session.prompt("go").result;
    await session.close();
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false]);
    expect(await text("a")).toBe("1 2\n");
  });

  test.each(["WriteFile", "StrReplaceFile"])(
    "an edit by %s is refused in plan mode, without asking",
    async (name) => {
      await writeFile(at("a"), "old");
      const args = { path: "a", content: "new", edit: { old: "old", new: "new" } };
      const { approvals, is_error, message } = await callTool(folders.work, name, args, { planMode: true });
      expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
      expect(message).toContain("Plan mode is on");
      expect(await text("a")).toBe("old");
    },
  );

  test("an edit with nobody present is rejected by policy, and says so (P-ATT-3)", async () => {
    const { approvals, is_error, message } = await write("a", "new", {}, { attendance: "decline" });
    expect({ approvals, is_error }).toEqual({ approvals: [], is_error: true });
    expect(message).toContain("rejected by policy");
    expect(await readdir(folders.work)).toEqual([]);
  });
});
