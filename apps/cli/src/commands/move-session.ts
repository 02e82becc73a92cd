import { resolve } from "node:path";
import type { MovingStore } from "@askwire/postgres";
import { isKeptSession, sessionFolder, shareFolder } from "@askwire/server";
import { type MovedMark, notePath, readMovedMark } from "@askwire/server/internal";
import type { MoveOptions } from "../command-line/sessions.js";
import { commandLog } from "../input/command-log.js";
import { usageFailure } from "../input/failure.js";
import { keptSessionsAt, namedSessions } from "../sessions/found.js";
import { openStore } from "../stored/installed-store.js";
import { moveToDisk, moveToStore } from "../stored/session-move.js";
import { storePlace } from "../stored/store-place.js";

/** Moves a session that no process has open into a database, or back to the disk. */
export async function moveSession(id: string, options: MoveOptions): Promise<void> {
  const { from, store: target } = options;
  const isComing = target === "disk";
  if (from !== undefined && !isComing) throw usageFailure("sessions move: --from goes with --store disk");
  const share = shareFolder(process.env, { kimi: false });
  const workDir = resolve(options.workDir ?? ".");
  const mark = movedMark(id, { share, workDir });
  const address = isComing ? (from ?? mark?.store) : target;
  if (address === undefined)
    throw usageFailure(
      `sessions move ${id}: it was not moved from ${workDir}: add --from with the address of the database that has it`,
    );
  const schema = options.storeSchema ?? (from === undefined && isComing ? mark?.schema : undefined);
  const inStore = storePlace({
    ...options,
    store: address,
    ...(schema !== undefined && { storeSchema: schema }),
  });
  if (inStore === undefined) throw usageFailure("sessions move: --from: expected the address of a database");
  const named = isComing || mark !== undefined ? id : idOnDisk(id, { share, workDir });
  const store = await openStore(inStore, commandLog());
  try {
    const home =
      isComing && options.workDir === undefined && mark === undefined ? await homeOf(store, id) : workDir;
    const place = { id: named, workDir: home, store, address, schema };
    const folder = sessionFolder({ share, ...place });
    if (isComing) notePath({ share, workDir: home });
    const move = isComing ? moveToDisk : moveToStore;
    const isNew = await move({ ...place, folder });
    const where = isComing ? folder : store.name;
    process.stdout.write(`session ${named} ${isNew ? "is" : "was already"} in ${where}\n`);
  } finally {
    await store.close();
  }
}

/** The mark of the session that has exactly this id. */
function movedMark(
  id: string,
  place: { readonly share: string; readonly workDir: string },
): MovedMark | undefined {
  let folder: string;
  try {
    folder = sessionFolder({ ...place, id });
  } catch (error) {
    throw usageFailure(`sessions move: ${(error as Error).message}`);
  }
  return readMovedMark(folder);
}

function idOnDisk(id: string, place: { readonly share: string; readonly workDir: string }): string {
  if (isKeptSession({ ...place, id })) return id;
  const [found] = namedSessions("sessions move", [id], keptSessionsAt({ workDir: place.workDir }));
  return found?.id ?? id;
}

/** The folder that a session of a store belongs to. */
const homeOf = async (store: MovingStore, id: string): Promise<string> =>
  (await store.find(id))?.workDir ?? resolve(".");
