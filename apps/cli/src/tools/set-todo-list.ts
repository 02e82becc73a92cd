import { defineTool, type Tool } from "@askwire/server";
import * as z from "zod/mini";
import { setTodoList as description } from "./prose.js";

const Todo = z.looseObject({
  title: z.string().check(z.minLength(1), z.describe("What is to do, in a few words.")),
  status: z.enum(["pending", "in_progress", "done"]),
});

const Params = z.looseObject({
  todos: z.optional(
    z.nullable(
      z.array(Todo).check(z.maxLength(200), z.describe("The whole list. Leave it out to read the list.")),
    ),
  ),
});

/** Keeps a list of tasks, and shows the list to the person. */
export function setTodoListTool(): Tool {
  let list: readonly z.output<typeof Todo>[] = [];
  return defineTool({
    name: "SetTodoList",
    description,
    parameters: Params,
    restart: "again",
    run({ todos }) {
      if (todos != null) list = todos;
      const lines = list.map(({ title, status }, index) => `${index + 1}. [${status}] ${title}`);
      const items = list.map(({ title, status }) => ({ title, status }));
      return {
        output: lines.length === 0 ? "The list is empty." : lines.join("\n"),
        message: todos == null ? "The list as it is." : "The list is set.",
        ...(todos == null ? {} : { display: [{ type: "todo", items }] }),
      };
    },
  });
}
