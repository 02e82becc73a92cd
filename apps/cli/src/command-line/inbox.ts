import { type Command, type CommandUnknownOpts, InvalidArgumentError } from "@commander-js/extra-typings";
import { type SignalName, signalNames } from "../inbox/signals.js";
import { type OptionsOf, terminalOptions, upTo } from "./shared-options.js";

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

function readSignals(text: string): readonly SignalName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !signalNames.includes(name as SignalName));
  if (unknown === undefined) return names as SignalName[];
  throw new InvalidArgumentError(`expected names of ${signalNames.join(", ")}, with commas between.`);
}

const serverOptions = (command: Command) =>
  command
    .option(
      "--connect <address>",
      'also show what waits at this address, as "askwire serve --listen" prints it; repeat for more',
      collect,
    )
    .option(
      "--token-file <file>",
      "read the token from this file for addresses without one (default: ASKWIRE_TOKEN)",
    );

/** `askwire inbox`. */
export const inboxCommand = (program: CommandUnknownOpts) =>
  terminalOptions(serverOptions(program.command("inbox")))
    .summary("show what waits for you, of every agent on this machine")
    .description(
      "Show every question and approval that waits for you: of askwire serve, of the agents that ask by askwire mcp, " +
        "of stored sessions, and of the servers that you name. Enter opens one, Esc goes back and decides nothing.",
    )
    .helpCommand(false)
    .option(
      "--mine",
      "show only what waits in sessions whose last turn you began, as far as the server knows you",
    )
    .option("--to-me", "show only what is for you, by your name or by a role that you have (askwire admin)")
    .option("--once", "print what waits, and exit")
    .option("--json", "print one line of JSON; without --once, another whenever something changes")
    .option("--count", "print the number alone, and nothing while that is 0")
    .option("--wait <seconds>", "how long --once waits for servers that do not answer (default: 3)", upTo(60))
    .option(
      "--signal <names>",
      `how to call you when something comes: ${signalNames.join(", ")}, with commas between (default: bell,title)`,
      readSignals,
    )
    .addHelpText(
      "after",
      `
Servers of this machine are found by themselves: "askwire serve --listen" and your gateway always, "askwire serve
--stdio" and "askwire --wire" with ASKWIRE_INBOX=1 in their environment. See docs/inbox.md for status bars.
Sessions in a database are shown by a server that has them open; "askwire sessions --all --waiting --store ADDRESS" lists
the others.

Examples:
  askwire inbox                                 in a pane beside your agents
  askwire inbox --connect wss://ask.example/wire/1#TOKEN
  askwire inbox --once --json                   for a script
  askwire inbox answer ID --choose Blue         answer from a script`,
    );

export type InboxOptions = OptionsOf<typeof inboxCommand>;

/** `askwire inbox answer`. */
export const inboxAnswerCommand = (inbox: CommandUnknownOpts) =>
  serverOptions(inbox.command("answer"))
    .summary("answer a request from a script")
    .description(
      "Answer one request of the inbox by its whole id, as --json prints it. Says what the options say, and no more.",
    )
    .argument("<id>", "the request_id")
    .option(
      "--choose <option>",
      "choose this option, by its label or id; repeat where several may be chosen",
      collect,
    )
    .option("--text <text>", "answer in these words, or with this value")
    .option("--answers <file>", "answer several questions from this JSON file, as in askwire ask")
    .option("--decline", "decline to answer")
    .option("--approve", "approve this one call")
    .option("--option <option>", "answer an approval by this one of its options, by its label or id")
    .option("--reject [reason]", "reject what is asked, with a reason for the agent")
    .addHelpText(
      "after",
      `
Exit codes: 0 the answer counts; 1 it does not, and the reason is on standard error; 2 usage error, and nothing was sent.

Examples:
  askwire inbox answer 2f6c… --choose Blue
  askwire inbox answer 2f6c… --approve
  askwire inbox answer 2f6c… --reject "not on a Friday"`,
    );

export type InboxAnswerOptions = OptionsOf<typeof inboxAnswerCommand>;
