import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type OptionsOf, tenantStoreOptions } from "./shared-options.js";

/** `askwire audit`. */
export const auditCommand = (program: CommandUnknownOpts) =>
  tenantStoreOptions("the decisions of servers that keep their sessions in", program.command("audit"))
    .summary("tell who answered what, and when")
    .helpCommand(false)
    .description(
      "Tell each decision of the stored sessions of this machine, or of a database, oldest first: when, what came of " +
        "it, who decided, what was asked, and the answer.",
    )
    .option(
      "--since <time>",
      "only from this time on: an age such as 30d or 12h, or a day such as 2026-11-01",
    )
    .option("--until <time>", "only before this time, given in the same way")
    .option("--session <id>", "only this session; the first characters of its id are enough")
    .option("--work-dir <folder>", "only the sessions of this folder (default: every folder)")
    .option("--who <name>", "only what this person decided, by the word of the server: a name or an id")
    .option("--client <name>", "only what a client that calls itself so decided, which proves nothing")
    .option("--open", "also what is still open, at the end")
    .option(
      "--text <words>",
      "only what has these words: asked, answered, noted, in the title or folder of its session, or a name",
    )
    .option(
      "--connect <address>",
      'read from this running server, the newest first: an address as "askwire serve --listen" prints it',
    )
    .option(
      "--token-file <file>",
      "read the token from this file for an address without one (default: ASKWIRE_TOKEN)",
    )
    .option("--json", "print one JSON object per line")
    .option("--csv", "print a table for spreadsheets")
    .addHelpText(
      "after",
      `
A name with its way in, such as "Ann (token)", is the server's word. "says to be" is the word of the client alone.
What no person decided has its cause in that place: a rule, the deadline, a hook or the server.
Sessions that were removed from the disk are not there: print what you have to keep. A database keeps their decisions.
See docs/audit.md.

Exit codes: 0 all was read; 1 a session, or lines of one, could not be read, as standard error says; 2 usage error.

Examples:
  askwire audit --since 7d
  askwire audit --since 2026-11-01 --until 2026-12-01 --json > november.jsonl
  askwire audit --who Ann --session 6f0c2a1e
  askwire audit --text deploy --csv > deploys.csv
  askwire audit --since 30d --connect wss://ask.example/wire/1 --token-file token.txt
  askwire audit --since 30d --store postgres://askwire@db.example/askwire --store-password-file db.txt`,
    );

export type AuditOptions = OptionsOf<typeof auditCommand>;

/** `askwire audit forget`. */
export const forgetCommand = (audit: CommandUnknownOpts) =>
  tenantStoreOptions("the decisions of servers that keep their sessions in", audit.command("forget"))
    .summary("remove one person's name and words from decisions")
    .description(
      "Remove the name and the words of one person from the decisions of stored sessions that no process has open, after " +
        "you confirm. That a decision was made, when, by which way, and digests of what was removed stay.",
    )
    .argument("<person>", "the name or the id of a person, by the word of the server")
    .option("--work-dir <folder>", "only in the sessions of this folder (default: every folder)")
    .option("--dry-run", "say what would be removed, and what would stay; remove nothing")
    .option("--yes", "remove without asking")
    .addHelpText(
      "after",
      `
A short answer can be guessed from its digest. The output says what else may have the person's words: prompts, what the
agent made of an answer, copies, and with --store the sessions themselves. "askwire sessions rm" removes sessions whole.
In a database only the owner of its tables may do it. If the command is killed, run it again.
Exit codes: 0 nothing of it is left in the decisions; 1 a session, or a line of one, stays as it is, as standard error
says; 2 usage error.

Examples:
  askwire audit forget Ann --dry-run
  askwire audit forget Ann --yes
  askwire audit forget Ann --yes --store postgres://askwire@db.example/askwire --store-password-file db.txt`,
    );

export type ForgetOptions = OptionsOf<typeof forgetCommand>;

/** `askwire audit prune`. */
export const pruneAuditCommand = (audit: CommandUnknownOpts) =>
  tenantStoreOptions("the decisions of servers that keep their sessions in", audit.command("prune"))
    .summary("remove old decisions from a database")
    .description(
      "Remove all decisions of before a time from a database, as the owner of its tables, after you confirm. What is " +
        "open stays. On the disk decisions go with their sessions.",
    )
    .requiredOption("--before <time>", "an age such as 400d, or a day such as 2026-01-01")
    .option("--yes", "remove without asking")
    .addHelpText(
      "after",
      `
Exit codes: 0 removed, or nothing to remove; 1 it failed; 2 usage error.

Examples:
  askwire audit prune --before 400d --yes --store postgres://askwire@db.example/askwire --store-password-file db.txt
  askwire sessions prune --all --older-than 400d --yes    on the disk: sessions with their decisions`,
    );

export type PruneAuditOptions = OptionsOf<typeof pruneAuditCommand>;
