import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** The two names of the element by which a model asks for parameters (P-07). */
export const queryTags = ["tool_param", "param_query"] as const;
/** One of {@link queryTags}. */
export type QueryTag = (typeof queryTags)[number];

const anyTag = /(<\/?)(?:tool_param|param_query)(?=[\s/>])/g;

/**
 * The same trajectory with one name for every query: in the words of the model, and in what it was told within a
 * `<result>` (P-27). A person's words and the system message stay.
 */
export function withTag(trajectory: Trajectory, tag: QueryTag): Trajectory {
  const renamed = (message: TrajectoryMessage): TrajectoryMessage =>
    message.role === "assistant" || (message.role === "tool" && message.tool_call_id === undefined)
      ? { ...message, content: message.content.replace(anyTag, `$1${tag}`) }
      : message;
  return { ...trajectory, messages: trajectory.messages.map(renamed) };
}

/** The same trajectory with this system message, in the place of one that it may have (P-27). */
export function withSystem(trajectory: Trajectory, content: string): Trajectory {
  const others = trajectory.messages.filter(({ role }) => role !== "system");
  return { ...trajectory, messages: [{ role: "system", content, loss: false }, ...others] };
}
