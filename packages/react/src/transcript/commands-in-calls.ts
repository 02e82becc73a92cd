import type { Entry } from "./entries.js";
import { inJson } from "./in-json.js";

/** The words around a command in a description that says no more than that it is run, and the command. */
const RUN = /^(?:(?:run|execute)\b(?: (?:the )?command\b)?)?[\s:`'"]*(.+?)[\s`'".]*$/isu;
/** The calls before an approval in whose arguments its command is looked for, at most. */
const MOST_CALLS = 20;

/**
 * The keys of the approvals whose description says no more than the row of their call does: the command that is run. An
 * approval that no call has, as that of a connected program, says it by itself.
 */
export function commandsInCalls(entries: readonly Entry[]): ReadonlySet<number> {
  const told = new Set<number>();
  const calls: string[] = [];
  for (const entry of entries) {
    if (entry.kind === "prompt") calls.length = 0;
    if (entry.kind === "call") calls.push(...[entry, ...entry.inner].map(argumentsOf));
    if (entry.kind !== "asked" || !entry.isApproval || calls.length === 0) continue;
    const command = RUN.exec(entry.about[1] ?? "")?.[1];
    if (command === undefined) continue;
    const written = inJson(command);
    if (calls.slice(-MOST_CALLS).some((args) => args.includes(written))) told.add(entry.key);
  }
  return told;
}

const argumentsOf = (entry: Entry): string => (entry.kind === "call" ? entry.args : "");
