import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { usageFailure } from "../input/failure.js";
import { type OptionsOf, sharedOptions, terminalOptions } from "./shared-options.js";

/** `askwire chat`. Commander drops a lone `--`, which then lacks the program. */
export const chatCommand = (program: CommandUnknownOpts) =>
  terminalOptions(sharedOptions(program.command("chat")))
    .summary("a conversation with an agent, in the terminal")
    .description(
      "Hold a conversation with an agent in the terminal. Without a source it runs the shipped interview.",
    )
    .argument(
      "[command...]",
      "after --: a program that speaks the wire or ACP on its standard input and output",
    )
    .option("--prompt <text>", "the first prompt, instead of the first line")
    .option("--connect <address>", 'a session of a running server, as "askwire serve --listen" prints it')
    .option("--token-file <file>", "where the token is, if not in the address; else ASKWIRE_TOKEN")
    .option("--no-bell", "no bell, no notification and no mark in the title when something is asked")
    .addHelpText(
      "after",
      `
A question or an approval opens a panel:
  ↑ ↓ Enter       choose; Space checks one of several; 1 to 9 choose; what you type is your own answer
  Tab ← →         go from question to question; all answers are shown before they are sent
  Ctrl-E          shows all that there is to read; q leaves it
  y a n           at an approval: to approve, approve for this session, reject; the last row rejects and says why
  Esc Ctrl-C      decline
What you type:
  at the prompt   words for the agent; Ctrl-J or Alt-Enter begins a line; /help lists the commands; /exit leaves,
                  and so does Ctrl-C pressed twice
  meanwhile       words reach the agent after its current step; Ctrl-C cancels the turn
  with --plain    at a question a number, several with commas, a label or your own words; /decline declines;
                  at an approval y, a (always in this session) or n [why]
Without a terminal the lines of standard input are the prompt, the answers and the next prompts, in the order in
which they are needed. An empty line is no answer, and the end of the input declines.

Examples:
  askwire chat                                  the shipped interview, on this folder
  askwire chat --interview setup.yaml           a questionnaire of your own
  askwire chat --model openai-compatible:NAME   a model, at OPENAI_BASE_URL with OPENAI_API_KEY
  askwire chat --model openai-compatible:NAME --continue
                                                the same, with the conversation that was held here last
  askwire chat --model openai-compatible:NAME --dialect klaude
                                                a model that asks as those of klaude-code do
  askwire chat -- node my-agent.mjs             an agent that you wrote
  askwire chat --agent claude                   an agent of others, in the version that is shipped by name
  askwire chat --connect 'ws://…/wire/…#…'      a session that others may share`,
    )
    .hook("preAction", (chat) => {
      if (chat.args.length === 0 && process.argv.at(-1) === "--" && chat.opts().prompt !== "--")
        throw usageFailure("chat --: expected a program, such as: askwire chat -- node my-agent.mjs");
    });

export type ChatOptions = OptionsOf<typeof chatCommand>;
