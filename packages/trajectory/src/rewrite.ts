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
  const named = (text: string) => text.replace(anyTag, `$1${tag}`);
  function renamed(message: TrajectoryMessage): TrajectoryMessage {
    const { content } = message;
    if (message.role === "assistant") return { ...message, content: withSaid(content, named) };
    return message.role === "tool" && message.tool_call_id === undefined
      ? { ...message, content: content.replace(told, named) }
      : message;
  }
  return { ...trajectory, messages: trajectory.messages.map(renamed) };
}

/** Replaces or adds the system message (P-27). */
export function withSystem(trajectory: Trajectory, content: string): Trajectory {
  const others = trajectory.messages.filter(({ role }) => role !== "system");
  return { ...trajectory, messages: [{ role: "system", content, loss: false }, ...others] };
}
