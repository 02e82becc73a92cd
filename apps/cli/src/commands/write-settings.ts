import { CommandFailure, usageFailure } from "../input/failure.js";
import type { HostSettings } from "../mcp/install/host-settings.js";
import { plannedChanges, shownChanges, writeChanges } from "../mcp/install/plan.js";
import { canConfirm, confirmed } from "./confirmed.js";

/** The words of options that were given, in their order, for a command line. */
export const flagWords = (given: Readonly<Record<`--${string}`, string | number | undefined>>): string[] =>
  Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));

/** The options of a command that writes into a host's settings. */
export interface WriteOptions {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/**
 * Shows the change of a host's settings, asks, and writes it.
 *
 * @param what the command and the host, as messages name them.
 * @throws Failure where nobody agrees, and for a file that cannot be read, changed or written: nothing is written then.
 */
export async function writeSettings(
  { settings, note }: HostSettings,
  how: "install" | "uninstall",
  { command, host }: { readonly command: string; readonly host: string },
  { dryRun = false, yes = false }: WriteOptions,
): Promise<void> {
  const changes = plannedChanges(settings, how);
  if (changes.length === 0) {
    process.stdout.write(`Nothing to do: ${host} ${how === "install" ? "has" : "does not have"} askwire.\n`);
    return;
  }
  process.stdout.write(`${shownChanges(changes)}\n`);
  if (dryRun) return;
  if (!yes) {
    if (!canConfirm())
      throw usageFailure(`${command}: --${how}: nobody can be asked here: add --yes, or --dry-run to look`);
    if (!(await confirmed("Write this?")))
      throw new CommandFailure(`${command}: --${how}: nothing was changed`);
  }
  writeChanges(changes);
  process.stdout.write(how === "install" ? `Written. ${note}\n` : "Written.\n");
}
