import { validate } from "@askwire/protocol";
import type { AgentSession } from "@askwire/server";
import { partOf } from "./content.js";
import { tellPerson } from "./notices.js";
import type { AcpModeSettings } from "./settings.js";
import { type Update, type UpdateKind, updates } from "./shapes.js";
import type { Telling } from "./telling.js";

/** The receivers of an agent's updates. */
export interface UpdateTargets {
  readonly session: AgentSession;
  readonly settings: AcpModeSettings;
  /** The place where the agent speaks at this moment. */
  telling(): Telling;
  /** True while the agent says again what was said. */
  isHistory(): boolean;
  /** A person's words of earlier, which the agent says again. */
  said(blocks: readonly Parameters<typeof partOf>[0][]): void;
  modeChanged(): void;
  /** The state of the conversation in version 2, by which a prompt ends. */
  state(update: Update<"state_update">): void;
}

type Reactions = { readonly [K in UpdateKind]: (update: Update<K>, to: UpdateTargets) => void };

/** The effect of each kind of update. */
const reactions: Reactions = {
  user_message_chunk: ({ content }, to) => to.said([content]),
  user_message: ({ content }, to) => to.said(content ?? []),
  agent_message_chunk: ({ content }, to) => to.telling().say(partOf(content)),
  agent_message({ content }, to) {
    for (const block of content ?? []) to.telling().say(partOf(block));
  },
  agent_thought_chunk: ({ content }, to) => to.telling().say(thought(content)),
  agent_thought({ content }, to) {
    for (const block of content ?? []) to.telling().say(thought(block));
  },
  tool_call: (news, to) => to.telling().call(news),
  tool_call_update: (news, to) => to.telling().call(news),
  tool_call_content_chunk: ({ toolCallId, content }, to) => to.telling().addContent(toolCallId, content),
  plan: ({ entries }, to) => to.telling().plan(entries),
  plan_update: ({ plan }, to) => to.telling().plan(plan.entries ?? []),
  available_commands_update: ({ availableCommands }, to) => to.settings.take({ availableCommands }),
  current_mode_update({ currentModeId }, to) {
    to.settings.modeChosen(currentModeId);
    to.modeChanged();
  },
  config_option_update({ configOptions }, to) {
    to.settings.take({ configOptions });
    to.modeChanged();
  },
  session_info_update({ title }, { session }) {
    if (title !== undefined) session.title = title ?? undefined;
  },
  usage_update: ({ used, size }, to) => to.telling().usage(used, size),
  notice({ severity, title, description }, { session, isHistory }) {
    if (isHistory()) return;
    tellPerson(session, { severity, title, body: description ?? "", type: "notice" });
  },
  compaction_update({ status }, { session, isHistory }) {
    if (isHistory()) return;
    session.broadcast({ type: status === "in_progress" ? "CompactionBegin" : "CompactionEnd", payload: {} });
  },
  state_update: (update, to) => to.state(update),
};

function thought(block: Parameters<typeof partOf>[0]) {
  const part = partOf(block);
  return part.type === "text" ? { type: "think" as const, think: part.text, encrypted: null } : part;
}

/** Lets an update have its effect. Returns what is wrong with one that has none. */
export function applyUpdate(
  update: { readonly sessionUpdate: string },
  to: UpdateTargets,
): string | undefined {
  const kind = update.sessionUpdate;
  if (!Object.hasOwn(updates, kind)) return `it sent an update of the kind ${JSON.stringify(kind)}`;
  const parsed = validate(updates[kind as UpdateKind], update);
  if (!parsed.ok) return `its update ${kind}: ${parsed.problem}`;
  (reactions[kind as UpdateKind] as (update: unknown, to: UpdateTargets) => void)(parsed.value, to);
  return undefined;
}
