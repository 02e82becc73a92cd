import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { usageFailure } from "../input/failure.js";
import { type OptionsOf, sharedOptions, terminalOptions } from "./shared-options.js";

/** `askwire chat`. Commander drops a lone `--`, which then lacks the program. */
export const chatCommand = (program: CommandUnknownOpts) =>
  terminalOptions(sharedOptions(program.command("chat")))
    .summary("talk to an agent in the terminal")
    .description("Talk to an agent in the terminal: by default, the built-in interview.")
    .argument(
      "[command...]",
      "after --: an agent program that speaks the wire or ACP on standard input and output",
    )
    .option("--prompt <text>", "send this first prompt")
    .option("--connect <address>", 'join a session at the address that "askwire serve --listen" prints')
    .option(
      "--token-file <file>",
      "read the token from this file if the address has none (default: ASKWIRE_TOKEN)",
    )
    .option("--raw", "show answers as they were written, without reading their Markdown")
    .option("--no-bell", "do not ring, notify or mark the title when something is asked")
    .addHelpText(
      "after",
      `
A question or an approval opens a panel:
  ↑ ↓ Enter       choose; Space checks one of several; 1 to 9 choose; type to give your own answer
  PgUp PgDn Home End  move in a long list; Ctrl-F searches in it
  Tab ← →         move between questions; you see all answers before you send them
  Ctrl-X          leave a question out, and send the rest
  Ctrl-J          a new line in your own answer, as Alt-Enter; it wraps and grows
  Ctrl-T          a note beside your choice, or with an approval
  Ctrl-O Ctrl-R   the next waiting request, and back
  Ctrl-G          put the panel aside to read; Ctrl-G or Enter brings it back
  Ctrl-E          show the full text; q closes it
  y a n           at an approval: go to approve, approve for this session, reject; Enter confirms; the last row
                  rejects with a reason
  Esc Ctrl-C      decline
What you type:
  at the prompt   a message to the agent; Ctrl-J or Alt-Enter starts a new line; /help lists the commands; /exit
                  or Ctrl-C twice leaves
                  /copy copies the last answer as it was written, /output N shows all that a call printed,
                  /history shows what was asked and answered
  during a turn   a message that the agent gets after its current step; Ctrl-C cancels the turn
  with --plain    at a question: a number, several with commas, a label or your own words; /decline declines;
                  at an approval: y, a (always in this session) or n [why]
Without a terminal, the lines of standard input are prompts and answers, taken in the order in which they are
needed. An empty line is not an answer. If the input ends while something is asked, chat exits with code 4.

Examples:
  askwire chat                                  the built-in interview, about this folder
  askwire chat --interview setup.yaml           your own questionnaire
  askwire chat --model openai-compatible:NAME   a model at OPENAI_BASE_URL, with OPENAI_API_KEY
  askwire chat --model openai-compatible:NAME --continue
                                                the same, resuming the last conversation here
  askwire chat --model openai-compatible:NAME --dialect klaude
                                                a model that asks as in klaude-code
  askwire chat -- node my-agent.mjs             your own agent
  askwire chat --agent claude                   another vendor's agent, in a pinned version
  askwire chat --connect 'ws://…/wire/…#…'      a session shared with others`,
    )
    .hook("preAction", (chat) => {
      if (chat.args.length === 0 && process.argv.at(-1) === "--" && chat.opts().prompt !== "--")
        throw usageFailure("chat --: expected a program, such as: askwire chat -- node my-agent.mjs");
    });

export type ChatOptions = OptionsOf<typeof chatCommand>;
