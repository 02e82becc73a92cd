import { visibleLine } from "../device/visible-text.js";
import type { ChatWords } from "../words/chat-words.js";

/** What a tool call asks of the person. */
export interface AskedByCall {
  readonly count: number;
  /** The short tags of its questions, on one line; empty where they have none. */
  readonly headers: string;
  /** Its questions, on one line. */
  readonly texts: string;
}

/** What tools call the list of what a question may be answered with. */
const choices = ["options", "choices", "follow_up"];

/**
 * What a call asks, by its arguments, which are whole; undefined where it asks nothing. `questions` is a list of them, or
 * `question` stands beside what to choose from, or in a tool whose name says that it asks.
 */
export function askedByCall(tool: string, args: object): AskedByCall | undefined {
  const fields = new Map<string, unknown>(Object.entries(args));
  const list = fields.get("questions");
  if (Array.isArray(list) && list.length > 0 && list.every(isQuestion)) {
    const headers = list.map(({ header }) => header).filter((header) => typeof header === "string");
    return { count: list.length, headers: joined(headers), texts: joined(list.map((item) => item.question)) };
  }
  const asks = /^ask/i.test(tool) || choices.some((name) => Array.isArray(fields.get(name)));
  const question = fields.get("question");
  if (!asks || typeof question !== "string") return undefined;
  return { count: 1, headers: "", texts: joined([question]) };
}

/** The title of a call that asks: how many questions, and of what; in full where nothing else shows them. */
export function askingTitle({ count, headers, texts }: AskedByCall, words: ChatWords, full: boolean): string {
  const subject = headers !== "" || !full ? headers : texts;
  return `${words.hasQuestions(count)}${subject === "" ? "" : words.colon}${subject}`;
}

const joined = (texts: readonly string[]) =>
  texts
    .map((text) => visibleLine(text).trim())
    .filter((text) => text !== "")
    .join(" / ");

const isQuestion = (value: unknown): value is { readonly question: string; readonly header?: unknown } =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { question?: unknown }).question === "string";
