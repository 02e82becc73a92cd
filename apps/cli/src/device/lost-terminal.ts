import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

/** The descriptors of the standard streams. */
const STANDARD = [0, 1, 2] as const;

/**
 * Lets this process end as it means to when its terminal is gone. A closed terminal says so by more than one signal, and
 * a process that ends by having nothing left to do takes its handlers down first: it would die of a signal that comes
 * meanwhile. One that is told to exit does not. At its end Node also sets the modes of each standard stream that began as
 * a terminal, and aborts with a core dump where it cannot; nor can a last word to such a stream be written.
 */
export function outliveTerminal(): void {
  process.on("beforeExit", () => process.exit());
  const terminals = STANDARD.filter((descriptor) => isatty(descriptor));
  if (terminals.length === 0 || process.platform === "win32") return;
  if (terminals.includes(1)) process.stdout.on("error", ignoreIfGone);
  if (terminals.includes(2)) process.stderr.on("error", ignoreIfGone);
  process.on("exit", () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) replace(descriptor);
  });
}

function ignoreIfGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "EIO") throw error;
}

/** Puts the null device in the place of a descriptor: the lowest free one is the next to be opened. */
function replace(descriptor: number): void {
  try {
    closeSync(descriptor);
    openSync(devNull, "r+");
  } catch {
    // Without it the process ends with an abort, as it would otherwise.
  }
}
