import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { MovingStore } from "@askwire/postgres";
import { LocalError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { StoredRow } from "@askwire/server";
import {
  type LockedSession,
  lockSession,
  type MovedMark,
  readMovedMark,
  removeMovedMark,
  unfinishedOf,
  writeMovedMark,
} from "@askwire/server/internal";
import { usageFailure } from "../input/failure.js";

/** A session, its folder on this machine, and the store at the other end. */
export interface MovePlace {
  readonly id: string;
  readonly folder: string;
  readonly workDir: string;
  /** The address of the store, without a password, and its schema. */
  readonly address: string;
  readonly schema: string | undefined;
  readonly store: MovingStore;
}

/**
 * Moves a session from its folder into a store. A mark in the folder goes ahead of each step, so that after a kill at any
 * point one place alone opens the session, or none until the same is done again.
 *
 * @returns false where it was there already.
 * @throws Failure, LocalError and the error of the engine; then the same may be done again.
 */
export async function moveToStore(place: MovePlace): Promise<boolean> {
  const { id, folder, workDir, store } = place;
  const held = lockSession(id, folder);
  try {
    const before = markOf(place);
    if (before?.state === "coming") await fenceOff(place, before);
    if (before?.state === "gone" || (before?.state === "coming" && !(await isGivenBack(place, before)))) {
      writeMovedMark(folder, markIn(place, "gone", before.move));
      held.clear();
      return false;
    }
    if (before?.state === "coming") throw usageFailure(before.why);
    const isAgain = before?.state === "leaving";
    const move = isAgain ? before.move : randomUUID();
    const after = isAgain ? before.after : before?.move;
    const packed = held.pack();
    writeMovedMark(folder, { ...markIn(place, "leaving", move), ...defined({ after }) });
    try {
      await store.bring({ ...packed, id, workDir, move, after });
    } catch (error) {
      // Refused for certain: nothing of a first try is there.
      if (error instanceof LocalError && !isAgain) restoreMark(folder, before);
      throw error;
    }
    writeMovedMark(folder, markIn(place, "gone", move));
    held.clear();
    return true;
  } finally {
    held.release();
  }
}

/**
 * Moves a session from a store into a folder, which opens it once the store has given it away.
 *
 * @returns false where it was there already.
 * @throws as {@link moveToStore}.
 */
export async function moveToDisk(place: MovePlace): Promise<boolean> {
  const { id, folder, store } = place;
  const held = lockSession(id, folder);
  try {
    const before = markOf(place);
    if (held.isKept && (before === undefined || before.state === "here")) return false;
    if (before?.state === "leaving" && (await store.moveOf(id))?.move !== before.move) {
      // The session never left the disk.
      restoreMark(folder, before.after === undefined ? undefined : markIn(place, "here", before.after));
      return false;
    }
    if (before?.state === "coming" && (await isGivenBack(place, before)))
      return settled(place, held, before.move);
    const row = await store.find(id);
    if (row === undefined) throw await notThere(place);
    return await fetched(place, held, row);
  } finally {
    held.release();
  }
}

async function fetched(place: MovePlace, held: LockedSession, row: StoredRow): Promise<boolean> {
  const { id, folder, store } = place;
  const taken = await store.take(id, row.workDir);
  try {
    if (taken.count === 0) throw await notThere(place);
    const move = randomUUID();
    writeMovedMark(folder, markIn(place, "coming", move));
    held.clear();
    await held.receive({
      activeAt: row.activeAt,
      open: unfinishedOf(row),
      lines: taken.read(0, taken.count),
      history: taken.history,
    });
    await store.giveAway(id, { move, movedTo: wordsOfHere(place) });
    return settled(place, held, move);
  } finally {
    await taken.release().catch(() => {});
  }
}

function settled(place: MovePlace, held: LockedSession, move: string): true {
  held.settle();
  writeMovedMark(place.folder, markIn(place, "here", move));
  return true;
}

/**
 * Takes the session and gives it back, so that a giving away of a process that was killed, which the engine may not have
 * begun, changes nothing later.
 */
async function fenceOff(place: MovePlace, before: MovedMark): Promise<void> {
  if (await isGivenBack(place, before)) return;
  const { id, store, workDir } = place;
  const taken = await store.take(id, workDir);
  await taken.release();
}

/** True where the store has given the session away by the move of a mark. */
async function isGivenBack({ id, store }: MovePlace, { move }: MovedMark): Promise<boolean> {
  const last = await store.moveOf(id);
  return last?.move === move && last.movedTo !== undefined;
}

/** @throws Failure for a mark that names another store. */
function markOf({ folder, store }: MovePlace): MovedMark | undefined {
  const mark = readMovedMark(folder);
  if (mark !== undefined && mark.state !== "here" && mark.name !== store.name) throw usageFailure(mark.why);
  return mark;
}

function restoreMark(folder: string, mark: MovedMark | undefined): void {
  if (mark === undefined) removeMovedMark(folder);
  else writeMovedMark(folder, mark);
}

async function notThere({ id, store }: MovePlace): Promise<Error> {
  const movedTo = (await store.moveOf(id))?.movedTo;
  return usageFailure(
    `sessions move ${id}: ${movedTo ?? `${store.name} has no session of this id: askwire sessions --all --store lists those there`}`,
  );
}

function markIn(
  { id, address, schema, store }: MovePlace,
  state: MovedMark["state"],
  move: string,
): MovedMark {
  const again = "was cut off: run askwire sessions move";
  const there = inStore({ address, schema });
  const why = {
    leaving: `the move of session ${id} to ${store.name} ${again} ${id} ${there} again`,
    gone: `session ${id} is in ${store.name}: open it with askwire serve ${there} --session ${id}, or bring it back with askwire sessions move ${id} --store disk`,
    coming: `the move of session ${id} from ${store.name} ${again} ${id} --store disk again`,
    here: "",
  }[state];
  return { state, move, store: address, ...defined({ schema }), name: store.name, why };
}

const wordsOfHere = ({ id, workDir, address, schema }: MovePlace) =>
  `it is on the disk of ${hostname()}, for ${workDir}: open it there, or bring it back with askwire sessions move ${id} ${inStore({ address, schema })}`;

/** The options of a command line that name a store. */
const inStore = ({ address, schema }: Pick<MovePlace, "address" | "schema">) =>
  `--store '${address}'${schema === undefined ? "" : ` --store-schema ${schema}`}`;
