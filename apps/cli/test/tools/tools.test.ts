import { describe, expect, test } from "vitest";
import { workTools } from "../../src/tools/index.js";
import { callTools, openTools, useFolders } from "./session.js";

const folders = useFolders();

describe("the tools of the command", () => {
  test("the command's tools have the names that models know, a description each, and an object of arguments", () => {
    const tools = workTools({ workDir: folders.work });
    expect(tools.map(({ name }) => name)).toEqual([
      "Shell",
      "ReadFile",
      "WriteFile",
      "StrReplaceFile",
      "SetTodoList",
    ]);
    for (const { description, parameters } of tools) {
      expect(description.length).toBeGreaterThan(100);
      expect(parameters.type).toBe("object");
    }
    const [shell] = tools;
    expect(shell?.parameters).toMatchObject({
      required: ["command"],
      properties: { timeout: { default: 60, minimum: 1, maximum: 300 } },
    });
  });
});

describe("SetTodoList", () => {
  const todos = [
    { title: "Buy paint", status: "done" },
    { title: "Paint", status: "in_progress" },
  ];

  test("SetTodoList shows the list, asks nobody, and repeats it when it is asked for", async () => {
    const { results, approvals } = await callTools(folders.work, [
      ["SetTodoList", {}],
      ["SetTodoList", { todos }],
      ["SetTodoList", { todos: null }],
      ["SetTodoList", { todos: [] }],
    ]);
    const list = "1. [done] Buy paint\n2. [in_progress] Paint";
    expect(results.map(({ output }) => output)).toEqual([
      "The list is empty.",
      list,
      list,
      "The list is empty.",
    ]);
    expect(results[1]).toMatchObject({
      is_error: false,
      message: "The list is set.",
      display: [{ type: "todo", items: todos }],
    });
    expect(approvals).toEqual([]);
  });

  test("SetTodoList keeps a list for each session", async () => {
    const [first, second] = [workTools({ workDir: "." }), workTools({ workDir: "." })];
    await callTools(folders.work, [["SetTodoList", { todos }]], { tools: first });
    const { results } = await callTools(folders.work, [["SetTodoList", {}]], { tools: second });
    expect(results[0]?.output).toBe("The list is empty.");
  });

  test("SetTodoList refuses an unknown status", async () => {
    const { results } = await callTools(folders.work, [
      ["SetTodoList", { todos: [{ title: "Paint", status: "half" }] }],
    ]);
    expect(results[0]).toMatchObject({ is_error: true });
    expect(results[0]?.message).toContain("status");
  });
});

test("--yolo carries out everything without asking (P-APR-4)", async () => {
  const { session, approvals, results } = await openTools(
    folders.work,
    [[["WriteFile", { path: "a", content: "x" }]], [["Shell", { command: "cat a" }]]],
    { yolo: true },
  );
  await session.prompt("go").result;
  await session.close();
  expect(approvals).toEqual([]);
  expect(results[1]?.output).toBe("x");
});
