import { visibleLine } from "@askwire/client/text";
import type { DisplayBlock } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";

/** A task of an agent's list. */
export interface ListedTodo {
  readonly title: string;
  readonly status: string;
}

/** The most tasks of a list that are shown. */
const MOST_SHOWN = 50;

/** The list that a call has set, by what it displays or by its arguments. Undefined for another call. */
export function todosOf(
  display: readonly DisplayBlock[],
  args: object | undefined,
): readonly ListedTodo[] | undefined {
  const block = display.find((block) => block.type === "todo" && "items" in block);
  return listIn(block === undefined ? undefined : Object(block).items) ?? listIn(Object(args).todos);
}

function listIn(list: unknown): readonly ListedTodo[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const todos = list.flatMap((item) => {
    const { title, content, status } = Object(item) as Record<string, unknown>;
    const text = title ?? content;
    return typeof text === "string" ? [{ title: text, status: String(status ?? "") }] : [];
  });
  return todos.length === list.length ? todos : undefined;
}

/** A list, one row each: what is done is dim, what is under way bold. */
export function todoRows(todos: readonly ListedTodo[], paint: Paint): string[] {
  const shown = todos.slice(0, MOST_SHOWN).map(({ title, status }) => {
    const text = visibleLine(title);
    if (status === "done" || status === "completed") return paint("dim", `  [x] ${text}`);
    if (status === "in_progress") return `  ${paint("yellow", "[>]")} ${paint("bold", text)}`;
    return `  [ ] ${text}`;
  });
  return todos.length > MOST_SHOWN ? [...shown, "  …"] : shown;
}
