import { join } from "node:path";
import type { ListedDecision } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { type DecisionRecord, decisionInLine } from "./decisions.js";
import { type Disk, nodeDisk, openIfThere } from "./disk.js";
import { titleIn } from "./first-prompt.js";
import { beginningOf, CountedFile, endOfLinesUntil, linesBefore, timeOf } from "./lines-before.js";
import { listedDecision } from "./listed-decision.js";
import { JOURNAL_FILE } from "./places.js";
import { beginsRecord } from "./raw-record.js";

/**
 * The place of a decision: its time in milliseconds since 1970, its session, and its line there. The time is the least of
 * its line and of those behind it, so that the lines of a session are in one order also where its clock went back.
 */
export type DecisionPlace = readonly [at: number, session: string, line: number];

/** The session of a journal. */
export interface TailSession {
  readonly id: string;
  readonly folder: string;
  readonly workDir?: string | undefined;
}

/** The part of a journal that is wanted. */
interface TailPart {
  readonly writtenAt: number;
  readonly until: number;
  readonly after?: DecisionPlace | undefined;
}

/** The types of the records by which something is decided, and by which it was asked. */
const deciding = new Set(["InteractionVoted", "InteractionSettled", "PolicyDecided"]);
const asking = new Set(["InteractionOpened", "AskOpened"]);
/** The bytes at the beginning in which the title is looked for. */
const HEAD_BYTES = 16 * 1024;
/** A file is dated by a clock that may be a little behind. */
const SLACK_MS = 1_000;

/** The decisions of a journal, read from its end to its beginning. No file stays open, and no more than a place is kept. */
export class JournalTail {
  readonly session: TailSession;
  /** The time that no decision which is left is after. */
  time: number;
  /** The place of the next decision; undefined while it is not found. */
  found: DecisionPlace | undefined;
  isOver = false;
  readonly #disk: Disk;
  /** The end of what was not looked at; undefined before the first look. */
  #end: number | undefined;
  readonly #until: number;
  /** The least time of the lines behind what was not looked at: a clock may have gone back. */
  #least: number;
  #title: string | undefined;

  /**
   * @param writtenAt the time of the file, in milliseconds since 1970.
   * @param until the time after which nothing is wanted.
   * @param after the decision of this journal before which everything is wanted. Default: the end.
   */
  constructor(
    session: TailSession,
    { writtenAt, until, after, disk = nodeDisk }: TailPart & { readonly disk?: Disk },
  ) {
    this.session = session;
    this.#least = after?.[0] ?? writtenAt + SLACK_MS;
    this.#end = after?.[2];
    this.time = Math.min(this.#least, until);
    this.#until = until;
    this.#disk = disk;
  }

  /** Looks for the next decision in a part of the file. Gives the bytes that were read. */
  async look(): Promise<number> {
    return this.#reading(async (file) => {
      const end = Math.min(this.#end ?? (await this.#begin(file)), file.size);
      const { from, lines } = await linesBefore(file, end);
      this.#end = from;
      for (const line of lines) {
        const beginning = beginningOf(line);
        this.#least = Math.min(this.#least, timeOf(beginning) ?? this.#least);
        if (this.#least > this.#until) continue;
        this.time = this.#least;
        if (!beginsRecord(beginning, deciding)) continue;
        this.found = [this.time, this.session.id, line.at];
        this.#end = line.at;
        return;
      }
      this.isOver = from === 0;
    });
  }

  /** Reads the decision that was found; undefined for a line that has none. */
  async take(): Promise<{ readonly row: ListedDecision | undefined; readonly read: number }> {
    const place = this.found as DecisionPlace;
    this.found = undefined;
    this.isOver = place[2] === 0;
    let row: ListedDecision | undefined;
    const read = await this.#reading(async (file) => {
      const line = await lineAt(file, place[2]);
      const record = decisionInLine(line);
      if (record === undefined || !["settled", "rule"].includes(record.what)) return;
      const asked = record.request === undefined ? await this.#asked(file, place[2], record) : {};
      const { what: _what, ...decided } = record;
      this.#title ??= await titleOf(file);
      const { id, workDir } = this.session;
      row = listedDecision({ id, title: this.#title, workDir }, { ...asked, ...decided, at: place[0] });
    });
    return { row, read };
  }

  /** The part of a decision that its request has, and the time when that was asked. */
  async #asked(file: CountedFile, before: number, { requestId = "" }: DecisionRecord) {
    let asked: Omit<DecisionRecord, "what"> & { readonly askedAt?: number } = { kind: "question" };
    for (let end = before; end > 0; ) {
      const { from, lines } = await linesBefore(file, end);
      for (const line of lines) {
        const beginning = beginningOf(line);
        if (!beginsRecord(beginning, asking)) continue;
        const isTheirs = line.bytes.includes(requestId);
        if (!isTheirs && asked.requestId === undefined) continue;
        const record = isTheirs ? decisionInLine(line.bytes.toString("utf8")) : undefined;
        if (record?.requestId === requestId && record.what === "program")
          return { ...asked, ...defined({ program: record.program }) };
        // The program of a question is told right before it.
        if (asked.requestId !== undefined) return asked;
        if (record?.requestId !== requestId || record.what !== "asked") continue;
        const { what: _what, ...request } = record;
        asked = { ...request, ...defined({ askedAt: timeOf(beginning) }) };
      }
      end = from;
    }
    return asked;
  }

  /** A place behind the lines that are wanted. */
  async #begin(file: CountedFile): Promise<number> {
    return this.#until === Number.POSITIVE_INFINITY ? file.size : endOfLinesUntil(file, this.#until);
  }

  /** Reads the file while it is open. One that cannot be read has no decisions left. Gives the bytes that were read. */
  async #reading(read: (file: CountedFile) => Promise<void>): Promise<number> {
    let counted: CountedFile | undefined;
    try {
      const file = openIfThere(this.#disk, join(this.session.folder, JOURNAL_FILE));
      this.isOver ||= file === undefined;
      if (file === undefined) return 0;
      try {
        counted = new CountedFile(file);
        await read(counted);
      } finally {
        file.close();
      }
    } catch {
      this.isOver = true;
    }
    return counted?.read ?? 0;
  }
}

/** Bytes of a line that are read at once. */
const LINE_PART = 16 * 1024;

async function lineAt(file: CountedFile, at: number): Promise<string> {
  for (let length = LINE_PART; ; length *= 4) {
    const bytes = await file.part(at, Math.min(file.size, at + length));
    const end = bytes.indexOf(0x0a);
    if (end >= 0 || bytes.length < length) return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
  }
}

async function titleOf(file: CountedFile): Promise<string | undefined> {
  const lines = (await file.part(0, Math.min(file.size, HEAD_BYTES))).toString("utf8").split("\n");
  for (const line of lines.slice(0, -1)) {
    const title = titleIn(line);
    if (title !== undefined) return title;
  }
  return undefined;
}
