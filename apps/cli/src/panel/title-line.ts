import { firstLines, oneLine } from "../device/fitted-text.js";
import type { PanelContent } from "./content.js";
import type { Drawing } from "./drawing.js";

/** Reports if a title line is needed above a question. */
export const hasTitle = ({
  title,
  waiting,
  others = [],
  approvals = "",
  calls = 1,
  deadline,
}: PanelContent): boolean =>
  title !== "" || waiting > 0 || others.length > 0 || approvals !== "" || calls > 1 || deadline !== undefined;

/** The sender, who else answers, the number of waiting requests, and the time left. The least important parts go if room is short. */
export function titleLine(
  { title, waiting, others = [], approvals = "", calls = 1, deadline }: PanelContent,
  drawing: Drawing,
): string {
  const { words, paint, texts, columns } = drawing;
  const who = title === "" ? [] : [oneLine(title)];
  const also = [
    ...(approvals === "" ? [] : [oneLine(approvals)]),
    ...(others.length > 0 ? [oneLine(words.othersAnswer(others))] : []),
  ];
  const several = calls > 1 ? [words.callsWait(calls)] : [];
  const more = waiting > 0 ? [words.waiting(waiting)] : [];
  const left = deadline === undefined ? [] : [words.timeLeft(deadline.seconds)];
  const then =
    deadline === undefined ? [] : [`${left}${words.comma}${expiryWords(deadline.on_expiry, words.onExpiry)}`];
  const choices = [
    [...also, ...several, ...more, ...then],
    [...also, ...several, ...then],
    [...also, ...then],
    then,
    left,
  ];
  const room = columns - texts.widthOf(MARK);
  const parts = choices.find((choice) => texts.widthOf([...who, ...choice].join(DOT)) <= room) ?? left;
  const rest = parts.join(DOT);
  const mark = paint("cyan", MARK);
  if (who.length === 0) return texts.cut(`${mark}${paint("dim", rest)}`, columns);
  const name = texts.cut(who.join(), room - texts.widthOf(DOT + rest));
  if (rest === "" || texts.widthOf(name) < Math.min(LEAST_TITLE, texts.widthOf(who.join())))
    return texts.cut(`${mark}${paint("bold", who.join())}`, columns);
  return `${mark}${paint("bold", name)}${paint("dim", DOT + rest)}`;
}

/** The most lines of a title that is too long for one. */
const MOST_LINES = 6;

/** The title in all its words, on several lines where one has no room for its name; the rest on the last. */
export function titleLines(content: PanelContent, drawing: Drawing): string[] {
  const { paint, texts, columns } = drawing;
  const name = oneLine(content.title);
  const room = columns - texts.widthOf(MARK);
  if (content.form.options.enterOnly !== true || texts.widthOf(name) <= room || room < LEAST_TITLE)
    return [titleLine(content, drawing)];
  const lines = firstLines(texts.wrapped(paint("bold", name), room), MOST_LINES).slice(0, MOST_LINES);
  const indent = " ".repeat(texts.widthOf(MARK));
  const named = lines.map((line, at) => `${at === 0 ? paint("cyan", MARK) : indent}${line}`);
  const rest = { ...content, title: "" };
  return hasTitle(rest) ? [...named, titleLine(rest, drawing)] : named;
}

const MARK = "? ";
const DOT = " · ";

/** The columns of a title below which the parts beside it go. */
const LEAST_TITLE = 8;

/** The words for what counts after a deadline. A newer server's own word stays as it came. */
const expiryWords = (word: string, words: Readonly<Record<"cancel" | "default", string>>): string =>
  word === "cancel" || word === "default" ? words[word] : oneLine(word);
