import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import { languages } from "../words/language.js";

/** The values of the options of a command, by the function that declares it. */
export type OptionsOf<Declare extends (parent: CommandUnknownOpts) => CommandUnknownOpts> = Readonly<
  ReturnType<ReturnType<Declare>["opts"]>
>;

/** The options of commands that run an agent. */
export const sharedOptions = (command: Command) =>
  command
    .option("--interview <file>", "a questionnaire, YAML or JSON, that needs no model")
    .option("--model <name>", "a model: a name of the configuration, or PROVIDER:MODEL")
    .option(
      "--keys-file <file>",
      "where the keys of model providers are, as NAME=value lines; else the environment",
    )
    .option("--script <file>", "a scripted model: a JSON array, one string of lines for each model call")
    .option(
      "--dialect <names>",
      "how the model asks (kimi, klaude, kilo, kilo-xml, redc) and calls (adp, adp-native), or none; else kimi",
    )
    .option("--agent <name>", 'an agent by its name: "askwire agents" lists them')
    .option("--acp", "that agent, or the program after --, speaks ACP; else its answer tells")
    .option("--wire", "that agent, or the program after --, speaks the wire")
    .option("--work-dir <folder>", "the folder that the agent works in; else this one")
    .option("--session <id>", "the session to open: one that is kept goes on, another begins")
    .option("--continue", "go on with the last session of the folder")
    .option("--no-resume", "end the turn that an earlier process left, instead of going on with it")
    .option("--out <file>", "another name for the one file that an interview writes")
    .option("--yolo", "approve every action without asking; questions and choices are still asked")
    .option("--afk", "nobody is there: questions are answered so, and nothing is approved");

/** The options of commands that ask in the terminal. */
export const terminalOptions = <Options extends OptionValues>(command: Command<[], Options>) =>
  command
    .addOption(
      new Option("--lang <language>", "the language of the terminal; else that of the locale").choices(
        languages,
      ),
    )
    .option("--plain", "ask line by line instead of in a panel, as is best for screen readers");

/** An option that the help leaves out. */
export const hidden = <Flags extends string>(flags: Flags) => new Option(flags).hideHelp();

/** Reads a whole number from 1 to `most`: a timer that is longer than 24 days ends at once. */
export function upTo(most: number): (text: string) => number {
  return (text) => {
    const number = positiveInteger(text);
    if (number <= most) return number;
    throw new InvalidArgumentError(`expected a whole number from 1 to ${most}.`);
  };
}

export function positiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number from 1.");
  return number;
}
