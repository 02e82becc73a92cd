import { onLines } from "@askwire/protocol/node";
import { exitInWords, startGroup } from "../programs/process-group.js";
import type { ExchangeLog } from "./transcript.js";

/** The program under test. */
export interface ClientProcess {
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Kills it and whatever it started. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Writes to its standard input, as long as it reads. */
  write(text: string): void;
  /** Hears of each line of its standard output. */
  onOutput(hear: (line: string) => void): void;
}

/** Starts the program. Without `hasInput` there is nothing to read on its standard input. */
export function startClient(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  transcript: ExchangeLog,
  { hasInput = false }: { readonly hasInput?: boolean } = {},
): ClientProcess {
  const group = startGroup(command, { cwd: process.cwd(), env });
  const { stdin, stdout, stderr } = group.child;
  if (!hasInput) stdin.end();
  const heard = new Set<(line: string) => void>([(line) => transcript.add("note", `stdout: ${line}`)]);
  onLines(stdout, (line) => {
    for (const hear of heard) hear(line);
  });
  stderr.setEncoding("utf8").on("data", (text: string) => transcript.add("stderr", text.trimEnd()));
  const ended = group.ended.then((exit) => {
    const how = exitInWords(exit);
    transcript.add("note", how);
    return how;
  });
  return {
    ended,
    async kill() {
      await group.destroy();
    },
    write(text) {
      if (stdin.writable) stdin.write(text);
    },
    onOutput: (hear) => void heard.add(hear),
  };
}
