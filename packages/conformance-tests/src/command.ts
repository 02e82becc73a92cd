import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { onLines } from "@askwire/protocol/node";
import { clientSuite } from "./client/client-suite.js";
import { type Claims, readClaims } from "./contract/levels.js";
import { readFaults } from "./faults/fault-kinds.js";
import { junitReport } from "./report/junit-report.js";
import { matrixPage } from "./report/matrix-page.js";
import { progressLine, progressLog } from "./report/progress.js";
import { exitCodeOf, jsonReport, type Report, textReport } from "./report/report.js";
import { type Baseline, baselineOf, readBaseline, withBaseline } from "./run/baseline.js";
import { selected } from "./run/selection.js";
import type { Suite, SuiteOptions } from "./run/suite.js";
import { clusterAddresses } from "./server/cluster/cluster-addresses.js";
import { clusterSuite } from "./server/cluster/cluster-suite.js";
import { gatewaySuite } from "./server/gateway/gateway-suite.js";
import { serverSuite } from "./server/server-suite.js";
import { type TemplateSource, templates, writeTemplate } from "./template.js";
import { WrongUse } from "./wrong-use.js";

const suites = {
  server: serverSuite,
  client: clientSuite,
  gateway: gatewaySuite,
  cluster: clusterSuite,
} as const;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The help of the command. */
export const help = (name: string) => `Usage: ${name} server|client|gateway [options] -- COMMAND [ARGUMENT...]
       ${name} cluster [options] ADDRESS ADDRESS...
       ${name} server|client|gateway|cluster --list
       ${name} matrix REPORT.json... > matrix.html
       ${name} template ${Object.keys(templates).join("|")} [FOLDER]

Check whether a server, a client, or a gateway (a server that listens for WebSockets) keeps the promises of the
protocol, and print the results. COMMAND is the program to check, in any language; it runs without a shell. "cluster"
checks nodes that run already, such as ws://10.0.0.7:8080: whether they are one server to whoever comes. It asks
questions in sessions of its own, and closes these. "template" writes a client that passes every check into a folder
(default: this one), as a start for your own.

What to check:
  --only <ids>            run only these checks: ids or sentences, separated by commas; * matches any characters
  --grep <pattern>        run only checks whose title matches this regular expression
  --list                  print the checks with level, weight and sentences, without running them
  --claim <words>         what COMMAND claims to support, by commas: profiles (wire-1.10, askwire), levels (core,
                          questions, approvals, tools, hooks, sessions, journal, extended, resilience, security), or both,
                          as in askwire/core; or all. Other checks are left out; a claimed check that cannot be run fails.
                          Default: all of wire-1.10, and all of askwire if COMMAND negotiates it
  --claims <file>         read the claims from this file, one per line
How to check:
  --timeout <seconds>     time limit of a check on a quiet machine; a slow machine gets more (default: 10)
  --concurrency <number>  how many checks run at the same time (default: one per core)
  --faults [<kinds>]      inject faults that a correct COMMAND survives: split, together, crlf, blank, bom, delay,
                          repeat, drop, by commas (default: all)
  --seed <number>         repeat the faults of an earlier run, which printed this number
  --retries <number>      how many timed-out checks to run again, one at a time (default: 5)
  --baseline <file>       checks known to fail, one per line with the reason; a check that passes again must be removed
  --acts <where>          for a client: who acts as the person. "stdin": COMMAND reads acts as JSON lines;
                          "terminal": you do, as prompted here; or a program of yours, run once for each act,
                          as ./press.sh. Default: COMMAND itself, as its variables say
  --token-file <file>     for a cluster: the token of the addresses that have none behind a #
What to print:
  --json                  the report as JSON, instead of a table
  --junit <file>          also write the report as JUnit XML
  --html <file>           also write the report as a web page
  --report <file>         also write the report as JSON; "matrix" reads such files
  --write-baseline <file> write the failing checks as a baseline
  --traces                keep the messages of passed checks, for the page and for JSON
  -h, --help              show this help

Exit codes: 0 all passed; 1 a check failed or is stale in the baseline, or COMMAND does not respond; 2 usage error;
3 every check was skipped; 4 the suite could not judge. See docs/conformance.md for what COMMAND must support.

Examples:
  ${name} server -- askwire --wire
  ${name} server --only S42,S43 -- python my_server.py
  ${name} server --only 'P-ANS-*' -- python my_server.py
  ${name} gateway -- askwire serve --listen 127.0.0.1:0
  ${name} cluster --token-file token ws://10.0.0.7:8080 ws://10.0.0.8:8080
  ${name} client -- node my-client.mjs
  ${name} client -- node my-client.mjs {url}
  ${name} server --faults -- python my_server.py
  ${name} server --faults split,crlf --seed 42 -- python my_server.py
  ${name} client --acts terminal --only C24 -- code --new-window .
  ${name} template python my-client
  ${name} client --junit report.xml --baseline known.txt -- node my-client.mjs
`;

const options = {
  only: { type: "string" },
  grep: { type: "string" },
  list: { type: "boolean" },
  claim: { type: "string" },
  claims: { type: "string" },
  timeout: { type: "string" },
  concurrency: { type: "string" },
  retries: { type: "string" },
  faults: { type: "string" },
  seed: { type: "string" },
  acts: { type: "string" },
  "token-file": { type: "string" },
  baseline: { type: "string" },
  json: { type: "boolean" },
  junit: { type: "string" },
  html: { type: "string" },
  report: { type: "string" },
  "write-baseline": { type: "string" },
  traces: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

/** The command's standard streams. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** The parts that a command brings for itself. */
export interface Installed extends Pick<SuiteOptions, "node"> {
  /** The templates of clients. */
  readonly templates: TemplateSource;
}

/**
 * The whole command: checks a program, prints the report and writes the wanted files.
 *
 * @param name the command as it was typed, for the help.
 * @param args the arguments after the name.
 * @param installed the parts that it brings.
 * @returns the exit code.
 * @throws WrongUse
 */
export async function conformance(
  name: string,
  args: readonly string[],
  { stdin, stdout, stderr }: Streams,
  installed: Installed,
): Promise<number> {
  const cut = args.includes("--") ? args.indexOf("--") : args.length;
  const { values, positionals } = parse(args.slice(0, cut), name);
  const [subject, ...files] = positionals;
  if (values.help) {
    stdout.write(help(name));
    return 0;
  }
  if (subject === "matrix") {
    if (files.length === 0) wrong(`matrix: name the files that --report wrote`);
    stdout.write(matrixPage(await Promise.all(files.map(readReport))));
    return 0;
  }
  if (subject === "template") {
    const [language, folder, ...more] = files;
    if (more.length > 0) wrong(`template ${language} ${folder}: expected one folder`);
    stdout.write(await writeTemplate(name, { language, folder }, installed.templates));
    return 0;
  }
  const suite = suiteOf(subject, files, cut < args.length);
  const only = selected(suite, values);
  if (values.list) {
    stdout.write(listed(suite, only, values.json ?? false));
    return 0;
  }
  const command = suite.subject === "cluster" ? await nodesOf(files, values) : args.slice(cut + 1);
  if (suite.subject !== "cluster") refuseMissing(suite.subject, command);
  const baseline = values.baseline === undefined ? undefined : await baselineFrom(values.baseline, suite);
  const claims = await claimsFrom(values);
  const { acts, close } = actsOf(values, suite, { stdin, stderr });
  const { node } = installed;
  const chosen = {
    ...(only && { only }),
    ...(claims && { claims }),
    ...(acts && { acts }),
    ...(node && { node }),
  };
  const report = await run(suite, { ...runOptions(values), ...chosen, command }, stderr).finally(close);
  return tell(baseline ? withBaseline(report, baseline) : report, values, stdout);
}

function parse(args: readonly string[], name: string) {
  try {
    return parseArgs({ args: withAllFaults(args), options, allowPositionals: true });
  } catch (error) {
    const [first = ""] = (error as Error).message.split(". ");
    throw new WrongUse(`${first} (${name} --help shows all options)`);
  }
}

/** Gives `--faults` its default where no kinds follow. */
function withAllFaults(args: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    const next = args[index + 1] ?? "-";
    return word === "--faults" && (next.startsWith("-") || next in suites) ? ["--faults", "all"] : [word];
  });
}

function wrong(message: string): never {
  throw new WrongUse(message);
}

function suiteOf(subject: string | undefined, more: readonly string[], hasCommand: boolean): Suite {
  const known = `expected one of ${Object.keys(suites).join(", ")}, then -- and the command to check`;
  if (subject === undefined || !Object.hasOwn(suites, subject))
    return wrong(subject === undefined ? known : `${subject}: ${known}`);
  if (subject === "cluster") {
    if (hasCommand) return wrong("cluster: name the addresses of nodes that run, and no command");
  } else if (more.length > 0) return wrong(`${subject} ${more[0]}: write -- before the command to check`);
  return suites[subject as keyof typeof suites];
}

/** The addresses of the nodes to check, each with its token. */
async function nodesOf(words: readonly string[], { "token-file": file }: Values): Promise<readonly string[]> {
  const token = file === undefined ? undefined : (await readText("--token-file", file)).trim();
  const read = clusterAddresses(words, token);
  return "wrong" in read ? wrong(read.wrong) : read.addresses;
}

function runOptions(values: Values): Omit<SuiteOptions, "command"> {
  const { acts, timeout, concurrency, retries, traces = false } = values;
  const faults = readFaults(values.faults, values.seed);
  return {
    traces,
    ...(faults && { faults }),
    ...(acts === "terminal" && { timeoutMs: HUMAN_MS, concurrency: 1, retries: 0 }),
    ...(timeout !== undefined && { timeoutMs: wholeNumber("--timeout", timeout, 1) * 1_000 }),
    ...(concurrency !== undefined && { concurrency: wholeNumber("--concurrency", concurrency, 1) }),
    ...(retries !== undefined && { retries: wholeNumber("--retries", retries, 0) }),
  };
}

/** The time for one check in which a human acts, in milliseconds. */
const HUMAN_MS = 300_000;

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(number) || number < least)
    return wrong(`${option} ${text}: expected a whole number from ${least}`);
  return number;
}

/** Reads where a person's acts go. At a terminal the wait is a person's, and one check runs at a time. */
function actsOf({ acts }: Values, { subject }: Suite, { stdin, stderr }: Pick<Streams, "stdin" | "stderr">) {
  const close = () => {};
  if (acts === undefined) return { close };
  if (subject !== "client")
    return wrong(`--acts ${acts}: only a client has a person; leave it out for a ${subject}`);
  if (acts === "stdin") return { acts: { to: "stdin" } as const, close };
  if (acts !== "terminal") {
    refuseMissing("--acts", [acts]);
    return { acts: { to: "program", file: acts } as const, close };
  }
  stderr.write("Do at your client what each line says. Type s and Enter where it has no way to.\n");
  const listeners = new Set<(line: string) => void>();
  const stop = onLines(stdin, (line) => {
    for (const listener of listeners) listener(line);
  });
  const hear = (typed: (line: string) => void) => {
    listeners.add(typed);
    return () => void listeners.delete(typed);
  };
  return { acts: { to: "terminal", hear, output: stderr } as const, close: stop };
}

async function claimsFrom({ claim, claims }: Values): Promise<Claims | undefined> {
  if (claim === undefined && claims === undefined) return undefined;
  const file = claims === undefined ? "" : await readText("--claims", claims);
  const words = `${claim ?? ""},${file.replace(/#.*/g, "")}`.split(/[\s,]+/).filter((word) => word !== "");
  const read = readClaims(words);
  if ("claims" in read) return read.claims;
  return wrong(`--claim ${read.unknown.join(", ")}: expected profiles, levels or all, as --help lists them`);
}

async function baselineFrom(file: string, suite: Suite): Promise<Baseline> {
  return readBaseline(await readText("--baseline", file), file, suite);
}

async function readReport(file: string): Promise<Report> {
  const text = await readText("matrix", file);
  try {
    const report: Report = JSON.parse(text);
    if (Array.isArray(report.results) && Array.isArray(report.command)) return report;
  } catch {
    // The next line says the same of any other file.
  }
  return wrong(`matrix ${file}: expected a report that --report or --json wrote`);
}

async function readText(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    return wrong(`${what} ${file}: ${(error as Error).message}`);
  }
}

/** Refuses a missing file, since one line about it is better than a run. */
function refuseMissing(subject: string, [file]: readonly string[]): void {
  if (file === undefined) return wrong(`${subject}: name the command to check after --`);
  const folders = /[\\/]/.test(file) ? [""] : (process.env.PATH ?? "").split(delimiter);
  const names = process.platform === "win32" ? ["", ".exe", ".cmd"].map((end) => file + end) : [file];
  const found = folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
  if (!found) wrong(`${file}: no such command; check the path`);
}

function listed({ checks, exceptions }: Suite, only: ReadonlySet<string> | undefined, json: boolean): string {
  const wanted = ({ id }: { id: string }) => only === undefined || only.has(id);
  const some = { checks: checks.filter(wanted), exceptions: exceptions.filter(wanted) };
  if (json) {
    const rows = some.checks.map(({ id, title, rules, profile, level, weight }) => ({
      id,
      title,
      rules,
      profile,
      level,
      weight,
    }));
    return `${JSON.stringify({ checks: rows, exceptions: some.exceptions }, null, 2)}\n`;
  }
  const lines = [
    ...some.checks.map(
      ({ id, title, rules, profile, level, weight }) =>
        `${id} ${weight} ${profile}/${level} ${title}${rules.length > 0 ? ` [${rules.join(", ")}]` : ""}`,
    ),
    ...some.exceptions.map(({ id, reason, why }) => `${id} no check, ${reason}: ${why}`),
  ];
  return `${lines.join("\n")}\n`;
}

async function run(suite: Suite, options: SuiteOptions, stderr: NodeJS.WriteStream): Promise<Report> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  // The started processes are in groups of their own, so no signal of the terminal ends them.
  for (const signal of signals) process.on(signal, interrupt);
  const count = options.only?.size ?? suite.checks.length;
  const progress =
    stderr.isTTY && options.acts?.to !== "terminal"
      ? progressLine(stderr, count)
      : progressLog(stderr, count);
  try {
    return await suite.run({ ...options, signal: stop.signal, onResult: progress.result });
  } finally {
    progress.end();
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** Prints a report and writes its files. */
async function tell(report: Report, values: Values, stdout: NodeJS.WriteStream): Promise<number> {
  stdout.write(values.json ? jsonReport(report) : textReport(report, { colour: isColoured(stdout) }));
  const files = [
    [values.junit, junitReport],
    [values.html, (one: Report) => matrixPage([one])],
    [values.report, jsonReport],
    [values["write-baseline"], baselineOf],
  ] as const;
  for (const [file, text] of files) if (file !== undefined) await writeFile(file, text(report));
  return exitCodeOf(report);
}

const isColoured = ({ isTTY }: NodeJS.WriteStream) =>
  isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
