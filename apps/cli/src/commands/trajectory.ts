import { statSync } from "node:fs";
import { visibleLine } from "@askwire/client/text";
import {
  checkTrajectories,
  faultsOf,
  type QueryTag,
  readTrajectory,
  type Trajectory,
  uncheckedCorruptions,
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
 * Writes trajectories of sessions to a file, one on each line. Prints their number and the sessions left out
 * (P-TRJ-6).
 */
export async function exportTrajectories(names: readonly string[], options: ExportOptions): Promise<void> {
  const { out, force = false } = options;
  const system = systemMessage(options.system);
  const journals = namedJournals(names, options);
  refuseExisting(out, { force, reads: journals.map(({ file }) => file) });
  const without = leftOut();
  const progress = showProgress(journals.length);
  let written = 0;
  let skipped = 0;

  async function* lines() {
    for (const [done, journal] of journals.entries()) {
      progress.at(done);
      const read = await trajectoryOf(journal, () => {
        skipped += 1;
      });
      const why = typeof read === "string" ? [read] : reasonsAgainst(read, options);
      if (typeof read === "string" || why.length > 0) without.add(why);
      else {
        yield JSON.stringify(rewritten(read, options.tag, system));
        written += 1;
      }
    }
  }
  try {
    await writeLines(out, lines());
  } finally {
    progress.end();
  }
  const unread = skipped === 0 ? "" : `; ${counted(skipped, "line")} of journals skipped`;
  const of = `${counted(written, "trajectory", "trajectories")} of ${counted(journals.length, "session")}`;
  print(`${out}: ${of}${without.text()}${unread}`);
}

function systemMessage(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const text = readOptionFile("--system", file).trimEnd();
  if (text === "") throw usageFailure(`--system ${file}: it is empty; leave --system out`);
  return text;
}

async function trajectoryOf({ session, file }: NamedJournal, onSkipped: () => void) {
  try {
    return await readTrajectory(file, session, { onSkipped });
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
