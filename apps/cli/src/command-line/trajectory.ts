import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire trajectory`. */
export const trajectoryCommand = (program: CommandUnknownOpts) =>
  program
    .command("trajectory")
    .summary("turn stored sessions into training data")
    .description("Turn stored sessions into training data for a model, and check such files.")
    .helpCommand(false);

/** `askwire trajectory export`. */
export const exportCommand = (trajectory: CommandUnknownOpts) =>
  trajectory
    .command("export")
    .summary("write the trajectories of sessions to a file")
    .description("Write the trajectories of sessions to a file, one JSON object per line.")
    .argument("[sessions...]", "ids of stored sessions, their folders, or wire.jsonl files")
    .requiredOption("--out <file>", "the file to write")
    .addOption(
      new Option("--format <name>", "write examples for this training program, one per turn or step").choices(
        ["trl", "openai", "axolotl", "llamafactory", "sharegpt"],
      ),
    )
    .option("--all", "all stored sessions of the folder")
    .option("--work-dir <folder>", "the sessions of this folder (default: the current one)")
    .option("--force", "replace the file if it exists")
    .option(
      "--keep-flagged",
      "keep unanswered queries, calls that were not executed, and results the model made up",
    )
    .option("--only-success", "skip sessions whose last turn has no answer")
    .addOption(
      new Option("--tag <name>", "use this name for all queries").choices(["tool_param", "param_query"]),
    )
    .option("--system <file>", "replace the system message with the text of this file")
    .addHelpText(
      "after",
      `
Prints how many trajectories were written and which were skipped. See docs/trajectories.md for the format.
Exit codes: 0 written, 2 usage error, 1 other failure.

Examples:
  askwire trajectory export --all --out train.jsonl
  askwire trajectory export 6f0c… --work-dir ~/project --out one.jsonl
  askwire trajectory export old/wire.jsonl --out one.jsonl --tag tool_param --system short-prompt.txt
  askwire trajectory export --all --format trl --out trl.jsonl
  askwire trajectory export --all --only-success --out train.jsonl --force`,
    );

export type ExportOptions = OptionsOf<typeof exportCommand>;

/** `askwire trajectory check`. */
export const checkCommand = (trajectory: CommandUnknownOpts) =>
  trajectory
    .command("check")
    .summary("check a file of trajectories")
    .description("Check a file of trajectories against the schema and rules, and print a summary.")
    .argument("<file>", "the file to check")
    .addHelpText(
      "after",
      `
Each problem is printed as FILE:LINE: REASON.
Exit codes: 0 valid, 1 invalid, 2 usage error.

Example:
  askwire trajectory check train.jsonl`,
    );
