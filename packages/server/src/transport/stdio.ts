import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { lineChannel } from "@askwire/protocol/node";
import type { AskwireServer } from "../server.js";

export interface StdioOptions {
  /** Default: the process's standard input. */
  readonly input?: Readable;
  /** Default: the process's standard output, which then carries protocol only. */
  readonly output?: Writable;
}

/**
 * Serves one client over standard input and output, one JSON text a line. Resolves when the client is gone and its
 * session has ended: what was open is settled as `client_lost`, then the turn is cancelled (P-CLO-1).
 */
export async function serveStdio(server: AskwireServer, options: StdioOptions = {}): Promise<void> {
  const input = options.input ?? process.stdin;
  const channel = lineChannel(input, options.output ?? standardOutput());
  await server.connect(channel).closed;
  // A standard input that is still open would keep the process alive.
  input.pause();
}

/** Node writes to a standard output that is a pipe synchronously, so that a slow reader would stop the agent. */
function standardOutput(): Writable {
  return fstatSync(1).isFIFO() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}
