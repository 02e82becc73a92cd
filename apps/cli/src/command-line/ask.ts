import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type OptionsOf, positiveInteger, terminalOptions } from "./shared-options.js";

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

/** `askwire ask`. */
export const askCommand = (program: CommandUnknownOpts) =>
  terminalOptions(program.command("ask"))
    .summary("ask a person from a shell script")
    .description("Ask a person from a shell script and print what came of it, as one line of JSON.")
    .option("--question <text>", "what to ask", collect)
    .option(
      "--option <label>",
      "something to choose; may be repeated, and left out for an open question",
      collect,
    )
    .option("--header <text>", "a short tag before the question")
    .option("--multi", "several options may be chosen")
    .option(
      "--questions <file>",
      "one or more questions, JSON; without it and --question from standard input",
    )
    .option("--answers <file>", "answers, JSON, instead of a person at the terminal")
    .option(
      "--connect <address>",
      'ask the people of a running server, as "askwire serve --listen" prints it',
    )
    .option("--token-file <file>", "where its token is, if not in the address; else ASKWIRE_TOKEN")
    .option(
      "--key <key>",
      "a name of your own for the question: with it the command comes back for the outcome",
    )
    .option("--no-wait", "end once it is asked; the same line without this waits for the outcome")
    .option("--deadline <seconds>", "how long people have; then it expires", positiveInteger)
    .option("--name <name>", "who asks, as people are told; else askwire-ask")
    .addHelpText(
      "after",
      `
It asks at the terminal, also where standard input or output are pipes, with the keys of askwire chat: Esc declines,
Ctrl-C withdraws the question.
  questions  {"questions": [{"question": TEXT, "header": TEXT, "options": [LABEL or {"label": TEXT,
             "description": TEXT}], "multi_select": true}]}; all but the question may be left out
  answers    {QUESTION: LABEL or [LABEL] or {"own_text": TEXT}}; a question that is left out is skipped
  printed    {"outcome": {"status": …}, "answers": {QUESTION: TEXT}, "items": […]}

With --connect it asks everybody who is connected to a session of "askwire serve --listen", and the first answer
counts. The same questions with the same --key are asked once: a command that was killed finds them, or their
outcome, when it is started again. Without a key they are withdrawn when the command is gone. The line has the key
too; with --no-wait its outcome is null while the question is open.

Exit code: 0 answered, 3 declined, 4 nobody could answer or its time is over, 5 still open (--no-wait),
130 interrupted, 2 wrong use, 1 another failure.

Examples:
  askwire ask --question "Deploy now?" --option Yes --option No
  answer=$(askwire ask --question "Which colour?") && echo "$answer"
  askwire ask --questions release.json --answers ci-answers.json
  askwire ask --connect 'ws://…/wire/…#…' --key deploy-42 --question "Deploy now?" --option Yes --option No`,
    );

export type AskOptions = OptionsOf<typeof askCommand>;
