import type { ClientSession } from "@askwire/client";
import {
  auditMembers,
  csvHead,
  csvLine,
  decisionPages,
  type WantedDecisions,
} from "@askwire/client/decisions";
import type { InboxWords } from "@askwire/react/inbox";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** The rows and the UTF-16 units of one file, at most. */
const MOST_ROWS = 100_000;
const MOST_UNITS = 64 * 1024 * 1024;

type Form = "csv" | "json";

/** The buttons that put all that is chosen into a file, with the number of rows that were read so far. */
export function DecidedExport({
  session,
  wanted,
  words,
}: {
  readonly session: ClientSession;
  readonly wanted: WantedDecisions;
  readonly words: InboxWords["decided"];
}): ReactNode {
  const [told, setTold] = useState("");
  const [ending, setEnding] = useState<AbortController>();
  const last = useRef<AbortController>(undefined);
  useEffect(() => () => last.current?.abort(), []);
  async function make(form: Form): Promise<void> {
    const mine = new AbortController();
    last.current = mine;
    setEnding(mine);
    setTold(words.exporting(0));
    try {
      const { parts, count, isWhole } = await rowsOf(session, wanted, form, mine.signal, (count) =>
        setTold(words.exporting(count)),
      );
      download(parts, form);
      setTold(isWhole ? words.exported(count) : words.exportedPart(count));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setTold(mine.signal.aborted ? words.cancelled : words.notExported(why));
    } finally {
      setEnding(undefined);
    }
  }
  return (
    <div className="export">
      {ending === undefined ? (
        (["csv", "json"] as const).map((form) => (
          <button key={form} type="button" className="askwire-plain" onClick={() => void make(form)}>
            {words[form]}
          </button>
        ))
      ) : (
        <button type="button" className="askwire-plain" onClick={() => ending.abort()}>
          {words.cancel}
        </button>
      )}
      <p role="status">{told}</p>
    </div>
  );
}

/** Reads all rows that are chosen, up to the bounds of a file. */
async function rowsOf(
  session: ClientSession,
  wanted: WantedDecisions,
  form: Form,
  signal: AbortSignal,
  read: (count: number) => void,
): Promise<{ readonly parts: readonly string[]; readonly count: number; readonly isWhole: boolean }> {
  // A spreadsheet takes a file without this mark for one of another encoding.
  const parts = [form === "csv" ? `\ufeff${csvHead}\r\n` : "["];
  let [count, units, isWhole] = [0, 0, true];
  for await (const rows of decisionPages(session, { ...wanted, limit: 200 }, { signal })) {
    const room = rows.slice(0, MOST_ROWS - count);
    const lines = room.map((row, nth) =>
      form === "csv"
        ? `${csvLine(auditMembers(row))}\r\n`
        : `${count + nth === 0 ? "\n" : ",\n"}${JSON.stringify(auditMembers(row))}`,
    );
    parts.push(...lines);
    count += room.length;
    units += lines.reduce((sum, line) => sum + line.length, 0);
    read(count);
    isWhole = room.length === rows.length && units < MOST_UNITS;
    if (!isWhole) break;
  }
  if (form === "json") parts.push("\n]\n");
  return { parts, count, isWhole };
}

/** Gives the browser a file to keep. */
function download(parts: readonly string[], form: Form): void {
  const type = form === "csv" ? "text/csv" : "application/json";
  const address = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const day = new Date().toISOString().slice(0, 10);
  Object.assign(document.createElement("a"), { href: address, download: `askwire-${day}.${form}` }).click();
  // The browser has begun to keep it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
