import {
  type Check,
  type CheckContext,
  CheckFailure,
  CheckSkipped,
  exceptionReasons,
  type LineException,
} from "./check.js";
import type { CheckResult, Report } from "./report.js";

/** The checks to run, and their circumstances. */
export interface RunOptions<Context extends CheckContext> extends Pick<Report, "subject" | "command"> {
  /** The checks, in the order of the report. */
  readonly checks: readonly Check<Context>[];
  /** Lines of the list that are no check. The report has them as skipped. */
  readonly exceptions: readonly LineException[];
  /** Makes the context of one check. */
  open(check: Check<Context>): Promise<Context>;
  /** The number of checks that run at the same time. */
  readonly concurrency: number;
  /** The time limit of a check, in milliseconds. */
  readonly deadlineMs: number;
  /** Ends the run. Running checks are closed, and all others fail as interrupted. */
  readonly signal?: AbortSignal;
  /** Hears of each result as it comes, in any order. */
  onResult?(result: CheckResult): void;
}

/**
 * Runs checks beside each other, each with a context and a deadline of its own.
 *
 * @returns the report, its results in the order of the checks, then the exceptions.
 */
export async function runChecks<Context extends CheckContext>(options: RunOptions<Context>): Promise<Report> {
  const { subject, command, checks, exceptions, concurrency, onResult } = options;
  const from = performance.now();
  const results = new Array<CheckResult>(checks.length);
  // Checks with intended waits come first, and all others run beside them.
  const queue = [...checks.entries()].sort(([, a], [, b]) => (b.waitsMs ?? 0) - (a.waitsMs ?? 0)).values();
  const worker = async () => {
    for (const [index, check] of queue) {
      const result = await runOne(check, options);
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return {
    subject,
    command,
    results: [...results, ...exceptions.map(skipped)],
    durationMs: performance.now() - from,
  };
}

async function runOne<Context extends CheckContext>(
  check: Check<Context>,
  { open, deadlineMs, signal }: RunOptions<Context>,
): Promise<CheckResult> {
  const { id, title, rules } = check;
  const from = performance.now();
  const done = (
    status: CheckResult["status"],
    more: Pick<CheckResult, "failure" | "reason"> = {},
  ): CheckResult => ({ id, title, rules, status, durationMs: performance.now() - from, ...more });
  if (signal?.aborted) return done("failed", { failure: { ...interrupted, transcript: [] } });
  let context: Context | undefined;
  try {
    context = await open(check);
    await within(check.run(context), context, deadlineMs + (check.waitsMs ?? 0), signal);
    return done("passed");
  } catch (error) {
    if (error instanceof CheckSkipped) return done("skipped", { reason: error.message });
    return done("failed", { failure: { ...asFailure(error), transcript: [...(context?.transcript ?? [])] } });
  } finally {
    await context?.close();
  }
}

const interrupted = { expected: "the check to run to its end", received: "an interruption of the suite" };

function asFailure(error: unknown): { expected: string; received: string } {
  if (error instanceof CheckFailure) return { expected: error.expected, received: error.received };
  return {
    expected: "the check to run to its end",
    received: error instanceof Error ? error.message : String(error),
  };
}

/** Waits for a check, but not longer than its deadline and not after an interruption. */
async function within(
  run: Promise<void>,
  context: CheckContext,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Whatever is left of a check that is no longer awaited fails when its context closes.
  run.catch(() => {});
  let stop = () => {};
  const end = new Promise<never>((_resolve, reject) => {
    const late = () => {
      const expected = context.awaiting ?? "the check to end";
      reject(new CheckFailure(`${expected}, within ${deadlineMs / 1_000} s`, "nothing of the kind"));
    };
    const abort = () => reject(new CheckFailure(interrupted.expected, interrupted.received));
    const timer = setTimeout(late, deadlineMs);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
  });
  try {
    await Promise.race([run, end]);
  } finally {
    stop();
  }
}

function skipped({ id, reason, why }: LineException): CheckResult {
  return {
    id,
    title: exceptionReasons[reason],
    rules: [],
    status: "skipped",
    durationMs: 0,
    reason: `${reason}: ${why}`,
  };
}
