import { availableParallelism } from "node:os";
import type { Check, CheckContext, LineException } from "./check.js";
import type { CheckResult, Report } from "./report.js";
import { runChecks } from "./run-checks.js";

/** The settings of a run. */
export interface SuiteOptions {
  /** The program to check: the file to run and its arguments. No shell reads it. */
  readonly command: readonly string[];
  /** Ids of the checks to run. Default: all. */
  readonly only?: ReadonlySet<string>;
  /** The time limit of a check, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The number of checks that run at the same time. Default: one for each core. */
  readonly concurrency?: number;
  /** Ends the run, and every process that it started. */
  readonly signal?: AbortSignal;
  /** Hears of each result as it comes, in any order. */
  onResult?(result: CheckResult): void;
}

/** All that is known about one side of the wire, as checks. */
export interface Suite {
  readonly subject: Report["subject"];
  /** The checks, in order. */
  readonly checks: readonly Pick<Check, "id" | "title" | "rules">[];
  /** The lines of its list that are no check, and why. */
  readonly exceptions: readonly LineException[];
  /** Runs it against a program. Resolves when every process that it started has ended. */
  run(options: SuiteOptions): Promise<Report>;
}

/**
 * Makes a suite of checks.
 *
 * @param open makes the tools of a check: the running program, or a way to start it.
 */
export function suite<Context extends CheckContext>(
  parts: Pick<Suite, "subject" | "exceptions"> & {
    readonly checks: readonly Check<Context>[];
    open(options: SuiteOptions, check: Check<Context>): Promise<Context>;
  },
): Suite {
  const { subject, checks, exceptions, open } = parts;
  return {
    subject,
    checks,
    exceptions,
    run(options) {
      const {
        command,
        only,
        timeoutMs = 10_000,
        concurrency = availableParallelism(),
        signal,
        onResult,
      } = options;
      const wanted = ({ id }: { id: string }) => only === undefined || only.has(id);
      return runChecks({
        subject,
        command,
        checks: checks.filter(wanted),
        exceptions: exceptions.filter(wanted),
        open: (check) => open(options, check),
        concurrency,
        deadlineMs: timeoutMs,
        ...(signal && { signal }),
        ...(onResult && { onResult }),
      });
    },
  };
}
