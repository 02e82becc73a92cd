import { partialQuestion } from "@askwire/client";
import { callSubject, visibleLine } from "@askwire/client/text";
import { type AskedByCall, askedByCall } from "./asked-by-call.js";

/** The most characters of arguments read for a hint. */
const READ = 8_192;
/** The most characters of arguments read for questions, whose possible answers may be long. */
const READ_ASKED = 65_536;
/** The most characters of a question that is still coming, in one row. */
const QUESTION = 1_024;

/** Reads the subject of a tool call from its arguments, which may come in pieces. */
export interface CallHint {
  /** The hint. Undefined while the arguments are not complete; empty if they name nothing. */
  more(text: string | null): string | undefined;
  /** The begun question of the call, on one line. Undefined for a call that asks nothing. */
  readonly question: string | undefined;
  /** The questions of a call with complete arguments. Undefined for a call that asks nothing. */
  readonly asked: AskedByCall | undefined;
}

/** The hint of a call: a path, a command, the action of a query for parameters, or else the first text of one line. */
export function callHint(tool: string): CallHint {
  let read = "";
  let question: string | undefined;
  let asked: AskedByCall | undefined;
  /** Set once the arguments end as an object does. */
  let closed = false;

  /** The begun question, while more may come. */
  function begun(): string | undefined {
    const text = partialQuestion(read.slice(0, READ))?.trim();
    return text === undefined ? question : visibleLine(text.slice(0, QUESTION));
  }

  return {
    more(text) {
      // Pieces may have few characters: earlier text is not read again with each piece.
      const isRead = read.length > READ;
      const last = text?.trimEnd() ?? "";
      if (last !== "") closed = last.endsWith("}");
      if (read.length <= READ_ASKED) read += text ?? "";
      if (!isRead) question = begun();
      if (read.length > (question === undefined ? READ : READ_ASKED)) return "";
      const value = closed ? parsed(read) : undefined;
      if (value === undefined) return undefined;
      asked = askedByCall(tool, value);
      return callSubject(value);
    },
    get asked() {
      return asked;
    },
    get question() {
      return question;
    },
  };
}

/** Parses an object. Undefined for text that is no whole object. */
function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
