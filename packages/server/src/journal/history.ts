import { join } from "node:path";
import { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { History, KeptMessage } from "../agent/agent-session.js";
import { completeCalls } from "../agent/interrupted-calls.js";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { openAppender } from "./appender.js";
import { type Disk, type DiskFile, writeAll } from "./disk.js";
import { readLinesSync } from "./lines.js";
import { skippedLines } from "./skipped-lines.js";

export const HISTORY_FILE = "context.jsonl";
/** The time for the last sync when a session closes, in milliseconds. */
const CLOSE_MS = 1_000;

const at = z.optional(z.looseObject({ turn_id: z.string(), step: z.int() }));
const Kept = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("user"), content: UserInput, kept: z.optional(z.boolean()), at }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.array(ContentPart),
    tool_calls: z.array(ToolCall),
    at,
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), result: ToolReturnValue, at }),
]);

/** A conversation that is kept beside a session's journal. */
export interface KeptHistory extends History {
  /** Writes all that was appended before. Never throws. */
  flush(): void;
  /** Writes it likewise, and has it synced. Settles once it is safe, or the file is lost; undefined where it is safe. */
  save(): Promise<void> | undefined;
  /** Writes the rest. A file in which nothing was written is removed. The wait for a slow disk is bounded. */
  close(): Promise<void>;
}

/**
 * Opens the model's conversation of a session, a message a line, and loads the kept messages (P-JRN-11). The folder
 * belongs to an open journal, whose lock keeps other processes away. Close the history before the journal.
 *
 * @throws the system's error if the file cannot be made or read.
 */
export function openHistory(options: {
  readonly folder: string;
  readonly disk: Disk;
  /** True if a history is synced: at the end of a turn, and before a shorter one takes its place. Default: true. */
  readonly syncs?: boolean;
  readonly log: Log;
  readonly clock: Clock;
}): KeptHistory {
  const { folder, disk, syncs = true, log, clock } = options;
  const file = join(folder, HISTORY_FILE);
  let kept = readMessages(disk, file, log);
  const open = () => openAppender({ disk, file, syncs, log, clock });
  let appender = open();
  let isSaved = true;
  let replacing: Promise<void> | undefined;
  let closed = false;

  return {
    load: () => completeCalls(kept),
    append(messages) {
      kept.push(...messages);
      if (messages.length > 0) isSaved = false;
      for (const message of messages) appender.append(jsonText(message));
    },
    replace(messages) {
      kept = [...messages];
      try {
        replacing = takePlace(writeAnew(disk, `${file}.next`, textOf(kept)), kept, kept.length);
      } catch (error) {
        staysLong(error);
      }
    },
    flush: () => void appender.flush(),
    save() {
      if (!isSaved) appender.appendKept();
      isSaved = true;
      return appender.synced();
    },
    async close() {
      if (replacing !== undefined) await atMost(clock, CLOSE_MS, replacing);
      closed = true;
      const saving = appender.synced();
      if (saving !== undefined)
        await atMost(
          clock,
          CLOSE_MS,
          saving.catch(() => {}),
        );
      appender.close();
    },
  };

  /** Until the shorter history is safe, the longer one is added to, and stays whole. */
  async function takePlace(next: DiskFile, mine: readonly KeptMessage[], written: number): Promise<void> {
    try {
      if (syncs) await Promise.all([next.sync(), appender.synced()?.catch(() => {})]);
      // A history that was replaced again, or closed, meanwhile has no place to take.
      if (kept !== mine || closed) return;
      writeAll(next, Buffer.from(textOf(mine.slice(written))));
      disk.rename(`${file}.next`, file);
      const opened = open();
      appender.abandon();
      appender = opened;
      if (syncs) await disk.syncFolder(folder);
    } catch (error) {
      staysLong(error);
    } finally {
      next.close();
    }
  }

  function staysLong(error: unknown): void {
    log.error({ file, error: String(error) }, "the shorter history cannot be written; the longer stays");
  }
}

const textOf = (messages: readonly KeptMessage[]) =>
  messages.map((message) => `${jsonText(message)}\n`).join("");

/** Writes a file anew, over what an earlier process may have left under the name, and leaves it open. */
function writeAnew(disk: Disk, path: string, text: string): DiskFile {
  const file = disk.open(path, "append");
  try {
    file.truncate(0);
    writeAll(file, Buffer.from(text));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function readMessages(disk: Disk, file: string, log: Log): KeptMessage[] {
  const messages: KeptMessage[] = [];
  const skipped = skippedLines(file, log);
  for (const { number: line, text } of readLinesSync(file, { disk })) {
    if (text === undefined) skipped.add({ line, problem: "it is too long" });
    else if (text.trim() !== "") {
      const read = readMessage(text);
      if (typeof read === "string") skipped.add({ line, problem: read });
      else messages.push(read);
    }
  }
  skipped.tell();
  return messages;
}

/** A message, or the problem of the line. */
function readMessage(text: string): KeptMessage | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "expected JSON";
  }
  const parsed = validateCompiled(Kept, value);
  return parsed.ok ? (parsed.value as KeptMessage) : parsed.problem;
}
