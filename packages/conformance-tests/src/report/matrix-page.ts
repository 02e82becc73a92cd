import { levels, profiles } from "../contract/levels.js";
import type { Unreachable } from "../contract/probe.js";
import { linkTo } from "../contract/sentences.js";
import { matrixStyle } from "./matrix-style.js";
import {
  type CheckResult,
  type Counts,
  countsOf,
  countsText,
  exchangeLine,
  type Failure,
  isWarning,
  levelSummaries,
  type Report,
  visible,
} from "./report.js";

const marks = {
  passed: "ok",
  failed: "fail",
  warned: "warn",
  skipped: "skip",
  known: "known",
  stale: "stale",
  fault: "fault",
} as const;

const legend = {
  passed: "the promise is kept",
  warned: "a SHOULD is broken, which fails no run",
  failed: "a MUST is broken",
  known: "broken, and listed in the baseline",
  stale: "kept now, and still listed in the baseline",
  fault: "the suite could not judge",
  skipped: "not checked; the word opens on the reason",
} as const satisfies Record<keyof typeof marks, string>;

/**
 * Makes an HTML page of the reports of one or more peers: a table of the levels, and a table with a row for each check
 * and a column for each peer. A cell leads to what was expected and received, and the messages on the wire. The page
 * uses nothing from outside itself, and no script.
 */
export function matrixPage(reports: readonly Report[]): string {
  const [subject = ""] = new Set(reports.map(({ subject }) => subject));
  const heads = reports.map((report) => `<th scope="col" class="peer">${html(nameOf(report))}</th>`).join("");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance: ${html(subject)}</title>
<style>${matrixStyle}</style>
<h1>Conformance: ${html(subject)}</h1>
${silent(reports)}
<table>
<thead><tr><th scope="col">level</th>${heads}</tr></thead>
<tbody>
${levelRows(reports)}
</tbody>
</table>
<h2>The checks</h2>
<dl class="legend">${Object.entries(legend).map(legendEntry).join("")}</dl>
<p>Words such as P-ENV-1 are the sentences of docs/protocol.md that a check proves.</p>
<p><label><input type="checkbox" id="only"> Only checks that are not ok everywhere</label></p>
<table>
<thead><tr><th scope="col">check</th><th scope="col">title</th>${heads}</tr></thead>
<tbody>
${checkRows(reports)}
</tbody>
</table>
${reports.map(details).join("")}
</html>
`;
}

const nameOf = ({ command }: Report) => command.join(" ");

const wordOf = (result: CheckResult) => (isWarning(result) ? "warned" : result.status);

const legendEntry = ([word, means]: [string, string]) =>
  `<div><dt class="${word}">${marks[word as keyof typeof marks]}</dt><dd>${means}</dd></div>`;

/** A row for each level that one of the peers was checked at, and a row for all together. */
function levelRows(reports: readonly Report[]): string {
  const summaries = reports.map(levelSummaries);
  const row = (name: string, cells: readonly string[]) =>
    `<tr><th scope="row" class="level">${name}</th>${cells.join("")}</tr>`;
  const rows = profiles.flatMap((profile) =>
    levels.flatMap((level) => {
      const found = summaries.map((some) =>
        some.find((one) => one.profile === profile && one.level === level),
      );
      return found.every((one) => one === undefined)
        ? []
        : [row(`${profile} ${level}`, found.map(countsCell))];
    }),
  );
  const all = reports.map((report) =>
    report.unreachable ? '<td class="failed">does not speak</td>' : countsCell(countsOf(report)),
  );
  return [...rows, row("<b>all</b>", all)].join("\n");
}

/** The counts of a level in the colour of the worst of them. */
function countsCell(counts: Counts | undefined): string {
  if (counts === undefined) return '<td class="none">not run</td>';
  const { passed, failed, warned, skipped, known, stale, fault } = counts;
  const worst = (["failed", "stale", "fault", "warned", "passed"] as const).find((word) => counts[word] > 0);
  if (worst === undefined && known === 0) return '<td class="skipped">not checked</td>';
  const text = countsText({ passed, failed, warned, skipped, known, stale, fault });
  return `<td class="${worst ?? "known"}">${text}</td>`;
}

/** The rows of the checks, profile by profile and level by level. */
function checkRows(reports: readonly Report[]): string {
  const checks = new Map<string, CheckResult>();
  for (const { results } of reports)
    for (const result of results) checks.set(result.id, checks.get(result.id) ?? result);
  return profiles
    .flatMap((profile) =>
      levels.flatMap((level) => {
        const some = [...checks.values()].filter((one) => one.profile === profile && one.level === level);
        if (some.length === 0) return [];
        const span = reports.length + 2;
        const head = `<tr class="group"><th scope="rowgroup" colspan="${span}">${profile} ${level}</th></tr>`;
        return [head, ...some.map((check) => checkRow(check, reports))];
      }),
    )
    .join("\n");
}

function checkRow({ id, title, rules }: CheckResult, reports: readonly Report[]): string {
  const results = reports.map(({ results }) => results.find((result) => result.id === id));
  const isKept = results.every((result) => result?.status === "passed");
  const sentences = rules.map((rule) => `<span>${html(rule)}</span>`).join(" ");
  const cells = results.map((result, index) => cell(result, index));
  return `<tr${isKept ? ' class="kept"' : ""}><th scope="row">${html(id)}</th><td>${html(title)} <small>${sentences}</small></td>${cells.join("")}</tr>`;
}

function cell(result: CheckResult | undefined, peer: number): string {
  if (result === undefined) return '<td class="none">not run</td>';
  const word = wordOf(result);
  const mark = marks[word];
  const { id, reason, failure, trace } = result;
  const text = failure || trace ? `<a href="#${anchor(peer, id)}">${mark}</a>` : mark;
  const cell = reason ? `<details><summary>${text}</summary>${html(reason)}</details>` : text;
  return `<td class="${word}">${cell}</td>`;
}

const anchor = (peer: number, id: string) => html(`peer-${peer + 1}-${id}`);

/** All that a peer's cells lead to. */
function details(report: Report, peer: number): string {
  const told = report.results.filter(({ failure, trace }) => failure || trace);
  if (told.length === 0) return "";
  const sections = told.map((result) => {
    const { id, title, rules, failure, trace = [] } = result;
    const links = rules.length > 0 ? `<p><small>${html(rules.map(linkTo).join(", "))}</small></p>` : "";
    const word = wordOf(result);
    return `<section id="${anchor(peer, id)}"><h3><b class="${word}">${marks[word]}</b> ${html(id)} ${html(title)}</h3>${
      failure ? failureText(failure) : wire(trace)
    }${links}</section>`;
  });
  return `<h2>${html(nameOf(report))}</h2>\n${sections.join("\n")}\n`;
}

const wire = (transcript: Failure["transcript"]) =>
  transcript.length === 0
    ? ""
    : `<pre>${transcript.map((exchange) => html(exchangeLine(exchange))).join("\n")}</pre>`;

function failureText({ expected, received, transcript }: Failure): string {
  return `<dl><dt>expected</dt><dd>${html(expected)}</dd><dt>received</dt><dd>${html(received)}</dd></dl>${wire(transcript)}`;
}

function silent(reports: readonly Report[]): string {
  const text = (report: Report, failure: Unreachable) =>
    `<section><h2>${html(nameOf(report))} does not speak</h2>${failureText(failure)}<p>${html(failure.advice)}</p></section>`;
  return reports
    .flatMap((report) => (report.unreachable ? [text(report, report.unreachable)] : []))
    .join("\n");
}

const html = (text: string) =>
  visible(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
