import type { Exchange } from "./check.js";
import { shortened } from "./expectations.js";
import { linkTo } from "./sentences.js";

/** The result of a check. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly status: "passed" | "failed" | "skipped";
  readonly durationMs: number;
  /** Of a failed check. */
  readonly failure?: {
    readonly expected: string;
    readonly received: string;
    readonly transcript: readonly Exchange[];
  };
  /** Why a line was skipped. */
  readonly reason?: string;
}

/** The results of a run. */
export interface Report {
  readonly subject: "server" | "gateway" | "client";
  /** The command that was checked, word by word. */
  readonly command: readonly string[];
  /** In the order of the checks. */
  readonly results: readonly CheckResult[];
  readonly durationMs: number;
}

/** Options for the text of a report. */
export interface TextOptions {
  /** True for coloured text. Default: false. */
  readonly colour?: boolean;
}

/** The lines of the wire that a failure shows. A note counts the earlier lines. */
const SHOWN_EXCHANGES = 40;
/** The characters of a line that it shows. */
const SHOWN_CHARACTERS = 400;

const marks = { sent: "->", received: "<-", stderr: "!!", note: "--" } as const;

/** True if every check that ran has passed. */
export function isGreen({ results }: Report): boolean {
  return results.every(({ status }) => status !== "failed");
}

/** A report as one JSON text on several lines, with everything in it. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify({ ...report, passed: isGreen(report), counts: countsOf(report) }, null, 2)}\n`;
}

/** Writes a report for a person. Each line of the list has its result, each failure the messages on the wire. */
export function textReport(report: Report, options: TextOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const { passed, failed, skipped } = countsOf(report);
  const failures = report.results.filter(({ status }) => status === "failed");
  const counts = [
    paint("green", `${passed} passed`),
    failed > 0 ? paint("red", `${failed} failed`) : "0 failed",
    `${skipped} skipped`,
  ];
  return [
    ...report.results.map((result) => resultLine(result, paint)),
    ...failures.flatMap((result) => ["", ...failureLines(result, paint)]),
    "",
    `${report.subject} ${visible(report.command.join(" "))}: ${counts.join(", ")} (${seconds(report.durationMs)})`,
    "",
  ].join("\n");
}

function resultLine(result: CheckResult, paint: Paint): string {
  const { id, title, status, durationMs, reason } = result;
  if (status === "passed") return `${paint("green", "ok  ")} ${id} ${title} (${durationMs.toFixed(0)} ms)`;
  if (status === "skipped") return `${paint("dim", "skip")} ${id} ${title}${reason ? `: ${reason}` : ""}`;
  return `${paint("red", "FAIL")} ${id} ${title} (${durationMs.toFixed(0)} ms)`;
}

function failureLines({ id, title, rules, failure }: CheckResult, paint: Paint): string[] {
  if (failure === undefined) return [];
  const { expected, received, transcript } = failure;
  const left = Math.max(0, transcript.length - SHOWN_EXCHANGES);
  return [
    paint("red", `FAIL ${id} ${title}`),
    `  expected  ${visible(expected)}`,
    `  received  ${visible(received)}`,
    ...(rules.length === 0 ? [] : [`  rules     ${rules.map(linkTo).join(", ")}`]),
    "  the wire  -> was sent, <- was received, !! is standard error",
    ...(left === 0 ? [] : [`    (${left} earlier lines are left out)`]),
    ...transcript
      .slice(left)
      .map(({ kind, text }) => `    ${marks[kind]} ${visible(shortened(text, SHOWN_CHARACTERS))}`),
  ];
}

function countsOf({ results }: Report) {
  const count = (status: CheckResult["status"]) =>
    results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** Control and bidirectional characters, which could move the cursor or hide text, as escapes. */
function visible(text: string): string {
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
