import type { AskedStep, RecordedSession } from "./examples.js";
import { withSaid } from "./plain-text.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** The two names of the element by which a model asks for parameters (P-07). */
export const queryTags = ["tool_param", "param_query"] as const;
/** A value of {@link queryTags}. */
export type QueryTag = (typeof queryTags)[number];

const anyTag = /(<\/?)(?:tool_param|param_query)(?=[\s/>])/g;

/** The lines in which the server itself names the tag: corrections of calls, and mistakes of queries. */
const told = /^Correction Suggestions: Use <.*$|Invalid <(?:tool_param|param_query)> format\. Missing/gm;

/**
 * Gives every query the same tag (P-27): in the model's words and thoughts, and in the server's words on queries. Code,
 * arguments, results of tools, a person's words and the system message stay.
 */
export function withTag(trajectory: Trajectory, tag: QueryTag): Trajectory {
  return { ...trajectory, messages: trajectory.messages.map(renamedTo(tag)) };
}

function renamedTo(tag: QueryTag): (message: TrajectoryMessage) => TrajectoryMessage {
  const named = (text: string) => text.replace(anyTag, `$1${tag}`);
  return (message) => {
    const { content } = message;
    if (message.role === "assistant") return { ...message, content: withSaid(content, named) };
    return message.role === "tool" && message.tool_call_id === undefined
      ? { ...message, content: content.replace(told, named) }
      : message;
  };
}

/** Gives every query of a session the same tag, and every step the same instructions (P-27). Default: as they were. */
export function sessionWith(
  { trajectory, turns, steps }: RecordedSession,
  { tag, system }: { readonly tag?: QueryTag | undefined; readonly system?: string | undefined },
): RecordedSession {
  const bases = new Map<AskedStep["base"], AskedStep["base"]>();
  const renamed = (base: AskedStep["base"]) => {
    if (tag !== undefined && !bases.has(base)) bases.set(base, base.map(renamedTo(tag)));
    return bases.get(base) ?? base;
  };
  return {
    trajectory: tag === undefined ? trajectory : withTag(trajectory, tag),
    turns,
    steps: steps.map((step) => ({
      ...step,
      base: renamed(step.base),
      given: system === undefined ? step.given : { tools: step.given?.tools, system },
    })),
  };
}

/** Replaces or adds the system message (P-27). */
export function withSystem(trajectory: Trajectory, content: string): Trajectory {
  const others = trajectory.messages.filter(({ role }) => role !== "system");
  return { ...trajectory, messages: [{ role: "system", content, loss: false }, ...others] };
}
