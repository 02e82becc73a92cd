import { linkTo } from "../contract/sentences.js";
import {
  type CheckResult,
  countsOf,
  exchangeLine,
  type Failure,
  isWarning,
  type Report,
  visible,
} from "./report.js";

/** A report as JUnit's XML, as servers of continuous integration read it. */
export function junitReport(report: Report): string {
  const { subject, results, durationMs, unreachable } = report;
  const { failed, stale, fault, skipped, known, warned } = countsOf(report);
  const attributes = {
    name: `askwire conformance ${subject}`,
    tests: Math.max(results.length, unreachable ? 1 : 0),
    failures: failed + stale + (unreachable ? 1 : 0),
    errors: fault,
    skipped: skipped + known + warned,
    time: (durationMs / 1_000).toFixed(3),
  };
  const start = `  <testcase classname="${subject}" name="the command speaks" time="0">`;
  const cases = unreachable
    ? [start, ...failureElement("failure", unreachable.advice, unreachable), "  </testcase>"]
    : results.flatMap((result) => caseElement(subject, result));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite${inXml(attributes)}>`,
    ...cases,
    "</testsuite>",
    "",
  ].join("\n");
}

function caseElement(subject: string, result: CheckResult): string[] {
  const { id, title, rules, status, durationMs, failure } = result;
  const isAdvice = isWarning(result);
  const reason = isAdvice ? `SHOULD: expected ${failure?.expected}` : result.reason;
  const start = `  <testcase${inXml({ classname: subject, name: `${id} ${title}`, time: (durationMs / 1_000).toFixed(3) })}`;
  if (status === "passed") return [`${start}/>`];
  if (status === "skipped" || status === "known" || isAdvice)
    return [`${start}>`, `    <skipped${inXml({ message: reason ?? "" })}/>`, "  </testcase>"];
  if (status === "stale")
    return [`${start}>`, '    <failure message="it passes now: take it off the baseline"/>', "  </testcase>"];
  const element = status === "fault" ? "error" : "failure";
  const more = failure ? failureElement(element, rules.map(linkTo).join(" "), failure) : [];
  return [`${start}>`, ...more, "  </testcase>"];
}

function failureElement(
  element: "failure" | "error",
  type: string,
  { expected, received, transcript }: Failure,
): string[] {
  const message = `expected ${expected}; received ${received}`;
  return [
    `    <${element}${inXml({ message, type })}>`,
    ...transcript.map((exchange) => text(exchangeLine(exchange))),
    `    </${element}>`,
  ];
}

const inXml = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${text(String(value)).replaceAll('"', "&quot;")}"`)
    .join("");

/** Text for XML, which has no place for some characters at all. */
const text = (value: string) =>
  visible(value)
    .replace(
      /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
