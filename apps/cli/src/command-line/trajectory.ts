import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire trajectory`. */
export const trajectoryCommand = (program: CommandUnknownOpts) =>
  program
    .command("trajectory")
    .summary("make examples for training a model out of kept sessions")
    .description("Make examples for training a model out of kept sessions, and check files of them.")
    .helpCommand(false);

/** `askwire trajectory export`. */
export const exportCommand = (trajectory: CommandUnknownOpts) =>
  trajectory
    .command("export")
    .summary("write the trajectories of sessions, one a line")
    .description("Write the trajectories of sessions to a file, one JSON object a line.")
    .argument("[sessions...]", "ids that are kept for the work folder, folders, or wire.jsonl files")
    .requiredOption("--out <file>", "the file to write")
    .option("--all", "every session that is kept for the work folder")
    .option("--work-dir <folder>", "the folder whose sessions are meant; else this one")
    .option("--force", "replace the file if it exists")
    .option(
      "--keep-flagged",
      "keep unanswered queries, calls that were not executed and results of the model's own",
    )
    .option("--only-success", "leave out sessions whose last turn has no answer")
    .addOption(new Option("--tag <name>", "one name for all queries").choices(["tool_param", "param_query"]))
    .option("--system <file>", "a text to set as the system message")
    .addHelpText(
      "after",
      `
Prints how many were written and which were left out. docs/trajectories.md explains the format.
Exit code: 0 written, 2 wrong use, 1 another failure.

Examples:
  askwire trajectory export --all --out train.jsonl
  askwire trajectory export 6f0c… --work-dir ~/project --out one.jsonl
  askwire trajectory export old/wire.jsonl --out one.jsonl --tag tool_param --system short-prompt.txt
  askwire trajectory export --all --only-success --out train.jsonl --force`,
    );

export type ExportOptions = OptionsOf<typeof exportCommand>;

/** `askwire trajectory check`. */
export const checkCommand = (trajectory: CommandUnknownOpts) =>
  trajectory
    .command("check")
    .summary("check a file of trajectories")
    .description("Check a file of trajectories against its schema and rules, and print what is in it.")
    .argument("<file>", "the file to check")
    .addHelpText(
      "after",
      `
Each problem is a line, FILE:LINE: and the reason.
Exit code: 0 all right, 1 something is wrong, 2 wrong use.

Example:
  askwire trajectory check train.jsonl`,
    );
