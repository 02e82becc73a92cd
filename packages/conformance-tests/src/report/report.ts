import type { Exchange } from "../contract/check.js";
import { shortened } from "../contract/expectations.js";
import { type CheckPlace, levels, profiles } from "../contract/levels.js";
import type { Unreachable } from "../contract/probe.js";
import { linkTo } from "../contract/sentences.js";
import { type Faults, faultOptions } from "../faults/fault-kinds.js";

/** A promise that was not kept, or the suite's own fault. */
export interface Failure {
  readonly expected: string;
  readonly received: string;
  /** The messages on the wire. */
  readonly transcript: readonly Exchange[];
}

/** The result of a check. */
export interface CheckResult extends CheckPlace {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  /**
   * `fault`: the suite could not judge. With a baseline, `known`: red as expected; `stale`: green, but expected to be
   * red.
   */
  readonly status: "passed" | "failed" | "skipped" | "known" | "stale" | "fault";
  readonly durationMs: number;
  /** Of a failed or known check, and of a fault. */
  readonly failure?: Failure;
  /** Why a line was skipped, or is known to be red. */
  readonly reason?: string;
  /** The messages of a check that passed, where they were asked for. */
  readonly trace?: readonly Exchange[];
  /** 2 for a check whose first try took too long. Absent for a check that was tried once. */
  readonly attempts?: 2;
}

/** The results of a run. */
export interface Report {
  readonly subject: "server" | "gateway" | "client" | "cluster";
  /** The command that was checked, word by word. */
  readonly command: readonly string[];
  /** In the order of the checks. */
  readonly results: readonly CheckResult[];
  readonly durationMs: number;
  /** The faults that were ordered. */
  readonly faults?: Faults;
  /** Why no check was run: the program did not speak. */
  readonly unreachable?: Unreachable;
}

/** Options for the text of a report. */
export interface TextOptions {
  /** True for coloured text. Default: false. */
  readonly colour?: boolean;
}

/** The exit codes of a run. 2 is wrong use. */
export const exitCodes = { green: 0, red: 1, nothingChecked: 3, fault: 4 } as const;

/** The lines of the wire that a failure shows. A note counts the earlier lines. */
const SHOWN_EXCHANGES = 40;
/** The characters of a line that it shows. */
const SHOWN_CHARACTERS = 400;

const marks = { sent: "->", received: "<-", stderr: "!!", note: "--" } as const;

/** True for a result that fails a run: a broken MUST, or a stale entry of a baseline. */
export const isRed = ({ status, weight }: CheckResult) =>
  (status === "failed" && weight === "MUST") || status === "stale";

/** True if the program spoke, and each check that ran was judged and passed, or is known to fail. */
export function isGreen({ results, unreachable }: Report): boolean {
  return unreachable === undefined && !results.some((result) => isRed(result) || result.status === "fault");
}

/** 0 if all is green, 1 if not; 3 if nothing was checked, 4 if the suite could not judge and nothing else is red. */
export function exitCodeOf(report: Report): number {
  const { results, unreachable } = report;
  if (unreachable !== undefined || results.some(isRed)) return exitCodes.red;
  if (!isGreen(report)) return exitCodes.fault;
  return results.every(({ status }) => status === "skipped") ? exitCodes.nothingChecked : exitCodes.green;
}

/** The number of results of each status. A broken SHOULD is `warned` and not `failed`. */
export type Counts = Record<CheckResult["status"] | "warned", number>;

/** True for a broken SHOULD, which is told and fails no run. */
export const isWarning = ({ status, weight }: CheckResult) => status === "failed" && weight === "SHOULD";

/** Counts results. */
export function countsOf({ results }: Pick<Report, "results">): Counts {
  const counts = { passed: 0, failed: 0, warned: 0, skipped: 0, known: 0, stale: 0, fault: 0 };
  for (const result of results) counts[isWarning(result) ? "warned" : result.status] += 1;
  return counts;
}

/** The results of the checks of one level, counted. */
export interface LevelSummary extends Counts {
  readonly profile: CheckPlace["profile"];
  readonly level: CheckPlace["level"];
}

/** A summary of each level that has a check. */
export function levelSummaries({ results }: Pick<Report, "results">): LevelSummary[] {
  return profiles.flatMap((profile) =>
    levels.flatMap((level) => {
      const some = results.filter(
        (result) => result.profile === profile && result.level === level && !isException(result),
      );
      return some.length === 0 ? [] : [{ profile, level, ...countsOf({ results: some }) }];
    }),
  );
}

/** A line of the list that is no check proves nothing. */
const isException = ({ rules, status }: CheckResult) => status === "skipped" && rules.length === 0;

/** A report as one JSON text on several lines, with everything in it. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify({ ...report, passed: isGreen(report), counts: countsOf(report), levels: levelSummaries(report) }, null, 2)}\n`;
}

/** Writes a report for a person. Each line of the list has its result, each failure the messages on the wire. */
export function textReport(report: Report, options: TextOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const { results, unreachable } = report;
  const told = results.filter(({ status }) => ["failed", "stale", "fault"].includes(status));
  const name = `${report.subject} ${visible(report.command.join(" "))}`;
  return [
    ...results.map((result) => resultLine(result, paint)),
    ...told.flatMap((result) => ["", ...redLines(result, paint)]),
    ...(unreachable ? unreachableLines(unreachable, paint) : []),
    ...(results.length === 0 ? [] : ["", ...levelLines(report, paint)]),
    "",
    `${name}: ${unreachable ? paint("red", "no check was run") : inCounts(countsOf(report), paint)} (${seconds(report.durationMs)})`,
    ...(report.faults ? [`with faults; the same ones again: ${faultOptions(report.faults)}`] : []),
    ...(exitCodeOf(report) === exitCodes.nothingChecked
      ? ["nothing was checked: every check was skipped, for the reason beside it"]
      : []),
    "",
  ].join("\n");
}

/** A line for each level: of many checks the reader first wants to know what the program has. */
function levelLines(report: Report, paint: Paint): string[] {
  return levelSummaries(report).map(({ profile, level, ...counts }) => {
    const name = `${profile.padEnd(9)} ${level.padEnd(10)}`;
    if (counts.skipped === Object.values(counts).reduce((sum, count) => sum + count, 0))
      return paint("dim", `${name} not checked`);
    return `${name} ${inCounts(counts, paint)}`;
  });
}

/** Counts in words, such as "12 passed, 0 failed, 1 skipped". */
export const countsText = (counts: Counts): string => inCounts(counts, painter(false));

function inCounts({ passed, failed, warned, skipped, known, stale, fault }: Counts, paint: Paint): string {
  return [
    paint("green", `${passed} passed`),
    failed > 0 ? paint("red", `${failed} failed`) : "0 failed",
    `${skipped} skipped`,
    ...(warned > 0 ? [`${warned} warned`] : []),
    ...(known > 0 ? [`${known} known to fail`] : []),
    ...(stale > 0 ? [paint("red", `${stale} stale in the baseline`)] : []),
    ...(fault > 0 ? [paint("red", `${fault} not judged, by a fault of the suite`)] : []),
  ].join(", ");
}

const words = {
  passed: ["ok  ", "green"],
  failed: ["FAIL", "red"],
  skipped: ["skip", "dim"],
  known: ["know", "dim"],
  stale: ["STAL", "red"],
  fault: ["FLT ", "red"],
} as const;

const warning = ["WARN", "dim"] as const;

function resultLine(result: CheckResult, paint: Paint): string {
  const { id, title, status, durationMs, reason, attempts } = result;
  const [word, colour] = isWarning(result) ? warning : words[status];
  const after =
    status === "skipped" || status === "known"
      ? reason
        ? `: ${reason}`
        : ""
      : ` (${durationMs.toFixed(0)} ms${attempts ? ", alone, on the second try" : ""})`;
  return `${paint(colour, word)} ${id} ${title}${after}`;
}

const heads = { failed: "FAIL", stale: "STALE", fault: "FAULT" } as const;

function redLines(result: CheckResult, paint: Paint): string[] {
  const { id, title, rules, status, failure } = result;
  const word = isWarning(result) ? warning[0] : heads[status as keyof typeof heads];
  const head = paint("red", `${word} ${id} ${title}`);
  if (status === "stale") return [head, "  it passes now: take it off the baseline"];
  if (failure === undefined) return [];
  return [
    head,
    `  expected  ${visible(failure.expected)}`,
    `  received  ${visible(failure.received)}`,
    ...(rules.length === 0 ? [] : [`  rules     ${rules.map(linkTo).join(", ")}`]),
    ...wireLines(failure.transcript),
  ];
}

function unreachableLines({ expected, received, advice, transcript }: Unreachable, paint: Paint): string[] {
  return [
    paint("red", "The command does not speak, so no check was run."),
    `  expected  ${visible(expected)}`,
    `  received  ${visible(received)}`,
    `  try       ${advice}`,
    ...wireLines(transcript),
  ];
}

function wireLines(transcript: readonly Exchange[]): string[] {
  const left = Math.max(0, transcript.length - SHOWN_EXCHANGES);
  return [
    "  the wire  -> was sent, <- was received, !! is standard error",
    ...(left === 0 ? [] : [`    (${left} earlier lines are left out)`]),
    ...transcript.slice(left).map((exchange) => `    ${exchangeLine(exchange)}`),
  ];
}

/** A message on the wire as one line, cut where it is long. */
export function exchangeLine({ kind, text }: Exchange): string {
  return `${marks[kind]} ${visible(shortened(text, SHOWN_CHARACTERS))}`;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** Control and bidirectional characters, which could move the cursor or hide text, as escapes. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const codes = { red: 31, green: 32, dim: 2 } as const;

/** Colours a text, or leaves it. */
type Paint = (colour: keyof typeof codes, text: string) => string;

/** Makes a painter for a terminal, or a painter that changes nothing. */
export function painter(colour: boolean): Paint {
  return (name, text) => (colour ? `\u001b[${codes[name]}m${text}\u001b[0m` : text);
}
