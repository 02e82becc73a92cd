import type { CheckResult, Report } from "../report/report.js";
import { WrongUse } from "../wrong-use.js";
import type { Suite } from "./suite.js";

/** The checks that are known to fail, each with the reason. */
export type Baseline = ReadonlyMap<string, string>;

/**
 * Reads a baseline: on each line the id of a check, then a reason. Empty lines and lines that begin with `#` are
 * left out.
 *
 * @param name the name of the file, for errors.
 * @throws WrongUse for a line that names no check of the suite, or one twice.
 */
export function readBaseline(text: string, name: string, { checks }: Pick<Suite, "checks">): Baseline {
  const known = new Set(checks.map(({ id }) => id));
  const baseline = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, id = "", reason = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (id === "" || id.startsWith("#")) continue;
    const place = `${name}, line ${index + 1}`;
    if (!known.has(id))
      throw new WrongUse(`${place}: expected the id of a check, got ${id}; --list shows all`);
    if (baseline.has(id)) throw new WrongUse(`${place}: ${id} is listed twice`);
    baseline.set(id, reason);
  }
  return baseline;
}

/** A report in which checks that are known to fail do not fail it, and those that pass now do. */
export function withBaseline(report: Report, baseline: Baseline): Report {
  return { ...report, results: report.results.map((result) => judged(result, baseline.get(result.id))) };
}

function judged(result: CheckResult, reason: string | undefined): CheckResult {
  if (reason === undefined) return result;
  if (result.status === "passed") return { ...result, status: "stale" };
  if (result.status !== "failed") return result;
  return { ...result, status: "known", reason: reason || "in the baseline" };
}

/** The text of a baseline with all that fails in a report, for a file. */
export function baselineOf({ subject, results }: Report): string {
  const lines = results
    .filter(({ status }) => status === "failed" || status === "known")
    .map(({ id, title, status, reason }) => `${id} ${status === "known" ? reason : title}`);
  return [`# Checks of the ${subject} that are known to fail: an id, then why.`, ...lines, ""].join("\n");
}
