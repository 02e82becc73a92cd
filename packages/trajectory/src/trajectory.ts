import * as z from "zod/mini";

const count = z.int().check(z.minimum(0));
/** Nobody learns to write what no model wrote. */
const notLearned = z.literal(false);

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const Call = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** JSON text, as the model wrote it. */
  arguments: z.string(),
});

/** Each role, with what its messages have. `loss`: whether a model in training learns to write it (P-TRJ-3). */
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
/** Whose words a message has. */
export type TrajectoryRole = keyof typeof roles;
/** Every role. */
export const trajectoryRoles = Object.keys(roles) as readonly TrajectoryRole[];

/** One message of a trajectory. */
export type TrajectoryMessage = z.output<(typeof roles)[TrajectoryRole]>;

/** What was counted of a trajectory, and what is wrong with it (P-TRJ-5). */
const Flags = z.strictObject({
  /** Queries of parameters that the model made. */
  queries: count,
  /** Those of them after which it called what they were about. */
  filled_after_query: count,
  /** Calls whose arguments did not fit. */
  validation_errors: count,
  /** Queries without a result. */
  unanswered_queries: count,
  /** Calls that were not executed, or whose result is missing. */
  dropped_calls: count,
  /** Whether the model wrote a `<result>` itself. */
  hallucinated_result: z.boolean(),
  /** Whether the last turn came to its end with an answer. */
  success: z.boolean(),
});
export type TrajectoryFlags = z.output<typeof Flags>;

/** One session as an example to train a model on: a line of a file of trajectories (P-TRJ-1). */
export const Trajectory = z.strictObject({
  version: z.literal(1),
  /** The id of the session. */
  session: z.string(),
  /** When its first prompt came, in UTC. */
  started_at: z.string().check(z.regex(utcTime, "expected a time such as 2026-01-02T03:04:05.000Z")),
  /** Seconds from its first prompt to its last record. */
  duration_s: z.number().check(z.minimum(0)),
  /** The text of its first prompt. */
  task: z.string(),
  messages: z.array(z.discriminatedUnion("role", [roles.system, roles.user, roles.assistant, roles.tool])),
  flags: Flags,
});
export type Trajectory = z.output<typeof Trajectory>;
