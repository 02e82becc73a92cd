import { availableParallelism } from "node:os";
import type { ActsTo } from "../contract/acts-to.js";
import type { CheckContext, Circumstances, LineException } from "../contract/check.js";
import type { CheckPlace, Claims, PlacedCheck } from "../contract/levels.js";
import type { Probe } from "../contract/probe.js";
import type { Faults } from "../faults/fault-kinds.js";
import type { CheckResult, Report } from "../report/report.js";
import { runChecks } from "./run-checks.js";

/** The settings of a run. */
export interface SuiteOptions {
  /** The program to check: the file to run and its arguments. No shell reads it. */
  readonly command: readonly string[];
  /** Ids of the checks to run. Default: all. */
  readonly only?: ReadonlySet<string>;
  /**
   * The levels that the program says it has. Checks of others are skipped, and none of these may be. Default: with
   * `only` nothing; else all of `wire-1.10`, and all of `askwire` where the program negotiates it.
   */
  readonly claims?: Claims;
  /** The time limit of a check on a quiet machine, in milliseconds. A slow machine has more. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The number of checks that run at the same time. Default: one for each core. */
  readonly concurrency?: number;
  /** The number of failures over time that are tried once more, each alone. Default: 5. */
  readonly retries?: number;
  /** Faults around the conversations of all checks that look at no exact bytes. Default: none. */
  readonly faults?: Faults;
  /** False to run checks without looking first whether the program speaks. Default: true. */
  readonly probes?: boolean;
  /** The factor by which this machine is slower than a quiet machine, from 1. Default: measured. */
  readonly pace?: number;
  /** The receiver of the acts of the person at a client. Default: the client acts by itself, as its variables say. */
  readonly acts?: ActsTo;
  /**
   * The words before a script that run it: an agent that a client launches is one. Default: the Node of this process,
   * which an embedder in a single executable has to replace.
   */
  readonly node?: readonly string[];
  /** True to keep the messages of checks that passed. Default: false. */
  readonly traces?: boolean;
  /** Ends the run, and every process that it started. */
  readonly signal?: AbortSignal;
  /** Hears of each result as it comes, in any order. */
  onResult?(result: CheckResult): void;
}

/** All that is known about one side of the wire, as checks. */
export interface Suite {
  readonly subject: Report["subject"];
  /** The checks, in order. */
  readonly checks: readonly (Pick<PlacedCheck, "id" | "title" | "rules"> & CheckPlace)[];
  /** The lines of its list that are no check, and why. */
  readonly exceptions: readonly LineException[];
  /** Runs it against a program. Resolves when every process that it started has ended. */
  run(options: SuiteOptions): Promise<Report>;
}

/**
 * Makes a suite of checks.
 *
 * @param open makes the tools of a check: ways to start the program.
 */
export function suite<Context extends CheckContext>(
  parts: Pick<Suite, "subject" | "exceptions"> & {
    readonly checks: readonly PlacedCheck<Context>[];
    /** Gives the claims of a program that states none. */
    defaultClaims(negotiated: boolean): Claims;
    readonly probe: Probe<Context>;
    open(command: readonly string[], circumstances: Circumstances): Promise<Context>;
  },
): Suite {
  const { subject, checks, exceptions, defaultClaims, probe, open } = parts;
  return {
    subject,
    checks,
    exceptions,
    run(options) {
      const {
        command,
        only,
        claims,
        timeoutMs = 10_000,
        concurrency = availableParallelism(),
        retries = 5,
        faults,
        probes = true,
        pace,
        traces = false,
        acts,
        node,
        signal,
        onResult,
      } = options;
      const wanted = ({ id }: { id: string }) => only === undefined || only.has(id);
      return runChecks({
        subject,
        command,
        checks: checks.filter(wanted),
        exceptions: exceptions.filter(wanted),
        open: (circumstances) =>
          open(command, { ...circumstances, ...(acts && { acts }), ...(node && { node }) }),
        concurrency,
        deadlineMs: timeoutMs,
        retries,
        traces,
        ...(faults && { faults }),
        ...(probes && { probe }),
        ...(pace !== undefined && { pace }),
        ...(claims ? { claims: () => claims } : only || !probes ? {} : { claims: defaultClaims }),
        ...(signal && { signal }),
        ...(onResult && { onResult }),
      });
    },
  };
}
