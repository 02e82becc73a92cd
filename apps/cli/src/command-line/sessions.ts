import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  type OptionsOf,
  PASSWORD_FILE_HELP,
  SCHEMA_HELP,
  STANDBY_HELP,
  tenantStoreOptions,
} from "./shared-options.js";

const placeOptions = (command: Command) =>
  tenantStoreOptions(
    "the sessions in",
    command
      .option("--all", "the sessions of every folder")
      .option("--work-dir <folder>", "the sessions of this folder (default: the current one)"),
  );

/** `askwire sessions`. */
export const sessionsCommand = (program: CommandUnknownOpts) =>
  placeOptions(program.command("sessions"))
    .summary("list or remove stored sessions")
    .description(
      "List the stored sessions of a folder: last activity, size, state, and each open question or approval with its age.",
    )
    .helpCommand(false)
    .option("--waiting", "only sessions with an open question or approval")
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      `
"cut off" marks a session whose process ended without closing it. If no process has a session open, answer it with
"askwire chat --session ID" and its original options; otherwise, use a client of that process.

Examples:
  askwire sessions                              the sessions of this folder
  askwire sessions --all --waiting              everything that waits for a person
  askwire sessions --all --store postgres://askwire@db.example/askwire
                                                the sessions in a database
  askwire sessions rm 6f0c2a1e                  remove one; a prefix of its id is enough
  askwire sessions prune --older-than 30d --larger-than 10MB`,
    );

export type SessionListOptions = OptionsOf<typeof sessionsCommand>;

/** `askwire sessions rm`. */
export const removeCommand = (sessions: CommandUnknownOpts) =>
  placeOptions(sessions.command("rm"))
    .summary("remove sessions")
    .description("Remove sessions and all their files, after you confirm. A session in use is not removed.")
    .argument("<ids...>", "session ids, or prefixes of them")
    .option("--yes", "remove without asking");

export type RemoveOptions = OptionsOf<typeof removeCommand>;

/** `askwire sessions prune`. */
export const pruneCommand = (sessions: CommandUnknownOpts) =>
  placeOptions(sessions.command("prune"))
    .summary("remove old or large sessions")
    .description(
      "Remove old or large sessions, after you confirm. Given both options, a session must be both. A session in use " +
        "stays, and so does one with an open question or approval.",
    )
    .option("--older-than <age>", "inactive for longer than this: a number with m, h, d or w")
    .option("--larger-than <size>", "larger than this on disk: a number with kB, MB or GB")
    .option("--include-waiting", "also remove sessions with an open question or approval")
    .option("--yes", "remove without asking")
    .addHelpText(
      "after",
      `
Exit codes of rm and prune: 0 removed, or nothing to remove; 1 a session could not be removed; 2 usage error.

Examples:
  askwire sessions prune --older-than 30d
  askwire sessions prune --all --older-than 12w --larger-than 100MB --yes
  askwire sessions prune --all --older-than 90d --yes --store postgres://askwire@db.example/askwire`,
    );

export type PruneOptions = OptionsOf<typeof pruneCommand>;

/** `askwire sessions move`. */
export const moveCommand = (sessions: CommandUnknownOpts) =>
  sessions
    .command("move")
    .summary("move a session into a database, or back")
    .description(
      "Move a session that no process has open from the disk into a database, or back, with all that is open in it.",
    )
    .argument("<id>", "a session id; on the disk, a prefix of it is enough")
    .requiredOption("--store <place>", "where to: postgres://USER@HOST/DATABASE, or disk")
    .option(
      "--from <address>",
      "with --store disk: the database that has it (default: where it was moved to)",
    )
    .option("--store-password-file <file>", PASSWORD_FILE_HELP)
    .option("--store-schema <name>", SCHEMA_HELP)
    .option("--allow-async-standby", STANDBY_HELP)
    .option("--work-dir <folder>", "the folder that the session belongs to (default: the current one)")
    .addHelpText(
      "after",
      `
Requests keep their ids, and what is open is answered there. Afterwards the place that it left says where it is. If the
command is killed, run the same again. Unsent answers of a terminal stay on the disk.
Exit codes: 0 it is there; 1 it could not be moved; 2 usage error.

Examples:
  askwire sessions move 6f0c2a1e --store postgres://askwire@db.example/askwire --store-password-file db.txt
  askwire sessions move 6f0c2a1e-0d3b-4c55-9d0e-3a3f2a3c8d11 --store disk --store-password-file db.txt`,
    );

export type MoveOptions = OptionsOf<typeof moveCommand>;
