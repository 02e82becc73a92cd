import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

const placeOptions = (command: Command) =>
  command
    .option("--all", "the sessions of every folder")
    .option("--work-dir <folder>", "the folder whose sessions are meant; else this one");

/** `askwire sessions`. */
export const sessionsCommand = (program: CommandUnknownOpts) =>
  placeOptions(program.command("sessions"))
    .summary("list kept sessions with what is open in them, and remove some")
    .description(
      "List the sessions that are kept for a folder: when each was active last, its size, whether a process has it, and " +
        "each question or approval that is open in it, and since when.",
    )
    .helpCommand(false)
    .option("--waiting", "only those in which something is open")
    .option("--json", "one session a line, as JSON")
    .addHelpText(
      "after",
      `
"cut off" is a session whose process ended without closing it. What is open in a session that no process has is
answered in "askwire chat --session ID", with the options that it had; else by a client of the process that has it.

Examples:
  askwire sessions                              those of this folder
  askwire sessions --all --waiting              everything that waits for a person
  askwire sessions rm 6f0c2a1e                  one is removed; the first characters of an id suffice
  askwire sessions prune --older-than 30d --larger-than 10MB`,
    );

export type ListOptions = OptionsOf<typeof sessionsCommand>;

/** `askwire sessions rm`. */
export const removeCommand = (sessions: CommandUnknownOpts) =>
  placeOptions(sessions.command("rm"))
    .summary("remove sessions")
    .description(
      "Remove sessions with all their files, once you have confirmed it. None that a process has open.",
    )
    .argument("<ids...>", "their ids, or the first characters of them")
    .option("--yes", "remove without asking");

export type RemoveOptions = OptionsOf<typeof removeCommand>;

/** `askwire sessions prune`. */
export const pruneCommand = (sessions: CommandUnknownOpts) =>
  placeOptions(sessions.command("prune"))
    .summary("remove old or large sessions")
    .description(
      "Remove the sessions that are old, large, or with both options both, once you have confirmed it. None that a " +
        "process has open, and none in which something is open.",
    )
    .option("--older-than <age>", "not active for so long: a number with m, h, d or w")
    .option("--larger-than <size>", "with more than this on disk: a number with kB, MB or GB")
    .option("--include-waiting", "also those in which something is open")
    .option("--yes", "remove without asking")
    .addHelpText(
      "after",
      `
Exit code of rm and prune: 0 removed, or nothing to remove; 1 where one could not be removed; 2 wrong use.

Examples:
  askwire sessions prune --older-than 30d
  askwire sessions prune --all --older-than 12w --larger-than 100MB --yes`,
    );

export type PruneOptions = OptionsOf<typeof pruneCommand>;
