import type { ContentPart } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { History, KeptMessage } from "../agent/agent-session.js";
import { completeCalls } from "../agent/interrupted-calls.js";
import type { ModelGiven } from "../agent/model.js";
import type { Log } from "../runtime/log.js";
import { HistoryMessage } from "./history-message.js";
import type { HistoryLines, OpenedHistory } from "./kept-lines.js";
import type { ModelNotes } from "./model-notes.js";
import { skippedLines } from "./skipped-lines.js";

export interface HistoryOptions {
  readonly opened: OpenedHistory;
  /** Takes what a reader of the journal needs besides events. Default: nothing is noted. */
  readonly notes?: ModelNotes;
  readonly log: Log;
}

/**
 * The model's conversation of a session, a message a line, which begins with the kept messages (P-JRN-11). Close it
 * before the journal.
 */
export class KeptHistory implements History {
  readonly #lines: HistoryLines;
  readonly #notes: ModelNotes | undefined;
  #kept: KeptMessage[];

  constructor({ opened, notes, log }: HistoryOptions) {
    this.#lines = opened.lines;
    this.#notes = notes;
    this.#kept = messagesOf(opened, log);
  }

  load(): KeptMessage[] {
    return completeCalls(this.#kept);
  }

  append(messages: readonly KeptMessage[]): void {
    this.#kept.push(...messages);
    for (const message of messages) this.#lines.append(jsonText(message));
  }

  replace(messages: readonly KeptMessage[]): void {
    this.#kept = [...messages];
    this.#lines.replace(messages.map(jsonText));
  }

  asked(request: ModelGiven): void {
    this.#notes?.modelAsked(request);
  }

  said(content: readonly ContentPart[]): void {
    this.#notes?.modelSaid(content);
  }

  forgot(messages: readonly KeptMessage[]): void {
    this.#notes?.modelForgot(messages);
  }

  /** Writes all that was appended before. Never throws. */
  flush(): void {
    this.#lines.flush();
  }

  /** Makes all of it safe. Settles once it is, or nothing more is kept; undefined where it is safe now. */
  save(): Promise<void> | undefined {
    return this.#lines.save();
  }

  /** Writes the rest. The wait is bounded. */
  close(): Promise<void> {
    return this.#lines.close();
  }
}

function messagesOf({ name, left }: OpenedHistory, log: Log): KeptMessage[] {
  const messages: KeptMessage[] = [];
  const skipped = skippedLines(name, log);
  for (const { number: line, text } of left) {
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
  const parsed = validateCompiled(HistoryMessage, value);
  return parsed.ok ? (parsed.value as KeptMessage) : parsed.problem;
}
