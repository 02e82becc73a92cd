import type { DisplayBlockInput } from "@askwire/protocol";
import { validate } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";

const Entry = z.looseObject({ content: z.string(), status: z.string() });
const Input = z.looseObject({ todos: z.array(Entry) });

/** Things to do as the block that clients show, by the words of an agent for each state. */
export function todoBlock(entries: readonly z.output<typeof Entry>[]) {
  const items = entries.map(({ content, status }) => ({
    title: content,
    status: status === "completed" ? "done" : status,
  }));
  return { type: "todo" as const, items } satisfies DisplayBlockInput;
}

/** The block of a call whose arguments are a list of what is to do, as OpenCode's; undefined for any other. */
export function callTodos(rawInput: unknown): ReturnType<typeof todoBlock> | undefined {
  const read = validate(Input, rawInput);
  return read.ok ? todoBlock((read.value as z.output<typeof Input>).todos) : undefined;
}
