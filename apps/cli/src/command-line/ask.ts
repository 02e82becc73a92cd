import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { type OptionsOf, positiveInteger, terminalOptions } from "./shared-options.js";

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

/** `askwire ask`. */
export const askCommand = (program: CommandUnknownOpts) =>
  terminalOptions(program.command("ask"))
    .summary("ask a person from a shell script")
    .description("Ask a person from a shell script, and print the answer for it to read.")
    .option("--question <text>", "the question", collect)
    .option(
      "--option <label>",
      "an option to choose; repeat for more, leave out for an open question",
      collect,
    )
    .option("--header <text>", "a short label before the question")
    .option("--multi", "allow several options to be chosen")
    .option("--yes-no", "ask for a yes or a no: exit code 0 is yes, 10 is no")
    .option(
      "--questions <file>",
      "read questions from this JSON file; without it and --question, from standard input",
    )
    .addOption(
      new Option(
        "--print <form>",
        "print the outcome as JSON, or the answer to one question alone: each label or id that was chosen on a line, " +
          "own words last",
      )
        .choices(["json", "label", "id"])
        .default("json" as const),
    )
    .option(
      "--timeout <seconds>",
      "wait no longer than this: the question is then taken back, or stays open under its --key",
      positiveInteger,
    )
    .option("--answers <file>", "take the answers from this JSON file and ask nobody")
    .option("--connect <address>", 'ask the people at the address that "askwire serve --listen" prints')
    .option(
      "--token-file <file>",
      "read the token from this file if the address has none (default: ASKWIRE_TOKEN)",
    )
    .option("--key <key>", "your name for the question; run again with it to get the outcome")
    .option("--no-wait", "exit once asked; run again without this to wait for the outcome")
    .option(
      "--deadline <seconds>",
      "let the question expire after this time, unless somebody has begun to answer",
      positiveInteger,
    )
    .option("--to <who>", "who alone may answer: role:NAME, or a person's name; repeat for more", collect)
    .option("--exclusive", "while somebody has taken the question, nobody else's answer counts")
    .option(
      "--escalate <step>",
      "who may answer too once it is open for so long, as 30m:role:leads; repeat for more",
      collect,
    )
    .option("--name <name>", "who asks, as people see it (default: askwire-ask)")
    .addHelpText(
      "after",
      `
Asks at the terminal, even if standard input or output is a pipe. Keys are those of askwire chat: Esc declines, Ctrl-C
withdraws the question.
  questions  {"questions": [{"question": TEXT, "header": TEXT, "options": [LABEL or {"label": TEXT,
             "description": TEXT}], "multi_select": true}]}; only "question" is required
  answers    {QUESTION: LABEL or [LABEL] or {"own_text": TEXT}}; a question without an answer is skipped
  printed    {"outcome": {"status": …}, "answers": {QUESTION: TEXT}, "items": […]}

With --connect, everybody connected to the session is asked, and the first answer counts. The same questions with the
same --key are asked once: if the command is killed, run it again to get them back, or their outcome. Without a key,
they are withdrawn when the command ends. The printed line includes the key; with --no-wait, its outcome is null while
the question is open. With --to, only those people are asked, and nobody else's answer counts: see askwire admin.

Exit codes: 0 answered, 10 answered no (--yes-no), 3 declined, 4 expired or nobody could answer, 5 still open, 130
interrupted, 2 usage error, 1 other failure.

Examples:
  askwire ask --question "Deploy now?" --option Yes --option No
  colour=$(askwire ask --print label --question "Which colour?") && echo "$colour"
  askwire ask --yes-no --question "Deploy now?" --timeout 600 && ./deploy.sh
  askwire ask --questions release.json --answers ci-answers.json
  askwire ask --connect 'ws://…/wire/…#…' --key deploy-42 --question "Deploy now?" --option Yes --option No
  askwire ask --connect 'ws://…/wire/…#…' --to role:payments --to Ann --escalate 30m:role:leads --yes-no --question "Pay?"`,
    );

export type AskOptions = OptionsOf<typeof askCommand>;
