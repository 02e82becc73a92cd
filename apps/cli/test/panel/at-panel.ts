import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderWith } from "../askwire.js";
import { openAskwire, type Terminal, type TerminalOptions } from "../terminal.js";

/** Keys as a terminal sends them. */
export const key = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  delete: "\u001b[3~",
  pageDown: "\u001b[6~",
  pageUp: "\u001b[5~",
  tab: "\t",
  backTab: "\u001b[Z",
  enter: "\r",
  space: " ",
  escape: "\u001b",
  backspace: "\u007f",
  ctrl: (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
} as const;

/** A key, or several; then what has to be on the screen before the next is pressed. */
export type Step = string | readonly [keys: string, seen: string | RegExp];

/**
 * Enter on a question, or on the page to review, that an Enter has just brought: another one right behind that answers
 * nothing.
 */
export const lookAndEnter = `${key.down}${key.up}${key.enter}`;

/** Rejects an approval. The letter has to be seen to move the cursor before Enter counts. */
export const reject: readonly Step[] = [["n", /❯ .*[(（]n[)）]/], key.enter];

/** Starts the built command in a terminal that is closed after the test. */
export function start(args: readonly string[], options: TerminalOptions = {}): Terminal {
  const env = { LC_ALL: "C.UTF-8", ...options.env };
  return openAskwire(args, { ...options, env });
}

export interface AskedQuestion {
  readonly question: string;
  readonly header?: string;
  readonly options?: readonly (string | { label: string; description?: string })[];
  readonly multi_select?: boolean;
}

/** `askwire ask` with these questions, once its panel is there. */
export async function askAt(
  questions: readonly AskedQuestion[],
  options: TerminalOptions & { args?: readonly string[] } = {},
): Promise<Terminal> {
  const cwd = await folderWith();
  await writeFile(join(cwd, "q.json"), JSON.stringify({ questions }));
  const terminal = start(["ask", "--questions", "q.json", ...(options.args ?? [])], { cwd, ...options });
  await terminal.waitFor("❯");
  return terminal;
}

/** Presses keys one after the other, each once the screen shows what the one before it is to bring. */
export async function press(terminal: Terminal, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === "string") terminal.type(step);
    else {
      terminal.type(step[0]);
      await terminal.waitForRows(step[1]);
    }
  }
}

/** The output of `askwire ask` after its end, with its exit code. */
export async function report(terminal: Terminal) {
  const { exitCode } = await terminal.ended;
  const line = terminal
    .screen()
    .split("\n")
    .findLast((text) => text.startsWith('{"outcome"'));
  if (line === undefined) throw new Error(`no report on the screen:\n${terminal.screen()}`);
  const { outcome, answers, items } = JSON.parse(line);
  return { exitCode, status: outcome.status as string, answers, items };
}
