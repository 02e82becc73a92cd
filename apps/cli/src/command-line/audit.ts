import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire audit`. */
export const auditCommand = (program: CommandUnknownOpts) =>
  program
    .command("audit")
    .summary("tell who answered what, and when")
    .description(
      "Tell each decision of the stored sessions of this machine, oldest first: when, what came of it, who decided, " +
        "what was asked, and the answer.",
    )
    .option(
      "--since <time>",
      "only from this time on: an age such as 30d or 12h, or a day such as 2026-11-01",
    )
    .option("--until <time>", "only before this time, given in the same way")
    .option("--session <id>", "only this session; the first characters of its id are enough")
    .option("--work-dir <folder>", "only the sessions of this folder (default: every folder)")
    .option("--who <name>", "only what this person or client decided: a name, or the id of a person")
    .option("--open", "also what is still open, at the end")
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      `
A name with its way in, such as "Ann (token)", is the server's word. "says to be" is the word of the client alone.
What no person decided has its cause in that place: a rule, the deadline, a hook or the server.
Sessions that were removed are not there: print what you have to keep. See docs/audit.md.

Exit codes: 0 all was read; 1 a session, or lines of one, could not be read, as standard error says; 2 usage error.

Examples:
  askwire audit --since 7d
  askwire audit --since 2026-11-01 --until 2026-12-01 --json > november.jsonl
  askwire audit --who Ann --session 6f0c2a1e`,
    );

export type AuditOptions = OptionsOf<typeof auditCommand>;
