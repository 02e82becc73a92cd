import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { type Limits, LocalError } from "@askwire/protocol";
import { howEnded, type LineChannelOptions, lineChannel } from "@askwire/protocol/node";
import type { DialedChannel } from "../contract/session.js";
import { NO_AGENT, type ProgramOutput } from "./program-output.js";

/**
 * The time for reading the last output after a process ended, in milliseconds. Its own children may hold the pipes
 * open forever.
 */
const DRAIN_MS = 200;

/** Picks the limits of a line channel. */
export function lineLimits({ inboundBytes, unsentBytes }: Partial<Limits> = {}): LineChannelOptions {
  return {
    ...(inboundBytes === undefined ? {} : { inboundBytes }),
    ...(unsentBytes === undefined ? {} : { unsentBytes }),
  };
}

/** Resolves with an error that reports the end of the process. Every end is an error for a waiting caller. */
export function endOf(
  child: ChildProcess,
  command: string,
  output: ProgramOutput,
  { cwd, onStderr }: { readonly cwd?: string; readonly onStderr?: (text: string) => void },
): Promise<LocalError> {
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.log(text);
    onStderr?.(text);
  });
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      const why = error.code === "ENOENT" ? notFound(cwd) : error.message;
      resolve(new LocalError("SPAWN_FAILED", `could not start "${command}": ${why}`, { cause: error }));
    });
    child.once("exit", () => {
      const timer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
      }, DRAIN_MS);
      child.once("close", () => clearTimeout(timer));
    });
    child.once("close", (code, signal) => {
      resolve(
        new LocalError("PROCESS_EXITED", `"${command}" ended ${howEnded(code, signal)}${output.ending()}`),
      );
    });
  });
}

/** The channel of a child process. The channel closes after the process is gone, with its end as the cause. */
export function childChannel(
  child: ChildProcess,
  command: string,
  gone: Promise<LocalError>,
  output: ProgramOutput,
  { closeTimeoutMs, limits }: { closeTimeoutMs: number; limits?: Partial<Limits> },
): DialedChannel & { readonly kill: () => void } {
  const lines = lineChannel(child.stdout as Readable, child.stdin as Writable, lineLimits(limits));
  const stop = () => void endProcess(child, closeTimeoutMs);
  return {
    ...lines,
    introduced: () => output.introduced(),
    send(text) {
      output.sent(text);
      lines.send(text);
    },
    listen(sink) {
      let echo: LocalError | undefined;
      lines.listen({
        ...sink,
        message(text) {
          if (!output.echoes(text)) return sink.message(text);
          echo = new LocalError("BAD_PEER", `"${command}" sends back what it is sent${NO_AGENT}`);
          lines.close();
        },
        closed() {
          stop();
          void gone.then((error) => sink.closed(echo ?? error));
        },
      });
    },
    close() {
      lines.close();
      stop();
    },
    kill() {
      child.kill();
      void endProcess(child, closeTimeoutMs, ["SIGKILL"]);
    },
  };
}

/** Ends a process: first its input, which ends an agent, then SIGTERM, then SIGKILL. */
export async function endProcess(
  child: ChildProcess,
  timeoutMs: number,
  signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGKILL"],
): Promise<void> {
  child.stdin?.end();
  for (const signal of signals) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const waited = new AbortController();
    const timer = setTimeout(() => waited.abort(), timeoutMs);
    await once(child, "exit", { signal: waited.signal }).catch(() => child.kill(signal));
    clearTimeout(timer);
  }
}

/** The system says the same of a missing program and of a missing folder to start it in. */
const notFound = (cwd: string | undefined) =>
  cwd === undefined || existsSync(cwd)
    ? "it was not found; check the name or the PATH"
    : `there is no folder ${cwd} to start it in`;
