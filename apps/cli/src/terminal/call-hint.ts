import { partialQuestion } from "@askwire/client";
import { visibleLine } from "../device/visible-text.js";
import { type AskedByCall, askedByCall } from "./asked-by-call.js";

/** Characters of a hint: it is beside the tool's name. */
const LENGTH = 60;
/** Characters of arguments that are read for a hint. */
const READ = 8_192;
/** The same where they ask: what there is to choose from may be long. */
const READ_ASKED = 65_536;
/** Characters of a question that is still coming: it is in one row. */
const QUESTION = 1_024;

/** What tools call the argument that says most. */
const telling = ["path", "command"];

/** Reads what a tool call is about out of its arguments, which may come in pieces. */
export interface CallHint {
  /** Undefined while the arguments are not complete; empty where they name nothing. */
  more(text: string | null): string | undefined;
  /** What the call asks, as far as it has come, on one line; undefined where it asks nothing. */
  readonly question: string | undefined;
  /** What it asks, once its arguments are complete; undefined where it asks nothing. */
  readonly asked: AskedByCall | undefined;
}

/** A path, a command, the action that a query of parameters names, else the first text of one line. */
export function callHint(tool: string): CallHint {
  let read = "";
  let question: string | undefined;
  let asked: AskedByCall | undefined;
  /** Whether they end as an object does. */
  let closed = false;

  /** What is asked, while more of it may come. */
  function begun(): string | undefined {
    const text = partialQuestion(read.slice(0, READ))?.trim();
    return text === undefined ? question : visibleLine(text.slice(0, QUESTION));
  }

  return {
    more(text) {
      // Pieces may be of a few characters: what was read is not read again with each.
      const isRead = read.length > READ;
      const last = text?.trimEnd() ?? "";
      if (last !== "") closed = last.endsWith("}");
      if (read.length <= READ_ASKED) read += text ?? "";
      if (!isRead) question = begun();
      if (read.length > (question === undefined ? READ : READ_ASKED)) return "";
      const value = closed ? parsed(read) : undefined;
      if (value === undefined) return undefined;
      asked = askedByCall(tool, value);
      return hintOf(value);
    },
    get asked() {
      return asked;
    },
    get question() {
      return question;
    },
  };
}

function hintOf(value: object): string {
  const texts = Object.entries(value).flatMap(([name, text]) =>
    typeof text === "string" ? [{ name, text }] : [],
  );
  const isTelling = ({ name }: { name: string }) => telling.includes(name);
  const said = texts.find(isTelling)?.text ?? action(texts);
  const text = said ?? texts.find(({ text }) => !text.includes("\n"))?.text ?? "";
  const line = visibleLine(text.trim());
  return line.length <= LENGTH ? line : `${line.slice(0, LENGTH - 1).trimEnd()}…`;
}

/** The action whose parameters a query of the dialect adp asks for, as its result names it. */
function action(texts: readonly { readonly name: string; readonly text: string }[]): string | undefined {
  const names = ["tool_id", "action"].map((asked) => texts.find(({ name }) => name === asked)?.text.trim());
  return names.some((name) => name === undefined) ? undefined : names.join(".");
}

/** Undefined: this is not the whole of an object. */
function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
