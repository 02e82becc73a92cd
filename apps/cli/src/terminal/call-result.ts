import { stripVTControlCharacters } from "node:util";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { ToolReturnValue } from "@askwire/protocol";
import { cut, widthOf } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
import { type AnswerTold, headLine } from "./answer-told.js";
import { outputLines, printedText } from "./command-output.js";
import { displayLines } from "./display-lines.js";
import { changedFiles } from "./event-lines.js";

/** A time that is told, in milliseconds. Shorter ones say nothing. */
const LONG_MS = 3_000;

interface Ended {
  readonly title: string;
  readonly value: ToolReturnValue;
  /** The lines of its output that stay. */
  readonly printed: readonly string[];
  readonly tookMs: number;
  /** The answer that let it run, which is told in place of the title. */
  readonly answer: AnswerTold | undefined;
  /** Set if a line with the title stands above already. */
  readonly isTitled: boolean;
  /** Set if the title has the command of the call. */
  readonly hasCommand: boolean;
  /** Set if its output is what it found, of which the lines are counted. */
  readonly finds: boolean;
  readonly columns: number;
}

/** The lines of a call that has ended: its title, result and duration in one line where they fit, and what it printed. */
export function endedCall(ended: Ended, paint: Paint, words: ChatWords): string[] {
  const { title, value, printed, tookMs, answer, isTitled, columns } = ended;
  const isFailed = value.is_error;
  const parts = resultParts(ended, words);
  const took = tookMs < LONG_MS ? [] : [words.seconds(Math.round(tookMs / 1_000))];
  const said = [...parts.brief, ...took].join(" · ");
  const shown = paint(isFailed ? "red" : "dim", said);
  const bullet = paint(isFailed ? "red" : "green", isFailed ? "✗" : "•");
  // The title of an approved call is never cut: a person can read there all that they allowed.
  const head =
    answer?.head === undefined
      ? cut(`${bullet} ${title}`, columns)
      : headLine({ ...answer.head, mark: isFailed ? bullet : answer.head.mark });
  const isInOne = !isTitled && !answer?.lines.length && widthOf(head) + 3 + widthOf(said) <= columns;
  const first = isInOne && said !== "" ? [`${head}${paint("dim", " · ")}${shown}`] : isTitled ? [] : [head];
  const below = isInOne || said === "" ? [] : [`  ${paint(isFailed ? "red" : "dim", `↳ ${said}`)}`];
  const output = printed.map((line) => `  ${isFailed ? line : paint("dim", line)}`);
  return [
    ...first,
    ...(answer?.lines ?? []),
    ...output,
    ...below,
    ...parts.rows.map((row) => `  ${paint("dim", row)}`),
  ];
}

function resultParts({ value, title, hasCommand, finds }: Ended, words: ChatWords) {
  const { display } = value;
  const titled = ` ${stripVTControlCharacters(title)} `;
  const brief = display.flatMap((block) =>
    block.type === "brief" && "text" in block ? [visibleLine(words.told(String(block.text)))] : [],
  );
  const rows = display
    .filter(({ type }) => type === "background_task" || (type === "shell" && !hasCommand))
    .flatMap((block) => displayLines(block, (_style, text) => text, words));
  const isNew = (text: string) => text.trim() !== "" && !titled.includes(` ${text.replace(/^\$ /, "")} `);
  const told = [...brief, ...changedFiles(display)];
  const lines =
    finds && !value.is_error && told.length === 0 ? outputLines(printedText(value.output)).length : 0;
  return { brief: lines > 0 ? [words.lines(lines)] : told.filter(isNew), rows: rows.filter(isNew) };
}
