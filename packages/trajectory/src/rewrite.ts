import { withSaid } from "./plain-text.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** The two names of the element by which a model asks for parameters (P-07). */
export const queryTags = ["tool_param", "param_query"] as const;
/** One of {@link queryTags}. */
export type QueryTag = (typeof queryTags)[number];

const anyTag = /(<\/?)(?:tool_param|param_query)(?=[\s/>])/g;

/** Where the server itself names the tag: how a call is corrected, and what is wrong with a query. */
const told = /^Correction Suggestions: Use <.*$|Invalid <(?:tool_param|param_query)> format\. Missing/gm;

/**
 * The same trajectory with one name for every query: in what the model said and thought, and in what the server itself
 * told it of queries (P-27). Code, the arguments of calls, what tools gave back, a person's words and the system message
 * stay.
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

/** The same trajectory with this system message, in the place of one that it may have (P-27). */
export function withSystem(trajectory: Trajectory, content: string): Trajectory {
  const others = trajectory.messages.filter(({ role }) => role !== "system");
  return { ...trajectory, messages: [{ role: "system", content, loss: false }, ...others] };
}
