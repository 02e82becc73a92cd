import type { Unreachable } from "./probe.js";
import { type CheckResult, countsOf, exchangeLine, type Failure, type Report, visible } from "./report.js";
import { linkTo } from "./sentences.js";

const marks = {
  passed: "ok",
  failed: "fail",
  skipped: "–",
  known: "known",
  stale: "stale",
  fault: "fault",
} as const;

/**
 * One HTML page for the reports of one or more peers: a row for each check and a column for each peer. Each cell
 * opens on what was expected and received, and the messages on the wire. The page uses nothing from outside itself.
 */
export function matrixPage(reports: readonly Report[]): string {
  const [subject] = new Set(reports.map(({ subject }) => subject));
  const rows = new Map<string, CheckResult>();
  for (const { results } of reports)
    for (const result of results) rows.set(result.id, rows.get(result.id) ?? result);
  const heads = reports.map(
    (report) => `<th scope="col">${html(nameOf(report))}<br><small>${summary(report)}</small></th>`,
  );
  const body = [...rows.values()].map((row) => {
    const cells = reports.map(({ results }) => cell(results.find(({ id }) => id === row.id)));
    const rules = row.rules.map((rule) => `<a href="${html(linkTo(rule))}">${html(rule)}</a>`).join(" ");
    return `<tr><th scope="row">${html(row.id)}</th><td>${html(row.title)} <small>${rules}</small></td>${cells.join("")}</tr>`;
  });
  const silent = reports.flatMap((report) =>
    report.unreachable ? [unreachableText(report, report.unreachable)] : [],
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance: ${html(subject ?? "")}</title>
<style>${style}</style>
<h1>Conformance: ${html(subject ?? "")}</h1>
${silent.join("\n")}
<table>
<thead><tr><th scope="col">check</th><th scope="col">title</th>${heads.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</html>
`;
}

const nameOf = ({ command }: Report) => command.join(" ");

function summary(report: Report): string {
  if (report.unreachable) return "does not speak";
  const { passed, failed, skipped } = countsOf(report);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function cell(result: CheckResult | undefined): string {
  if (result === undefined) return '<td class="none">not run</td>';
  const { status, failure, reason, trace } = result;
  const mark = marks[status];
  const more = failure
    ? failureText(failure)
    : trace
      ? `<pre>${trace.map((exchange) => html(exchangeLine(exchange))).join("\n")}</pre>`
      : "";
  const why = reason ? `<p>${html(reason)}</p>` : "";
  if (more === "" && why === "") return `<td class="${status}">${mark}</td>`;
  return `<td class="${status}"><details><summary>${mark}</summary>${why}${more}</details></td>`;
}

function failureText({ expected, received, transcript }: Failure): string {
  const lines = transcript.map((exchange) => html(exchangeLine(exchange))).join("\n");
  return `<dl><dt>expected</dt><dd>${html(expected)}</dd><dt>received</dt><dd>${html(received)}</dd></dl><pre>${lines}</pre>`;
}

function unreachableText(report: Report, failure: Unreachable): string {
  return `<section><h2>${html(nameOf(report))} does not speak</h2>${failureText(failure)}<p>${html(failure.advice)}</p></section>`;
}

const html = (text: string) =>
  visible(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }
thead th { position: sticky; top: 0; background: #f3f3f3 } small { color: #595959; font-weight: normal }
td.passed { background: #e3f4e3 } td.failed, td.stale { background: #fbdcdc } td.fault { background: #fce9c8 }
td.known { background: #eee } pre { max-width: 60rem; overflow: auto; font-size: 12px } dd { margin: 0 0 .4rem }
@media (prefers-color-scheme: dark) {
  body { color: #e8e8e8; background: #161616 } thead th { background: #242424 } small { color: #a8a8a8 }
  th, td { border-color: #444 } td.passed { background: #16361a } td.failed, td.stale { background: #4b1a1a }
  td.fault { background: #47360f } td.known { background: #2a2a2a } a { color: #8ab4f8 }
}`;
