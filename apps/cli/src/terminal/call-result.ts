import { stripVTControlCharacters } from "node:util";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { ToolReturnValue } from "@askwire/protocol";
import { cut, widthOf } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
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
  /** Set if a line with the title stands above already. */
  readonly isTitled: boolean;
  /** Set if the title has the command of the call. */
  readonly hasCommand: boolean;
  readonly columns: number;
}

/** The lines of a call that has ended: its title, result and duration in one line where they fit, and what it printed. */
export function endedCall(ended: Ended, paint: Paint, words: ChatWords): string[] {
  const { title, value, printed, tookMs, isTitled, columns } = ended;
  const isFailed = value.is_error;
  const parts = resultParts(ended, words);
  const took = tookMs < LONG_MS ? [] : [words.seconds(Math.round(tookMs / 1_000))];
  const said = [...parts.brief, ...took].join(" · ");
  const shown = paint(isFailed ? "red" : "dim", said);
  const bullet = paint(isFailed ? "red" : "green", isFailed ? "✗" : "•");
  const head = `${bullet} ${title}`;
  const isInOne = !isTitled && widthOf(head) + 3 + widthOf(said) <= columns;
  const first = isTitled
    ? []
    : [cut(isInOne && said !== "" ? `${head}${paint("dim", " · ")}${shown}` : head, columns)];
  const below = isInOne || said === "" ? [] : [`  ${paint(isFailed ? "red" : "dim", `↳ ${said}`)}`];
  const output = printed.map((line) => `  ${isFailed ? line : paint("dim", line)}`);
  return [...first, ...output, ...below, ...parts.rows.map((row) => `  ${paint("dim", row)}`)];
}

function resultParts({ value: { display }, title, hasCommand }: Ended, words: ChatWords) {
  const told = ` ${stripVTControlCharacters(title)} `;
  const brief = display.flatMap((block) =>
    block.type === "brief" && "text" in block ? [visibleLine(words.told(String(block.text)))] : [],
  );
  const rows = display
    .filter(({ type }) => type === "background_task" || (type === "shell" && !hasCommand))
    .flatMap((block) => displayLines(block, (_style, text) => text, words));
  const isNew = (text: string) => text.trim() !== "" && !told.includes(` ${text.replace(/^\$ /, "")} `);
  return { brief: [...brief.filter(isNew), ...changedFiles(display)], rows: rows.filter(isNew) };
}
