import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalView } from "@askwire/client";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openConversation } from "./conversation.js";

const folder = join(mkdtempSync(join(tmpdir(), "askwire-acp-")), "work");
let agent: Awaited<ReturnType<typeof openConversation>>;
beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "..", "secret.txt"), "secret");
  symlinkSync("..", join(folder, "up"));
  agent = await openConversation({ server: { workDir: folder } });
  return async () => {
    await agent.close();
    rmSync(join(folder, ".."), { recursive: true });
  };
});
beforeEach(() => writeFileSync(join(folder, "notes.md"), "one\ntwo\nthree\n"));

const read = (path: string, more: object = {}) =>
  agent.act("request", "fs/read_text_file", { path, ...more });
const write = (path: string, content: string) =>
  agent.act("request", "fs/write_text_file", { path, content });

describe("an agent's request for a file", () => {
  test("a request for a file reads in the work folder, as a whole or by lines", async () => {
    expect(await read(join(folder, "notes.md"))).toEqual({ result: { content: "one\ntwo\nthree\n" } });
    expect(await read(join(folder, "notes.md"), { line: 2, limit: 1 })).toEqual({
      result: { content: "two" },
    });
    expect(await read(join(folder, "none.md"))).toMatchObject({ error: { code: -32002 } });
  });

  test("a request for a file outside, by a path or through a link, is refused", async () => {
    for (const path of [join(folder, "..", "secret.txt"), join(folder, "up", "secret.txt"), "/etc/passwd"]) {
      expect(await read(path)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining("work folder") },
      });
      expect(await write(path, "x")).toMatchObject({ error: { code: -32602 } });
    }
    expect(await read(join(folder, "notes.md"), { sessionId: "another" })).toMatchObject({
      error: { code: -32602 },
    });
    expect(readFileSync(join(folder, "..", "secret.txt"), "utf8")).toBe("secret");
  });

  test("a request for a file writes once the person has seen the difference and allowed that", async () => {
    const views: ApprovalView[] = [];
    agent.person.approval = (view) => {
      views.push(view);
      return { option: "approve" };
    };
    expect(await write(join(folder, "notes.md"), "one\n2\nthree\n")).toEqual({ result: {} });
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("one\n2\nthree\n");
    expect(views).toMatchObject([
      {
        description: "Change the file notes.md",
        display: [{ type: "diff", old_text: "one\ntwo\nthree", new_text: "one\n2\nthree" }],
        options: [{ id: "approve" }, { id: "file" }, { id: "action" }, { kind: "reject" }],
      },
    ]);
    expect(await write(join(folder, "notes.md"), "one\n2\nthree\n")).toEqual({ result: {} });
    expect(views).toHaveLength(1);
  });

  test("a request for a file writes again without asking where the person allowed that for the file", async () => {
    let asked = 0;
    agent.person.approval = () => {
      asked += 1;
      return { option: "file" };
    };
    for (const text of ["a", "b", "c"]) await write(join(folder, "new.md"), text);
    expect([asked, readFileSync(join(folder, "new.md"), "utf8")]).toEqual([1, "c"]);
    await write(join(folder, "other.md"), "d");
    expect(asked).toBe(2);
  });

  test("a request for a file that is rejected writes nothing, and the agent hears why", async () => {
    agent.person.approval = () => ({ response: "reject", feedback: "not there" });
    expect(await write(join(folder, "notes.md"), "x")).toMatchObject({
      error: { message: expect.stringContaining("nobody allowed that: not there") },
    });
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toContain("one");
  });

  test("a request for a file is not asked twice: what was allowed as a call with that difference is written", async () => {
    const path = join(folder, "notes.md");
    const asked: string[] = [];
    agent.person.approval = ({ sender }) => {
      asked.push(sender);
      return { option: asked.length === 1 ? "yes" : "reject" };
    };
    const content = [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "1\n" }];
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const toolCall = { toolCallId: "e", name: "Edit", kind: "edit", content };
    await agent.script(
      ["request", "session/request_permission", { toolCall, options }],
      ["request", "fs/write_text_file", { path, content: "1\n" }],
      ["request", "fs/write_text_file", { path, content: "2\n" }],
    );
    expect(asked).toEqual(["Edit", "fs/write_text_file"]);
    expect(readFileSync(path, "utf8")).toBe("1\n");
  });

  test("a request for a file writes nothing in plan mode, nor in .git", async () => {
    expect(await write(join(folder, ".git", "hooks", "x"), "x")).toMatchObject({ error: { code: -32602 } });
    await agent.session.setPlanMode(true);
    expect(await write(join(folder, "notes.md"), "x")).toMatchObject({
      error: { message: expect.stringContaining("plan mode is on") },
    });
    await agent.session.setPlanMode(false);
  });

  test("a request for a terminal has no answer, as none is offered", async () => {
    expect(await agent.act("request", "terminal/create", { command: "ls" })).toMatchObject({
      error: { code: -32601 },
    });
  });
});
