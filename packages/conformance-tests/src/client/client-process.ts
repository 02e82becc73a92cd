import { setTimeout as delay } from "node:timers/promises";
import { exitInWords, startGroup } from "../process-group.js";
import type { Transcript } from "./transcript.js";

/** The program under test. */
export interface ClientProcess {
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Kills it and whatever it started. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** How long the end of a killed process is waited for: what it started may have left its group, with its output. */
const KILLED_MS = 2_000;

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
      await Promise.race([group.destroy(), delay(KILLED_MS, undefined, { ref: false })]);
      stdout.destroy();
      stderr.destroy();
    },
  };
}
