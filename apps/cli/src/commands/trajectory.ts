import { statSync } from "node:fs";
import { visibleLine } from "@askwire/client/text";
import {
  checkTrajectories,
  faultsOf,
  formatLine,
  type QueryTag,
  type RecordedSession,
  readRecordedSession,
  sessionExamples,
  sessionWith,
  type TrainingFormat,
  type Trajectory,
  uncheckedCorruptions,
  unitOf,
  withSystem,
  withTag,
} from "@askwire/trajectory";
import type { ExportOptions } from "../command-line/trajectory.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { nameProblem } from "../input/name-problem.js";
import { readOptionFile } from "../input/read-file.js";
import { type NamedJournal, namedJournals } from "../trajectory/journals.js";
import { leftOut, type Reason } from "../trajectory/left-out.js";
import { refuseExisting, writeLines } from "../trajectory/new-file.js";

/**
 * Writes trajectories of sessions to a file, one on each line, or with `--format` their examples for a training program.
 * Prints their number and what is left out (P-TRJ-6, P-TRJ-10).
 */
export async function exportTrajectories(names: readonly string[], options: ExportOptions): Promise<void> {
  const { out, force = false, format } = options;
  const system = systemMessage(options.system);
  const journals = namedJournals(names, options);
  refuseExisting(out, { force, reads: journals.map(({ file }) => file) });
  const progress = showProgress(journals.length);
  const exported: Exported = { written: 0, skipped: 0, bare: 0, without: leftOut() };

  async function* lines() {
    for (const [done, journal] of journals.entries()) {
      progress.at(done);
      const read = await sessionOf(journal, () => {
        exported.skipped += 1;
      });
      if (typeof read === "string") exported.without.add([read]);
      else if (format === undefined) yield* trajectoryLine(read.trajectory, options, system, exported);
      else yield* exampleLines(sessionWith(read, { tag: options.tag, system }), format, options, exported);
    }
  }
  try {
    await writeLines(out, lines());
  } finally {
    progress.end();
  }
  const { written, skipped, bare, without } = exported;
  const what =
    format === undefined ? counted(written, "trajectory", "trajectories") : counted(written, "example");
  const lacking =
    bare === 0 ? "" : `; ${bare} without instructions and tools, which the journal does not have`;
  const unread = skipped === 0 ? "" : `; ${counted(skipped, "line")} of journals skipped`;
  print(`${out}: ${what} of ${counted(journals.length, "session")}${without.text()}${lacking}${unread}`);
}

/** The counts of an export so far. */
interface Exported {
  written: number;
  /** Lines of journals that could not be read. */
  skipped: number;
  /** Examples without instructions and tools. */
  bare: number;
  readonly without: ReturnType<typeof leftOut>;
}

function* trajectoryLine(
  trajectory: Trajectory,
  options: ExportOptions,
  system: string | undefined,
  exported: Exported,
) {
  const why = reasonsAgainst(trajectory, options);
  if (why.length > 0) return exported.without.add(why);
  exported.written += 1;
  yield JSON.stringify(rewritten(trajectory, options.tag, system));
}

function* exampleLines(
  session: RecordedSession,
  format: TrainingFormat,
  options: ExportOptions,
  exported: Exported,
) {
  const { examples, without, bare } = sessionExamples(session, unitOf(format), options);
  for (const why of without) exported.without.add(why);
  exported.bare += bare;
  for (const example of examples) {
    const line = formatLine(format, example);
    if (line === undefined) exported.without.add(["no_place"]);
    else {
      exported.written += 1;
      yield JSON.stringify(line);
    }
  }
}

function systemMessage(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const text = readOptionFile("--system", file).trimEnd();
  if (text === "") throw usageFailure(`--system ${file}: it is empty; leave --system out`);
  return text;
}

async function sessionOf({ session, file }: NamedJournal, onSkipped: () => void) {
  try {
    return await readRecordedSession(file, session, { onSkipped });
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`);
  }
}

function reasonsAgainst({ flags }: Trajectory, { keepFlagged, onlySuccess }: ExportOptions): Reason[] {
  return [
    ...(keepFlagged ? [] : faultsOf(flags)),
    ...(onlySuccess && !flags.success ? (["unsuccessful"] as const) : []),
  ];
}

function rewritten(
  trajectory: Trajectory,
  tag: QueryTag | undefined,
  system: string | undefined,
): Trajectory {
  const tagged = tag === undefined ? trajectory : withTag(trajectory, tag);
  return system === undefined ? tagged : withSystem(tagged, system);
}

/** Checks a file of trajectories and prints its flaws and contents. Exit code 1 for any flaw (P-TRJ-7, P-TRJ-9). */
export async function checkTrajectoryFile(file: string): Promise<void> {
  const found = lookAt(file);
  if (found === undefined) throw usageFailure(`trajectory check ${file}: no such file; check the path`);
  if (found.isDirectory()) throw usageFailure(`trajectory check ${file}: a folder; name a file`);
  const { trajectories, wrong, messages, learned, queries, successes, flagged } = await checkTrajectories(
    file,
    ({ line, problem }) => print(`${file}:${line}: ${problem}`),
  ).catch((error: Error) => {
    throw new CommandFailure(`${file}: ${error.message}`);
  });
  const roles = Object.entries(messages).map(([role, count]) => `${count} ${role}`);
  print(
    [
      `${file}: ${counted(trajectories, "trajectory", "trajectories")}${wrong === 0 ? "" : `, ${wrong} wrong`}`,
      `messages: ${roles.join(", ")}; ${learned} with loss`,
      `${counted(queries, "query", "queries")}, ${counted(successes, "success", "successes")}, ${flagged} flagged`,
    ].join("; "),
  );
  print(`not checked: ${uncheckedCorruptions.join("; ")}`);
  if (wrong > 0) process.exitCode = 1;
}

function lookAt(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw usageFailure(`trajectory check ${file}: ${nameProblem(error) ?? (error as Error).message}`);
  }
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const print = (line: string) => void process.stdout.write(`${visibleLine(line)}\n`);

/** The number of sessions from which progress is shown. */
const MANY = 20;

/** Shows progress for many sessions, at a terminal only, on one line of standard error that goes away. */
function showProgress(count: number): { at(done: number): void; end(): void } {
  const { stderr } = process;
  if (stderr.isTTY !== true || count < MANY) return { at() {}, end() {} };
  return {
    at: (done) => void stderr.write(`\r\u001b[K${done} of ${count} sessions`),
    end: () => void stderr.write("\r\u001b[K"),
  };
}
