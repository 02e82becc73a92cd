import { describeIssues } from "@askwire/protocol";
import { readLines } from "@askwire/server/internal";
import type * as z from "zod/mini";
import { faultsOf } from "./faults.js";
import { brokenRules } from "./rules.js";
import { Trajectory, type TrajectoryRole, trajectoryRoles } from "./trajectory.js";

/** A problem of a line. */
export interface TrajectoryProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/** The counts of a file of trajectories. */
export interface TrajectoryCounts {
  /** Lines that are no blank ones. */
  trajectories: number;
  /** The trajectories with a problem. */
  wrong: number;
  readonly messages: Record<TrajectoryRole, number>;
  /** Messages that a model in training learns to write. */
  learned: number;
  queries: number;
  successes: number;
  /** Trajectories that an export leaves out unless it is told to keep them (P-TRJ-6). */
  flagged: number;
}

/** Bytes of a line: the longest trajectory as JSON. */
const LINE_BYTES = 128 * 1024 * 1024;

/**
 * Checks a file of trajectories against the schema and the rules, a line at a time (P-TRJ-7).
 *
 * @param onProblem told of everything that is wrong, in the order of the lines.
 * @throws the system's error if the file cannot be read. No file: no trajectories.
 */
export async function checkTrajectories(
  file: string,
  onProblem: (problem: TrajectoryProblem) => void,
): Promise<TrajectoryCounts> {
  const messages = Object.fromEntries(trajectoryRoles.map((role) => [role, 0])) as Record<
    TrajectoryRole,
    number
  >;
  const counts = { trajectories: 0, wrong: 0, messages, learned: 0, queries: 0, successes: 0, flagged: 0 };
  for await (const { number: line, text } of readLines(file, { lineBytes: LINE_BYTES })) {
    if (text?.trim() === "") continue;
    counts.trajectories += 1;
    const read = text === undefined ? "it is too long" : readLine(text);
    const problems = typeof read === "string" ? [read] : brokenRules(read);
    if (problems.length > 0) counts.wrong += 1;
    for (const problem of problems) onProblem({ line, problem });
    if (typeof read !== "string") count(counts, read);
  }
  return counts;
}

function count(counts: TrajectoryCounts, { messages, flags }: Trajectory): void {
  for (const { role, loss } of messages) {
    counts.messages[role] += 1;
    if (loss) counts.learned += 1;
  }
  counts.queries += flags.queries;
  if (flags.success) counts.successes += 1;
  if (faultsOf(flags).length > 0) counts.flagged += 1;
}

/** A trajectory, or the problem of the line. */
function readLine(text: string): Trajectory | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "expected JSON";
  }
  const parsed = Trajectory.safeParse(value);
  return parsed.success ? parsed.data : describeIssues(parsed.error.issues.map(withKeys));
}

/** An issue that names the fields which no trajectory has. */
const withKeys = (issue: z.core.$ZodIssue): z.core.$ZodIssue =>
  issue.code === "unrecognized_keys"
    ? { ...issue, message: `unknown ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}` }
    : issue;
