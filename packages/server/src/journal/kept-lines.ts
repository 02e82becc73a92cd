import type { LocalError } from "@askwire/protocol";
import type { Left } from "./left.js";
import type { FileLine, LinePart } from "./lines.js";
import type { KeptOpenList } from "./open-file.js";
import type { UnfinishedSession } from "./open-requests.js";

/** A place between two lines, which stays right when lines before it cannot be written. */
export interface LinePlace {
  readonly at: number;
  /** Nobody needs the place. */
  release(): void;
}

/**
 * The lines of one session's journal, and their one writer: a file of this machine, or the rows of a store. Lines are
 * given without their line feed, and kept in the order in which they are given (P-DUR-1). No method throws: a line that
 * cannot be kept is lost (P-JRN-12).
 */
export interface KeptLines {
  /** The name of the place in logs and errors, such as a path. */
  readonly name: string;
  /** Adds a line, which is written soon after. Ignored once closed. */
  append(line: string): void;
  /** Writes all lines that wait, then these, before it returns. Returns false if they are not written. */
  appendNow(...lines: readonly string[]): boolean;
  /** Writes as `appendNow` does, and has the lines made safe: see `synced`. */
  appendKept(...lines: readonly string[]): boolean;
  /** Settles once the kept lines are safe, and rejects once nothing more is kept; undefined where each is safe now. */
  synced(): Promise<void> | undefined;
  /** Calls `listener` once nothing more can be kept, with the reason. */
  onLost(listener: (why: LocalError) => void): void;
  /** Writes all that was added before. */
  flush(): void;
  /** The place after all lines that were added. */
  place(): LinePlace;
  /** The lines of a part, oldest first. The iteration throws where they cannot be read. */
  read(part: LinePart): AsyncIterable<FileLine>;
  /**
   * Keeps what is open in the session where lists of sessions find it (P-KPT-1).
   *
   * @param read the present state; undefined where nothing is open.
   */
  keepOpen(read: () => UnfinishedSession | undefined): KeptOpenList;
  /** Ends the writing, and gives the session back, at once or by a promise that never rejects. */
  close(): void | Promise<void>;
}

/** Lines that were opened, with what earlier processes left in them. */
export interface OpenedLines {
  readonly lines: KeptLines;
  readonly left: Left;
}

/**
 * The lines of one session's model conversation, and their one writer (P-JRN-11). No method throws: a line that cannot
 * be kept is lost (P-JRN-12).
 */
export interface HistoryLines {
  /** Adds a line, which is written soon after. Ignored once closed. */
  append(line: string): void;
  /** Puts lines in the place of all before. Until they are safe, the longer history is added to, and stays whole. */
  replace(lines: readonly string[]): void;
  /** Writes all that was added before. */
  flush(): void;
  /** Makes all that was added safe. Settles once it is, or nothing more is kept; undefined where it is safe now. */
  save(): Promise<void> | undefined;
  /** Ends the writing. The wait is bounded. Never rejects. */
  close(): Promise<void>;
}

/** A history that was opened, with the lines that earlier processes left in it. */
export interface OpenedHistory {
  /** The name of the place in logs, such as a path. */
  readonly name: string;
  readonly lines: HistoryLines;
  /** The iteration throws where they cannot be read. */
  readonly left: Iterable<FileLine>;
}
