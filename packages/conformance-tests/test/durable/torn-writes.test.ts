import { keepIn, sessionFolder } from "@askwire/server";
import { expect, test } from "vitest";
import { hold, journalOn, kept, place } from "./conversation.js";
import { everyLineIsARecord, settledAtMostOnce } from "./invariants.js";
import { linesOf, recordsOf } from "./journal-records.js";
import { type MemoryDisk, memoryDisk } from "./memory-disk.js";

const file = `${sessionFolder(place)}/wire.jsonl`;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const types = ["InteractionOpened", "InteractionSettled", "CallStarted", "TurnEnded"];

/** A disk with the folder of a session. */
async function diskWithFolder(): Promise<MemoryDisk> {
  const platter = memoryDisk();
  const { journal } = keepIn({ ...kept, log, disk: platter.disk })(place.id);
  journal.record({ type: "TurnEnd", payload: {} });
  await journal.close();
  return platter;
}

/** Opens a session whose journal is this text, records one more event, and gives the journal of then. */
async function openedAgain(text: string, platter: MemoryDisk): Promise<string> {
  platter.put(file, text);
  const { journal } = keepIn({ ...kept, log, disk: platter.disk })(place.id);
  journal.record({ type: "SteerInput", payload: { user_input: "after the cut" } });
  await journal.close();
  return journalOn(platter);
}

test("a write that was cut at any length loses its own record alone, and the next record is a line of its own (P-JRN-8, P-DUR-10)", async () => {
  const { journal } = await hold({ cast: "extended" });
  const folder = await diskWithFolder();
  const breaches: string[] = [];
  for (const type of types) {
    const start = journal.lastIndexOf("\n", journal.lastIndexOf(`"type": "${type}"`)) + 1;
    const end = journal.indexOf("\n", start) + 1;
    const whole = linesOf(journal.slice(0, start));
    for (let length = start; length < end; length += 1) {
      for (const tail of length % 7 === 0 ? ["", "\0".repeat(3)] : [""]) {
        const lines = linesOf(await openedAgain(journal.slice(0, length) + tail, folder.afterKill()));
        const text = lines.join("\n");
        const rest = lines.slice(whole.length);
        const cut = rest.filter((line) => everyLineIsARecord(line).length > 0);
        // All of a record but its line feed counts.
        const isWhole = length === end - 1 && tail === "";
        const found = [
          ...(lines.slice(0, whole.length).join("\n") === whole.join("\n")
            ? []
            : ["an earlier line changed"]),
          ...(cut.length <= (length === start && tail === "" ? 0 : 1) ? [] : ["two lines are none"]),
          ...(isWhole && cut.length > 0 ? ["a whole record was lost"] : []),
          ...(rest.at(-1)?.includes("after the cut") ? [] : ["the next record is missing"]),
          ...settledAtMostOnce(recordsOf(text)),
        ];
        breaches.push(...found.map((breach) => `${type} cut at ${length - start}: ${breach}`));
      }
    }
  }
  expect(breaches).toEqual([]);
});

test("a process that continues a session first makes safe what the one before it has written and not synced (P-DUR-5)", async () => {
  const { acts } = await hold({ cast: "extended" });
  const n = (acts[0] ?? []).indexOf("write wire.jsonl") + 1;
  const { remains } = await hold({ cast: "extended", crashes: [{ n, when: "after" }], once: true });
  const [killed] = remains;
  if (killed === undefined) throw new Error("the process was not killed");
  expect(killed.text(file)).toContain("TurnOpened");
  expect(killed.safeText(file)).toBe("");
  const { journal } = keepIn({ ...kept, log, disk: killed.disk })(place.id);
  await journal.synced();
  expect(killed.safeText(file)).toContain("TurnOpened");
  await journal.close();
});
