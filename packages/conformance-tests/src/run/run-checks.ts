import { randomUUID } from "node:crypto";
import {
  type CheckContext,
  CheckFailure,
  CheckSkipped,
  type Circumstances,
  exceptionReasons,
  type LineException,
} from "../contract/check.js";
import type { Claims, PlacedCheck } from "../contract/levels.js";
import type { Probe, Unreachable } from "../contract/probe.js";
import type { Faults } from "../faults/fault-kinds.js";
import { playersOf } from "../faults/player.js";
import { endMarked } from "../programs/process-group.js";
import type { CheckResult, Report } from "../report/report.js";
import { measurePace } from "./pace.js";

/** The checks to run, and their circumstances. */
export interface RunOptions<Context extends CheckContext> extends Pick<Report, "subject" | "command"> {
  /** The checks, in the order of the report. */
  readonly checks: readonly PlacedCheck<Context>[];
  /** Lines of the list that are no check. The report has them as skipped. */
  readonly exceptions: readonly LineException[];
  /** Looks whether the program speaks, before the first check. Default: nothing looks. */
  readonly probe?: Probe<Context>;
  /** Gives the claims of a program, by whether it negotiates the extended profile. Default: nothing is claimed. */
  claims?(negotiated: boolean): Claims;
  /** Makes the context of one check or of the probe. */
  open(circumstances: Circumstances): Promise<Context>;
  /** The number of checks that run at the same time. */
  readonly concurrency: number;
  /** The time limit of a check on a quiet machine, in milliseconds. */
  readonly deadlineMs: number;
  /** The number of failures over time that are tried once more, each alone. */
  readonly retries: number;
  /** True to keep the messages of checks that passed. */
  readonly traces: boolean;
  /** The factor by which this machine is slower than a quiet machine. Default: measured. */
  readonly pace?: number;
  /** Faults around the conversations. Default: none. */
  readonly faults?: Faults;
  /** Ends the run. Running checks are closed, and all others fail as interrupted. */
  readonly signal?: AbortSignal;
  /** Hears of each result as it comes, in any order. A check that is tried again is told once more. */
  onResult?(result: CheckResult): void;
}

/** The time in which the suite opens and closes the context of a check on a quiet machine, in milliseconds. */
const OWN_WORK_MS = 15_000;
/** The variable by which the suite finds processes that left their group. */
const MARK = "ASKWIRE_CONFORMANCE_RUN";

/**
 * Runs checks beside each other, each with a context and a deadline of its own. A failure over time is tried once
 * more when all others have ended.
 *
 * @returns the report, its results in the order of the checks, then the exceptions.
 */
export async function runChecks<Context extends CheckContext>(options: RunOptions<Context>): Promise<Report> {
  const { subject, command, checks, exceptions, concurrency, retries, faults, onResult } = options;
  const from = performance.now();
  const report = (results: readonly CheckResult[], unreachable?: Unreachable): Report => ({
    subject,
    command,
    results,
    durationMs: performance.now() - from,
    ...(faults && { faults }),
    ...(unreachable && { unreachable }),
  });
  const pace = options.pace ?? (await measurePace());
  const found = checks.length === 0 ? { negotiated: false } : await probed(options, pace);
  if ("advice" in found) return report([], found);
  const claims = options.claims?.(found.negotiated);
  const results = new Array<CheckResult>(checks.length);
  const late: number[] = [];
  // Checks with intended waits come first, and all others run beside them.
  const queue = [...checks.entries()].sort(([, a], [, b]) => (b.waitsMs ?? 0) - (a.waitsMs ?? 0)).values();
  const worker = async () => {
    for (const [index, check] of queue) {
      const { result, overTime } = await runOne(check, { ...options, claims }, pace);
      results[index] = result;
      if (overTime) late.push(index);
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  for (const index of late.slice(0, retries)) {
    if (options.signal?.aborted) break;
    const { result } = await runOne(
      checks[index] as PlacedCheck<Context>,
      { ...options, claims },
      options.pace ?? (await measurePace()),
    );
    results[index] = { ...result, attempts: 2 };
    onResult?.(results[index]);
  }
  return report([...results, ...exceptions.map(skipped)]);
}

/** Tries once whether the program says anything. Whatever it says, the checks judge. */
async function probed<Context extends CheckContext>(
  { probe, deadlineMs, signal, ...options }: RunOptions<Context>,
  pace: number,
): Promise<Unreachable | { readonly negotiated: boolean }> {
  const base = { negotiated: false };
  if (probe === undefined) return base;
  return opened({ open: options.open }, pace, async (context) => {
    try {
      return { negotiated: await within(probe.run(context), context, (deadlineMs / 2) * pace, signal) };
    } catch (error) {
      if (signal?.aborted || !(error instanceof CheckFailure)) return base;
      if (context.transcript.some(({ kind }) => kind === "received")) return base;
      const { expected, received } = error;
      return { expected, received, advice: probe.advice, transcript: [...context.transcript] };
    }
    // Whatever keeps the suite from opening a context is told by the checks.
  }).catch(() => base);
}

interface Outcome {
  readonly result: CheckResult;
  /** True for a failure that a busy machine may have caused. */
  readonly overTime?: boolean;
}

async function runOne<Context extends CheckContext>(
  check: PlacedCheck<Context>,
  options: Omit<RunOptions<Context>, "claims"> & { readonly claims: Claims | undefined },
  pace: number,
): Promise<Outcome> {
  const { claims, deadlineMs, traces, faults, signal, open } = options;
  const { id, title, rules, profile, level, weight, waitsMs = 0 } = check;
  const from = performance.now();
  const done = (status: CheckResult["status"], more: Partial<CheckResult> = {}): CheckResult => ({
    id,
    title,
    rules,
    profile,
    level,
    weight,
    status,
    durationMs: performance.now() - from,
    ...more,
  });
  if (claims?.(check) === false)
    return { result: done("skipped", { reason: `not claimed: ${level} of ${profile}` }) };
  if (signal?.aborted) return { result: done("failed", { failure: { ...interrupted, transcript: [] } }) };
  const judged = async (context: Context): Promise<Outcome> => {
    try {
      await within(check.run(context), context, deadlineMs * pace + waitsMs, signal);
      return { result: done("passed", traces ? { trace: [...context.transcript] } : {}) };
    } catch (error) {
      const transcript = [...context.transcript];
      if (error instanceof CheckSkipped) {
        if (claims === undefined || error.isChoice)
          return { result: done("skipped", { reason: error.message }) };
        const expected = `a way to test ${level} of ${profile}, which counts as claimed (--claim says what does)`;
        return { result: done("failed", { failure: { expected, received: error.message, transcript } }) };
      }
      if (!(error instanceof CheckFailure))
        return { result: done("fault", { failure: { ...asFault(error), transcript } }) };
      const { expected, received } = error;
      const overTime = error instanceof LateFailure || waitsMs > 0 || check.timed === true;
      return { result: done("failed", { failure: { expected, received, transcript } }), overTime };
    }
  };
  try {
    const player = faults === undefined || check.isExact === true ? undefined : playersOf(faults, id);
    return await opened({ open: (given) => open({ ...given, ...(player && { player }) }) }, pace, judged);
  } catch (error) {
    return { result: done("fault", { failure: { ...asFault(error), transcript: [] } }) };
  }
}

/** Opens a context, uses it and closes it, all of it bounded. Then nothing that was started is left. */
async function opened<Context extends CheckContext, Result>(
  { open }: Pick<RunOptions<Context>, "open">,
  pace: number,
  use: (context: Context) => Promise<Result>,
): Promise<Result> {
  const mark = randomUUID();
  const limit = OWN_WORK_MS * pace;
  const context = await bounded(open({ env: { [MARK]: mark }, pace }), limit, "the start of the check");
  try {
    return await use(context);
  } finally {
    await bounded(context.close(), limit, "the end of the check").finally(() => endMarked(`${MARK}=${mark}`));
  }
}

/** Waits for the suite's own work. */
async function bounded<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} takes longer than ${limitMs / 1_000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const interrupted = { expected: "the check to run to its end", received: "an interruption of the suite" };

const asFault = (error: unknown) => ({
  expected: interrupted.expected,
  received: `a fault of the suite: ${error instanceof Error ? error.message : String(error)}`,
});

/** A deadline that has passed. */
class LateFailure extends CheckFailure {}

/** Waits for a check, but not longer than its deadline and not after an interruption. */
async function within<T>(
  run: Promise<T>,
  context: CheckContext,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  // Whatever is left of a check that is no longer awaited fails when its context closes.
  run.catch(() => {});
  let stop = () => {};
  const end = new Promise<never>((_resolve, reject) => {
    const late = () => {
      const expected = context.awaiting ?? "the check to end";
      const seconds = Number((deadlineMs / 1_000).toFixed(1));
      reject(new LateFailure(`${expected}, within ${seconds} s`, "nothing of the kind"));
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
    return await Promise.race([run, end]);
  } finally {
    stop();
  }
}

function skipped({ id, reason, why }: LineException): CheckResult {
  return {
    id,
    title: exceptionReasons[reason],
    rules: [],
    profile: "wire-1.10",
    level: "core",
    weight: "SHOULD",
    status: "skipped",
    durationMs: 0,
    reason: `${reason}: ${why}`,
  };
}
