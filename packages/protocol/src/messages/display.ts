import * as z from "../zod.js";

/** The display blocks of Wire 1.10, by their `type`. */
export const displayBlocks = {
  brief: z.looseObject({ type: z.literal("brief"), text: z.string() }),
  diff: z.looseObject({
    type: z.literal("diff"),
    path: z.string(),
    old_text: z.string(),
    new_text: z.string(),
    old_start: z._default(z.int(), 1),
    new_start: z._default(z.int(), 1),
    is_summary: z._default(z.boolean(), false),
  }),
  todo: z.looseObject({
    type: z.literal("todo"),
    items: z.array(z.looseObject({ title: z.string(), status: z.string() })),
  }),
  shell: z.looseObject({ type: z.literal("shell"), language: z.string(), command: z.string() }),
  background_task: z.looseObject({
    type: z.literal("background_task"),
    task_id: z.string(),
    kind: z.string(),
    status: z.string(),
    description: z.string(),
  }),
} as const;

/** A change of a file, as a display block shows it. With `is_summary` the texts say in words what is too large. */
export type FileChange = Pick<
  z.output<(typeof displayBlocks)["diff"]>,
  "path" | "old_text" | "new_text" | "old_start" | "new_start" | "is_summary"
>;

/** A block of a type outside the table. All fields but `type` are gathered under `data`, as Kimi does. */
const foreign = z
  .looseObject({
    type: z.string().check(({ value, issues }) => {
      if (Object.hasOwn(displayBlocks, value))
        issues.push({ code: "custom", message: "a display block's fields", input: value });
    }),
  })
  .check(
    z.overwrite(({ type, ...rest }) => {
      const keys = Object.keys(rest);
      return { type, data: keys.length === 1 && keys[0] === "data" ? rest.data : rest };
    }),
  ) as unknown as z.ZodMiniType<{ type: string; data: unknown }, { type: string; [field: string]: unknown }>;

/** Something to show next to a tool result or an approval. Unknown types survive as `{type, data}` (P-MSG-5). */
export const DisplayBlock = z.union([
  displayBlocks.brief,
  displayBlocks.diff,
  displayBlocks.todo,
  displayBlocks.shell,
  displayBlocks.background_task,
  foreign,
]);
export type DisplayBlock = z.output<typeof DisplayBlock>;
/** A display block to send: fields with a default may be left out. */
export type DisplayBlockInput =
  | z.input<(typeof displayBlocks)[keyof typeof displayBlocks]>
  | { type: string; data: unknown };
