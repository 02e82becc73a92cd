import { type ClientSession, commandOf } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import { DECLINE, EXIT, NO_ASK } from "./answer-line.js";

type Commands = ClientSession["slashCommands"];

/** The meaning of a line typed to an agent: words, a command of the agent, or a command of this terminal. */
export type TypedLine =
  | { readonly kind: "words" | "command"; readonly text: string }
  | { readonly kind: "leave" }
  | { readonly kind: "decline" }
  | { readonly kind: "do not ask"; readonly enabled: boolean }
  | { readonly kind: "show"; readonly lines: readonly string[]; readonly isOutput?: true };

export const HELP = "/help";
/** Shows the whole output of a call. */
export const OUTPUT = "/output";
/** Copies the last answer as it was written. */
export const COPY = "/copy";
/** Shows what was asked and answered. */
export const HISTORY = "/history";

/** The output of the terminal's own commands, as lines. */
export interface OwnCommands {
  /** The whole output of a call, by its number. Default: of the last one. Undefined where there is none. */
  output(number?: number): readonly string[] | undefined;
  copy(): readonly string[];
  history(): readonly string[];
}

const none: OwnCommands = { output: () => undefined, copy: () => [], history: () => [] };

/**
 * Reads a line. An unknown `/name` is neither a command nor words, but a slip of the pen.
 *
 * @param own what the terminal's own commands show. Default: nothing.
 * @param doNotAsk the state that `/noask` switches over; undefined for a server without it. Default: undefined.
 */
export function readTypedLine(
  line: string,
  commands: Commands,
  words: ChatWords,
  own = none,
  doNotAsk?: boolean,
): TypedLine {
  const [word = ""] = /^\/[\w:-]+(?=\s|$)/.exec(line) ?? [];
  if (word === EXIT) return { kind: "leave" };
  if (word === HELP) return { kind: "show", lines: help(commands, words, doNotAsk !== undefined) };
  if (word === DECLINE) return { kind: "decline" };
  if (word === OUTPUT)
    return { kind: "show", lines: own.output(numberIn(line)) ?? [words.noOutput], isOutput: true };
  if (word === COPY) return { kind: "show", lines: own.copy() };
  if (word === HISTORY) return { kind: "show", lines: own.history() };
  if (word === NO_ASK && doNotAsk !== undefined) {
    const enabled = readSwitch(line.slice(word.length), doNotAsk);
    if (enabled === undefined) return { kind: "show", lines: [words.onOrOff(NO_ASK)] };
    return { kind: "do not ask", enabled };
  }
  if (word === "" || commands.length === 0) return { kind: "words", text: line };
  if (commandOf(line, commands) !== undefined) return { kind: "command", text: line };
  return { kind: "show", lines: [words.noSuchCommand(word, HELP)] };
}

/** The number behind a command. Undefined without one. */
const numberIn = (line: string): number | undefined => {
  const said = /\s(\d{1,9})\s*$/.exec(line)?.[1];
  return said === undefined ? undefined : Number(said);
};

/** Reads `on`, `off`, or nothing to switch over. Undefined for other words. */
function readSwitch(args: string, current: boolean): boolean | undefined {
  const word = args.trim().toLowerCase();
  if (word === "") return !current;
  return word === "on" ? true : word === "off" ? false : undefined;
}

/** The commands that a person can type, each with its meaning on one line. */
export function commandWords(
  commands: Commands,
  words: ChatWords,
  mayStopAsking: boolean,
): { readonly word: string; readonly about: string }[] {
  const agents = commands.map(({ name, description, aliases }) => {
    const also = aliases.length === 0 ? "" : words.also(aliases.map((alias) => `/${alias}`));
    return [`/${name}`, `${description}${also}`];
  });
  const own = [
    [HELP, words.showsThis],
    [OUTPUT, words.showsOutput],
    [COPY, words.copies],
    [HISTORY, words.showsHistory],
    [DECLINE, words.declines],
    ...(mayStopAsking ? [[NO_ASK, words.stopsAsking]] : []),
    [EXIT, words.leaves],
  ];
  return [...agents, ...own].map(([word = "", about = ""]) => ({
    word: visibleLine(word),
    about: visibleLine(about),
  }));
}

function help(commands: Commands, words: ChatWords, mayStopAsking: boolean): string[] {
  const rows = commandWords(commands, words, mayStopAsking);
  const width = Math.max(...rows.map(({ word }) => word.length));
  return rows.map(({ word, about }) => `  ${word.padEnd(width)}  ${about}`);
}
