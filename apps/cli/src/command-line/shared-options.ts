import { languages } from "@askwire/client/words";
import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";

/** The values of the options of a command, by the function that declares it. */
export type OptionsOf<Declare extends (parent: CommandUnknownOpts) => CommandUnknownOpts> = Readonly<
  ReturnType<ReturnType<Declare>["opts"]>
>;

/** The longest wait of an option, in minutes. */
export const DAY_MINUTES = 24 * 60;

/** The options of commands that run an agent. */
export const sharedOptions = (command: Command) =>
  command
    .option("--interview <file>", "run this questionnaire, in YAML or JSON; needs no model")
    .option("--model <name>", "use this model: a name from the configuration, or PROVIDER:MODEL")
    .option(
      "--keys-file <file>",
      "read the keys of model providers from this file of NAME=value lines (default: from the environment)",
    )
    .option(
      "--script <file>",
      "use a scripted model: a JSON array with one string of lines for each model call",
    )
    .option(
      "--dialect <names>",
      "how the model asks (kimi, klaude, kilo, kilo-xml, redc) and calls (adp, adp-native), or none; kimi by default",
    )
    .option("--agent <name>", 'use the agent of this name; "askwire agents" lists them')
    .option("--acp", "the agent speaks ACP (default: detected)")
    .option("--wire", "the agent speaks the wire (default: detected)")
    .option("--work-dir <folder>", "work in this folder (default: the current one)")
    .option("--session <id>", "open this session: resume it if it is stored, else start it")
    .option("--continue", "resume the last session of the folder")
    .option("--no-resume", "end an interrupted turn instead of resuming it")
    .option("--out <file>", "the file name for an interview that writes a single file")
    .option("--yolo", "approve every action without asking; questions and choices are still asked")
    .option("--afk", "nobody is there: leave questions unanswered, approve nothing");

export const PASSWORD_FILE_HELP = "read the password of the database from this file, which only you can read";
export const SCHEMA_HELP = "the schema of the tables in the database (default: askwire)";
export const STANDBY_HELP = "accept a database whose failover may lose answers that were acknowledged";

/** The option that says where sessions are kept, with what belongs to it. */
export const storeOptions = <Options extends OptionValues>(what: string, command: Command<[], Options>) =>
  command
    .option(
      "--store <place>",
      `${what} this PostgreSQL database, postgres://USER@HOST/DATABASE, or on the disk (default: disk)`,
    )
    .option("--store-password-file <file>", PASSWORD_FILE_HELP)
    .option("--store-schema <name>", SCHEMA_HELP)
    .option("--allow-async-standby", STANDBY_HELP);

/** The options of where sessions are kept, and whose they are. */
export const tenantStoreOptions = <Options extends OptionValues>(
  what: string,
  command: Command<[], Options>,
) =>
  storeOptions(what, command).option("--tenant <name>", "of this tenant in that database (default: of none)");

/** The options of commands that ask in the terminal. */
export const terminalOptions = <Options extends OptionValues>(command: Command<[], Options>) =>
  command
    .addOption(
      new Option("--lang <language>", "the language of the terminal; from the locale by default").choices(
        languages,
      ),
    )
    .option("--plain", "ask line by line instead of in a panel; best for screen readers");

/** The options of a command that asks for a host: at the person's gateway, or at another server. */
export const placeOptions = <Options extends OptionValues>(command: Command<[], Options>) =>
  command
    .option(
      "--connect <address>",
      'ask at the address that "askwire serve --listen" prints (default: your gateway)',
    )
    .option(
      "--token-file <file>",
      "read the token from this file if the address has none (default: ASKWIRE_TOKEN)",
    );

/** The options of a command that can write into a host's settings. */
export const writeOptions = <Options extends OptionValues>(command: Command<[], Options>) =>
  command
    .option("--dry-run", "with --install or --uninstall: show the change, and write nothing")
    .option("--yes", "with --install or --uninstall: write without asking");

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
