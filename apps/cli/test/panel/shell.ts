import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { command } from "../askwire.js";
import { modesLeftOn } from "../lent-terminal.js";
import { openTerminal, type Terminal, type TerminalOptions } from "../terminal.js";

export interface Shell {
  readonly terminal: Terminal;
  /** The number of the process that `run` started last. */
  pid(): Promise<number>;
  /** The changes of the terminal after the script: settings, modes, its title. */
  changed(): Promise<string[]>;
}

/**
 * A script in a shell at a terminal. `askwire` is the command, and `run` the command that notes its number. The
 * script's end prints "finished", and later keys are echoed.
 */
export function shell(script: string, { cwd, ...options }: TerminalOptions & { cwd: string }): Shell {
  const program = `'${process.execPath}' '${command}'`;
  const text = `askwire() { ${program} "$@"; }
run() { sh -c 'echo $$ >pid; exec "$@"' sh ${program} "$@"; }
stty -a >before
${script}
stty -a >after; echo finished; cat`;
  const env = { LC_ALL: "C.UTF-8", ...options.env };
  const terminal = openTerminal("/bin/sh", ["-c", text], { ...options, cwd, env });
  const read = (file: string) => readFile(join(cwd, file), "utf8");
  return {
    terminal,
    pid: async () => Number(await read("pid")),
    async changed() {
      // On a small terminal it may stand in two rows.
      await terminal.waitFor(/f\s*i\s*n\s*i\s*s\s*h\s*e\s*d/);
      const settings = (await read("before")) === (await read("after")) ? [] : ["settings"];
      return [...settings, ...modesLeftOn(terminal.sent).map((mode) => `mode ${mode}`), ...titles(terminal)];
    },
  };
}

/** A title that was kept and not taken back. */
function titles({ sent }: Terminal): string[] {
  const count = (sequence: string) => sent.split(sequence).length;
  return count("\u001b[22;0t") === count("\u001b[23;0t") ? [] : ["title"];
}
