import * as z from "zod/mini";

const count = z.int().check(z.minimum(0));
/** False: a model does not learn to write words that no model wrote. */
const notLearned = z.literal(false);

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const Call = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** JSON text, as the model wrote it. */
  arguments: z.string(),
});

/**
 * Each role, with the members of its messages. `loss` is true if a model in training learns to write the message
 * (P-TRJ-3).
 */
const roles = {
  system: z.strictObject({ role: z.literal("system"), content: z.string(), loss: notLearned }),
  user: z.strictObject({ role: z.literal("user"), content: z.string(), loss: notLearned }),
  assistant: z.strictObject({
    role: z.literal("assistant"),
    content: z.string(),
    loss: z.boolean(),
    tool_calls: z.optional(z.array(Call).check(z.minLength(1))),
  }),
  tool: z.strictObject({
    role: z.literal("tool"),
    content: z.string(),
    loss: notLearned,
    /** Absent for the result of a call that was written in the text. */
    tool_call_id: z.optional(z.string()),
  }),
} as const;
/** The author of a message. */
export type TrajectoryRole = keyof typeof roles;
/** Every role. */
export const trajectoryRoles = Object.keys(roles) as readonly TrajectoryRole[];

/** A message of a trajectory. */
export type TrajectoryMessage = z.output<(typeof roles)[TrajectoryRole]>;

/** The counts of a trajectory, and its faults (P-TRJ-5). */
const Flags = z.strictObject({
  /** Queries of parameters that the model made. */
  queries: count,
  /** Queries after which the model called their subject. */
  filled_after_query: count,
  /** Calls with arguments that did not fit. */
  validation_errors: count,
  /** Queries without a result. */
  unanswered_queries: count,
  /** Calls that did not run, or whose result is missing. */
  dropped_calls: count,
  /** True if the model wrote a `<result>` itself. */
  hallucinated_result: z.boolean(),
  /** True if the last turn ended with an answer. */
  success: z.boolean(),
});
export type TrajectoryFlags = z.output<typeof Flags>;

/** A session as an example to train a model on: a line of a file of trajectories (P-TRJ-1). */
export const Trajectory = z.strictObject({
  version: z.literal(1),
  /** The id of the session. */
  session: z.string(),
  /** The time of its first prompt, in UTC. */
  started_at: z.string().check(z.regex(utcTime, "expected a time such as 2026-01-02T03:04:05.000Z")),
  /** Seconds from its first prompt to its last record. */
  duration_s: z.number().check(z.minimum(0)),
  /** The text of its first prompt. */
  task: z.string(),
  messages: z.array(z.discriminatedUnion("role", [roles.system, roles.user, roles.assistant, roles.tool])),
  flags: Flags,
});
export type Trajectory = z.output<typeof Trajectory>;
