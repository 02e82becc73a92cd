import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  type CheckResult,
  clientSuite,
  gatewaySuite,
  isGreen,
  jsonReport,
  type Suite,
  serverSuite,
  textReport,
} from "@askwire/conformance-tests";
import { usageFailure } from "../input/failure.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const suites = { server: serverSuite, client: clientSuite, gateway: gatewaySuite } satisfies Record<
  string,
  Suite
>;

export interface ConformanceOptions {
  /** Ids of checks, separated by commas. */
  readonly only?: string;
  /** Seconds for one check. */
  readonly timeout: number;
  readonly json?: boolean;
  readonly list?: boolean;
}

/**
 * Checks a server, a client or a gateway, and prints the report. Exit code 0 if all is green, 1 if not, 2 for wrong
 * use.
 */
export async function conformance(
  subject: string,
  command: readonly string[],
  { only: ids, timeout, json = false, list = false }: ConformanceOptions,
): Promise<void> {
  const known = Object.keys(suites).join(", ");
  if (!Object.hasOwn(suites, subject))
    throw usageFailure(`conformance ${subject}: expected one of ${known}, then -- and the command to check`);
  const suite: Suite = suites[subject as keyof typeof suites];
  const only = ids === undefined ? undefined : chosen(suite, ids);
  if (list) return print(listed(suite, only, json));
  refuseMissing(subject, command);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  // The started processes are in groups of their own, so no signal of the terminal ends them.
  for (const signal of signals) process.on(signal, interrupt);
  const progress = showProgress(only?.size ?? suite.checks.length);
  const report = await suite.run({
    command,
    timeoutMs: timeout * 1_000,
    signal: stop.signal,
    onResult: progress.result,
    ...(only && { only }),
  });
  progress.end();
  for (const signal of signals) process.off(signal, interrupt);
  print(json ? jsonReport(report) : textReport(report, { colour: isColoured(process.stdout) }));
  if (!isGreen(report)) process.exitCode = 1;
}

function chosen({ checks, exceptions }: Suite, text: string): ReadonlySet<string> {
  const ids = text.split(",").map((id) => id.trim().toUpperCase());
  const known = new Set([...checks, ...exceptions].map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw usageFailure(`--only ${text}: there is no check ${unknown.join(", ")}; --list shows all`);
  return new Set(ids);
}

function listed({ checks, exceptions }: Suite, only: ReadonlySet<string> | undefined, json: boolean): string {
  const wanted = ({ id }: { id: string }) => only === undefined || only.has(id);
  const some = { checks: checks.filter(wanted), exceptions: exceptions.filter(wanted) };
  if (json) {
    const rows = some.checks.map(({ id, title, rules }) => ({ id, title, rules }));
    return `${JSON.stringify({ checks: rows, exceptions: some.exceptions }, null, 2)}\n`;
  }
  const lines = [
    ...some.checks.map(
      ({ id, title, rules }) => `${id} ${title}${rules.length > 0 ? ` [${rules.join(", ")}]` : ""}`,
    ),
    ...some.exceptions.map(({ id, reason, why }) => `${id} no check, ${reason}: ${why}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Refuses a missing file, since one line about it is better than red checks. */
function refuseMissing(subject: string, [file]: readonly string[]): void {
  if (file === undefined) throw usageFailure(`conformance ${subject}: name the command to check after --`);
  const folders = /[\\/]/.test(file) ? [""] : (process.env.PATH ?? "").split(delimiter);
  const names = process.platform === "win32" ? ["", ".exe", ".cmd"].map((end) => file + end) : [file];
  const found = folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
  if (!found) throw usageFailure(`${file}: no such command; check the path`);
}

/** Shows the progress on one line of standard error, at a terminal only; the line goes away. */
function showProgress(count: number): { result(result: CheckResult): void; end(): void } {
  const { stderr } = process;
  if (stderr.isTTY !== true) return { result() {}, end() {} };
  let done = 0;
  let red = 0;
  return {
    result({ status }) {
      done += 1;
      if (status === "failed") red += 1;
      stderr.write(`\r\u001b[K${done} of ${count} checks${red === 0 ? "" : `, ${red} red`}`);
    },
    end: () => void stderr.write("\r\u001b[K"),
  };
}

const isColoured = ({ isTTY }: { isTTY?: boolean }) =>
  isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";

function print(text: string): void {
  process.stdout.write(text);
}
