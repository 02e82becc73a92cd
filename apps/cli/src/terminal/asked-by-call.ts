import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";

/** The questions of a tool call. */
export interface AskedByCall {
  readonly count: number;
  /** The headers of the questions, on one line. Empty if there are none. */
  readonly headers: string;
  /** The texts of the questions, on one line. */
  readonly texts: string;
}

/** The names that tools use for the list of possible answers. */
const choices = ["options", "choices", "follow_up"];

/**
 * Reads the questions of a call from its complete arguments. Undefined for a call that asks nothing.
 * The argument `questions` is a list, or `question` stands next to the possible answers. In a tool named for asking,
 * `question` alone is enough.
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

/**
 * The title of a call that asks: the number of questions, and their headers. The questions are in full if nothing
 * else shows them.
 */
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
