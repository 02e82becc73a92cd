import { readMoment } from "../audit/read-moment.js";
import type { PruneAuditOptions } from "../command-line/audit.js";
import { usageFailure } from "../input/failure.js";
import { counted } from "../sessions/amounts.js";
import { tenantPlace } from "../stored/tenant-names.js";
import { canConfirm, confirmed } from "./confirmed.js";
import { printLines } from "./print-lines.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes decisions of before a time from a database, once a person has confirmed it. */
export async function pruneAudit(options: PruneAuditOptions): Promise<void> {
  const { before: text, yes } = options;
  const now = Date.now();
  const before = readMoment("prune --before", text, now);
  const inStore = tenantPlace(options);
  if (inStore === undefined)
    throw usageFailure(
      `audit prune: decisions on the disk go with their sessions: askwire sessions prune --all --older-than ${Math.ceil((now - before) / DAY_MS)}d removes both; add --store for those of a database`,
    );
  const day = new Date(before).toISOString();
  const question = `Remove all decisions of before ${day} for good?`;
  if (yes !== true && !canConfirm())
    throw usageFailure(`audit prune: ${question} There is no terminal to ask at: add --yes`);
  if (yes !== true && !(await confirmed(question))) return void process.stderr.write("nothing is removed\n");
  const { openAudit, told } = await import("../stored/installed-store.js");
  const store = await openAudit(inStore);
  try {
    await told(async () => {
      const count = await store.prune(before);
      await printLines([`${counted(count, "row", "rows")} of before ${day} removed`]);
    });
  } finally {
    await store.close();
  }
}
