import { exitInWords, startGroup } from "../process-group.js";
import type { Transcript } from "./transcript.js";

/** The program under test. */
export interface ClientProcess {
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Kills it and whatever it started. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts the program, with nothing to read on its standard input. */
export function startClient(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  transcript: Transcript,
): ClientProcess {
  const group = startGroup(command, { cwd: process.cwd(), env });
  const { stdin, stdout, stderr } = group.child;
  stdin.end();
  stdout
    .setEncoding("utf8")
    .on("data", (text: string) => transcript.add("note", `stdout: ${text.trimEnd()}`));
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
  };
}
