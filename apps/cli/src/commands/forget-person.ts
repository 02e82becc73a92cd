import { visibleText } from "@askwire/client/text";
import { LocalError } from "@askwire/protocol";
import { type FoundSession, shareFolder } from "@askwire/server";
import { answersOf, cutOffMoves, forgetPerson } from "@askwire/server/internal";
import { skippedText } from "../audit/merged-decisions.js";
import type { ForgetOptions } from "../command-line/audit.js";
import { usageFailure } from "../input/failure.js";
import { counted } from "../sessions/amounts.js";
import { keptSessionsAt } from "../sessions/found.js";
import type { StorePlace } from "../stored/store-place.js";
import { tenantPlace } from "../stored/tenant-names.js";
import { canConfirm, confirmed } from "./confirmed.js";
import { printLines } from "./print-lines.js";

/** A session that has answers of a person. */
interface SessionOfPerson {
  readonly session: FoundSession;
  readonly count: number;
}

/**
 * Removes the name and the words of a person from the decisions of kept sessions, or of a database, once a person has
 * confirmed it. Exit code 1 where some of them stay.
 */
export async function forgetPersonInAudit(who: string, options: ForgetOptions): Promise<void> {
  if (who.trim() === "") throw usageFailure("audit forget: expected the name or the id of a person");
  const inStore = tenantPlace(options);
  if (inStore !== undefined && options.workDir !== undefined)
    throw usageFailure("audit forget: --work-dir is for sessions on the disk: leave it out");
  return inStore === undefined ? forgetOnDisk(who, options) : forgetInStore(who, inStore, options);
}

async function forgetOnDisk(who: string, options: ForgetOptions): Promise<void> {
  const isMoveDone = tellCutOffMoves(options);
  const { found, isWhole } = sessionsOfPerson(who, options);
  const sum = found.reduce((sum, { count }) => sum + count, 0);
  for (const { session, count } of found) {
    const title = session.title === undefined ? "" : ` [${session.title}]`;
    process.stderr.write(visibleText(`session ${session.id}${title}: ${answers(count)}\n`));
  }
  if (!(await mayForget(who, sum, options, isMoveDone && isWhole))) return;
  const done = found.reduce((done, { session }) => done + forgottenIn(session, who), 0);
  await tellForgotten(who, done, options);
}

/** Names the sessions that may have words beside their places. Returns false where there are some. */
function tellCutOffMoves({ workDir }: ForgetOptions): boolean {
  const share = shareFolder(process.env, { kimi: false });
  let isDone = true;
  for (const { id, why } of cutOffMoves({ share, workDir })) {
    complain(`session ${id} is not looked at: ${why}`);
    isDone = false;
  }
  return isDone;
}

/** The sessions that have answers of a person; not `isWhole` where some may have more than could be read. */
function sessionsOfPerson(
  who: string,
  { workDir, dryRun }: ForgetOptions,
): { readonly found: readonly SessionOfPerson[]; readonly isWhole: boolean } {
  const found: SessionOfPerson[] = [];
  let isWhole = true;
  for (const session of keptSessionsAt(workDir === undefined ? { all: true } : { workDir })) {
    try {
      const { count, unread, isUnfinished } = answersOf(session.folder, who);
      if (count > 0) found.push({ session, count });
      else if (isUnfinished && dryRun !== true) forgottenIn(session, who);
      if (unread === 0) continue;
      complain(`session ${session.id}: ${skippedText(unread)} (${session.folder})`);
    } catch (error) {
      complain(`session ${session.id} stays as it is: ${(error as Error).message}`);
    }
    isWhole = false;
  }
  return { found, isWhole };
}

/** Forgets a person in one session, which is named where it stays as it is. Returns the number of decisions. */
function forgottenIn(session: FoundSession, who: string): number {
  try {
    return forgetPerson(session, who);
  } catch (error) {
    complain(
      `session ${session.id} stays as it is: ${error instanceof LocalError ? error.message : String(error)}`,
    );
    return 0;
  }
}

function complain(text: string): void {
  process.exitCode = 1;
  process.stderr.write(visibleText(`askwire: audit forget: ${text}\n`));
}

async function forgetInStore(who: string, place: StorePlace, options: ForgetOptions): Promise<void> {
  const { openAudit, told } = await import("../stored/installed-store.js");
  const store = await openAudit(place);
  try {
    await told(async () => {
      if (!(await mayForget(who, await store.countOf(who), options, true))) return;
      await tellForgotten(who, await store.forget(who), options);
    });
  } finally {
    await store.close();
  }
}

/**
 * False where there is nothing to forget, where it was only to be shown, and where the person says no.
 *
 * @param isWhole false where sessions were named that may have further decisions.
 */
async function mayForget(
  who: string,
  count: number,
  options: ForgetOptions,
  isWhole: boolean,
): Promise<boolean> {
  const { yes, dryRun } = options;
  const name = visibleText(who);
  if (count === 0) {
    process.stderr.write(
      `no ${isWhole ? "" : "other "}decision has ${name} as its person, by the word of the server\n`,
    );
    return false;
  }
  if (dryRun === true) {
    await printLines([`${answers(count)} of ${name} would lose its name and words`, staysFor(options)]);
    return false;
  }
  if (yes === true) return true;
  const question = `Remove the name and the words of ${name} from ${answers(count)} for good?`;
  if (!canConfirm())
    throw usageFailure(`audit forget: ${question} There is no terminal to ask at: add --yes, or --dry-run`);
  if (await confirmed(question)) return true;
  process.stderr.write("nothing is removed\n");
  return false;
}

/** The places that have words of a person beside the decisions. */
const stays = `This stays, and may have their words too:
- in the same sessions, the name and the words of prompts, answers that were not sent, and what the agent, its model and
  the results of its calls made of an answer: askwire sessions rm ID removes a session with all of it
- the history of the prompt of this terminal (prompts.jsonl)
- decisions of clients that no door vouched for ("says to be"), which --client finds
- the memory of an agent of another maker, and copies: backups, exported trajectories, printed audits`;

const tellForgotten = (who: string, count: number, options: ForgetOptions): Promise<void> =>
  printLines([
    `${answers(count)} of ${visibleText(who)} ${count === 1 ? "has" : "have"} digests in the place of name and words`,
    staysFor(options),
  ]);

/** The places that keep words of a person, for the disk and for a database. */
const staysFor = (options: ForgetOptions): string =>
  tenantPlace(options) === undefined ? `${stays}\n${staysInDatabases}` : `${stays}\n${staysInJournals}`;

const staysInDatabases = "- sessions in a database: askwire audit forget --store";
const staysInJournals = `- the sessions themselves in the database: their records have name and answers as before. askwire sessions rm ID
  --store removes one; to keep it, askwire sessions move ID --store disk, then audit forget there, then move it back`;

const answers = (count: number) => counted(count, "decision", "decisions");
