import { partialQuestion } from "@askwire/client";
import { callSubject, visibleLine } from "@askwire/client/text";
import { type AskedByCall, askedByCall } from "./asked-by-call.js";

/** The most characters of arguments read for a hint. */
const READ = 8_192;
/** The most characters of arguments read for questions, whose possible answers may be long. */
const READ_ASKED = 65_536;
/** The most characters of a question that is still coming, in one row. */
const QUESTION = 1_024;

/**
 * The subject of a tool call, read from its arguments, which may come in pieces: a path, a command, the action of a query
 * for parameters, or else the first text of one line.
 */
export class CallHint {
  readonly #tool: string;
  #read = "";
  /** Set once the arguments end as an object does. */
  #isClosed = false;
  #question: string | undefined;
  #asked: AskedByCall | undefined;

  constructor(tool: string) {
    this.#tool = tool;
  }

  /** The begun question of the call, on one line. Undefined for a call that asks nothing. */
  get question(): string | undefined {
    return this.#question;
  }

  /** The questions of a call with complete arguments. Undefined for a call that asks nothing. */
  get asked(): AskedByCall | undefined {
    return this.#asked;
  }

  /** Returns the hint. Undefined while the arguments are not complete; empty if they name nothing. */
  more(text: string | null): string | undefined {
    this.#take(text ?? "");
    if (this.#read.length > (this.#question === undefined ? READ : READ_ASKED)) return "";
    const value = this.#isClosed ? parsed(this.#read) : undefined;
    if (value === undefined) return undefined;
    this.#asked = askedByCall(this.#tool, value);
    return callSubject(value);
  }

  #take(text: string): void {
    // Pieces may have few characters: earlier text is not read again with each piece.
    const isRead = this.#read.length > READ;
    const last = text.trimEnd();
    if (last !== "") this.#isClosed = last.endsWith("}");
    if (this.#read.length <= READ_ASKED) this.#read += text;
    if (!isRead) this.#question = this.#begun();
  }

  /** The begun question, while more may come. */
  #begun(): string | undefined {
    const text = partialQuestion(this.#read.slice(0, READ))?.trim();
    return text === undefined ? this.#question : visibleLine(text.slice(0, QUESTION));
  }
}

/** Reports if a call's name has its subject. A foreign agent's title often is what the call is about. */
export const isNamedBy = (name: string, subject: string) =>
  subject === "" || ` ${name} `.includes(` ${subject} `);

/** Parses an object. Undefined for text that is no whole object. */
function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
