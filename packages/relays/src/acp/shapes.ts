// The parts of an agent's messages that are read, in both versions of ACP. All else is passed over.
import * as z from "@askwire/protocol/internal";

const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));
const text = z.string();

/** Notes of other makers on an object. */
const _meta = nullish(z.looseObject({}));

/** A piece of content: `type` says which members it has. */
export const ContentBlock = z.looseObject({
  type: text,
  text: z.optional(text),
  data: z.optional(text),
  mimeType: nullish(text),
  uri: nullish(text),
  name: nullish(text),
  title: nullish(text),
  resource: z.optional(z.looseObject({ uri: text, text: z.optional(text), mimeType: nullish(text) })),
});
export type ContentBlock = z.output<typeof ContentBlock>;

/** A part of the output of a tool. Version 1 gives the texts of a difference, version 2 a list of changes and a patch. */
export const ToolCallContent = z.looseObject({
  type: text,
  content: z.optional(ContentBlock),
  path: z.optional(text),
  oldText: nullish(text),
  newText: z.optional(text),
  changes: z.optional(
    z.array(z.looseObject({ operation: text, path: z.optional(text), oldPath: z.optional(text) })),
  ),
  patch: nullish(z.looseObject({ format: text, text })),
});
export type ToolCallContent = z.output<typeof ToolCallContent>;

/** A tool call, or the changes of one: each member that is there takes the place of the earlier one. */
export const ToolCallNews = z.looseObject({
  toolCallId: text,
  title: nullish(text),
  name: nullish(text),
  kind: nullish(text),
  status: nullish(text),
  content: nullish(z.array(ToolCallContent)),
  locations: nullish(z.array(z.looseObject({ path: text, line: nullish(z.number()) }))),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  _meta,
});
export type ToolCallNews = z.output<typeof ToolCallNews>;

const Chunk = z.looseObject({ content: ContentBlock });
const Whole = z.looseObject({ messageId: text, content: nullish(z.array(ContentBlock)) });
const PlanEntries = z.array(z.looseObject({ content: text, status: text }));
const CommandList = z.array(
  z.looseObject({ name: text, description: text, input: nullish(z.looseObject({ hint: nullish(text) })) }),
);
export type AcpCommands = z.output<typeof CommandList>;

const choice = { value: z.optional(text), name: text, description: nullish(text) };
/** Values to choose, or groups of them. */
const Choices = z.array(z.looseObject({ ...choice, options: z.optional(z.array(z.looseObject(choice))) }));

/** A setting of the conversation. Its id is `id` in version 1, and `configId` in version 2. */
const ConfigOption = z.looseObject({
  id: z.optional(text),
  configId: z.optional(text),
  name: text,
  description: nullish(text),
  category: nullish(text),
  type: text,
  currentValue: z.optional(z.unknown()),
  options: z.optional(Choices),
});
export type ConfigOption = z.output<typeof ConfigOption>;

const Modes = z.looseObject({
  currentModeId: text,
  availableModes: z.array(z.looseObject({ id: text, name: text, description: nullish(text) })),
});
export type Modes = z.output<typeof Modes>;

/** The settings that the reply to `session/new`, `load` or `resume` may have. */
export const SessionSettings = z.looseObject({
  sessionId: z.optional(text),
  modes: nullish(Modes),
  configOptions: nullish(z.array(ConfigOption)),
  availableCommands: nullish(CommandList),
});
export type SessionSettings = z.output<typeof SessionSettings>;

/** The kinds of `session/update`. */
export const updates = {
  user_message_chunk: Chunk,
  user_message: Whole,
  agent_message_chunk: Chunk,
  agent_message: Whole,
  agent_thought_chunk: Chunk,
  agent_thought: Whole,
  tool_call: ToolCallNews,
  tool_call_update: ToolCallNews,
  tool_call_content_chunk: z.looseObject({ toolCallId: text, content: ToolCallContent }),
  plan: z.looseObject({ entries: PlanEntries }),
  plan_update: z.looseObject({ plan: z.looseObject({ type: text, entries: z.optional(PlanEntries) }) }),
  available_commands_update: z.looseObject({ availableCommands: CommandList }),
  current_mode_update: z.looseObject({ currentModeId: text }),
  config_option_update: z.looseObject({ configOptions: z.array(ConfigOption) }),
  session_info_update: z.looseObject({ title: nullish(text) }),
  usage_update: z.looseObject({ used: z.number(), size: z.number() }),
  notice: z.looseObject({ severity: text, title: text, description: nullish(text) }),
  compaction_update: z.looseObject({ compactionId: text, status: text }),
  state_update: z.looseObject({ state: text, stopReason: nullish(text), error: z.optional(z.unknown()) }),
} as const;
/** A kind of `session/update` that is read. */
export type UpdateKind = keyof typeof updates;
/** An update of a kind. */
export type Update<K extends UpdateKind> = z.output<(typeof updates)[K]>;

export const SessionNotification = z.looseObject({
  sessionId: text,
  update: z.looseObject({ sessionUpdate: text }),
});

export const PermissionRequest = z.looseObject({
  sessionId: text,
  title: nullish(text),
  description: nullish(text),
  toolCall: z.optional(ToolCallNews),
  subject: nullish(
    z.looseObject({
      type: text,
      toolCall: z.optional(ToolCallNews),
      command: z.optional(text),
      toolCallId: nullish(text),
    }),
  ),
  options: z.array(z.looseObject({ optionId: text, name: text, kind: text })),
});
export type PermissionRequest = z.output<typeof PermissionRequest>;

export const ReadFile = z.looseObject({
  sessionId: text,
  path: text,
  line: nullish(z.int()),
  limit: nullish(z.int()),
});
export const WriteFile = z.looseObject({ sessionId: text, path: text, content: text });

export const ElicitationComplete = z.looseObject({ elicitationId: text });
