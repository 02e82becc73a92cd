import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { QuestionReply, QuestionView, RequestContext } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { shellTool } from "../../src/tools/shell.js";
import { callTool, makePipe, openTools, type ToolsOptions, useFolders } from "./session.js";

const folders = useFolders();

/** A pipe in the work directory. */
function pipe(name: string): string {
  const path = join(folders.work, name);
  makePipe(path);
  return path;
}

const shell = (command: string, question: ToolsOptions["question"], options: ToolsOptions = {}) =>
  callTool(
    folders.work,
    "Shell",
    { command, timeout: 1 },
    {
      ...(question !== undefined && { question }),
      tools: [shellTool(folders.work, 200)],
      ...options,
    },
  );

const chosen = (id: string): QuestionReply => ({ items: [{ question_id: "q1", selected: [id] }] });

describe("a command whose time is up", () => {
  test("a command whose time is up continues while the person is asked whether to wait, and then has more time", async () => {
    const [go, at] = [pipe("go"), pipe("at")];
    const asked: QuestionView[] = [];
    const { output, message, is_error } = await shell("cat go; echo still >at; cat go", async (view) => {
      asked.push(view);
      const still = readFile(at, "utf8");
      await writeFile(go, "one\n");
      expect(await still).toBe("still\n");
      setImmediate(() => void writeFile(go, "two\n"));
      return chosen("wait");
    });
    expect(asked).toMatchObject([
      {
        questions: [
          {
            header: "Shell",
            question:
              "The command `cat go; echo still >at; cat go` has not ended within 1 s. Keep waiting for it?",
            options: [
              { id: "wait", label: "Keep waiting" },
              { id: "end", label: "End it" },
            ],
            own_text: false,
          },
        ],
      },
    ]);
    expect({ output, message, is_error }).toEqual({
      output: "one\ntwo\n",
      message: "The command ended with exit code 0.",
      is_error: false,
    });
  });

  test("a command whose time is up is ended where the person chooses that, and the model is told who did", async () => {
    pipe("go");
    const result = await shell("echo begun; cat go", () => chosen("end"));
    expect(result).toMatchObject({
      is_error: true,
      output: "begun\n",
      message:
        "The command was stopped after 1 s, with all that it started. The user chose to end it rather than to keep waiting.",
      display: [{ type: "brief", text: "Stopped after 1 s" }],
    });
  });

  test.each<[string, QuestionReply, string]>([
    ["closes the question", "declined", ""],
    ["says something else", { declined: "discuss", note: "don't proceed" }, " They said: don't proceed"],
  ])("a command whose time is up is ended where the person %s", async (_, reply, said) => {
    pipe("go");
    expect(await shell("cat go", () => reply)).toMatchObject({
      is_error: true,
      message: `The command was stopped after 1 s, with all that it started. The user was asked whether to keep waiting for it, and did not choose to.${said}`,
    });
  });

  test("a command whose time is up is ended where nobody is there, and nobody is asked", async () => {
    pipe("go");
    const asked: QuestionView[] = [];
    const question = (view: QuestionView) => {
      asked.push(view);
      return chosen("wait");
    };
    const result = await shell("cat go", question, { attendance: "decline", yolo: true });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({
      is_error: true,
      message: "The command was stopped after 1 s, with all that it started.",
    });
  });

  test("a command that ends while the person is asked is reported as any other, and the question is withdrawn", async () => {
    const go = pipe("go");
    const closed: unknown[] = [];
    const { output, message } = await shell("cat go", (_, { signal }: RequestContext) => {
      void writeFile(go, "done\n");
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          closed.push(signal.reason);
          resolve("declined");
        });
      });
    });
    expect({ output, message }).toEqual({
      output: "done\n",
      message: "The command ended with exit code 0.",
    });
    expect(closed).toMatchObject([
      { outcome: { status: "withdrawn", reason: "agent", note: "Error: the command has ended" } },
    ]);
  });

  test("a command whose time is up is gone when the turn is cancelled while the person is asked", async () => {
    const held = pipe("held");
    const gone = readFile(held, "utf8");
    const { promise: open, resolve: opened } = deferred();
    const { session, results } = await openTools(
      folders.work,
      [[["Shell", { command: "exec 9>held; sleep 100", timeout: 1 }]]],
      {
        tools: [shellTool(folders.work, 200)],
        question: (_, { signal }) => {
          opened();
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve("declined"));
          });
        },
      },
    );
    const turn = session.prompt("go");
    await open;
    await session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(await gone).toBe("");
    expect(results).toEqual([]);
    await session.close();
  });
});
