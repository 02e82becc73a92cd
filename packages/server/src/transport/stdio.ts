import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Limits, Principal } from "@askwire/protocol";
import { checkOptions, defined, limitRules, type OptionRules, option } from "@askwire/protocol/internal";
import { framedChannel } from "@askwire/protocol/node";
import { principalRule } from "../server/principal.js";
import type { AskwireServer } from "../server/server.js";
import { checkServer } from "./check-server.js";

/** Over which streams {@link serveStdio} serves, and which session. */
export interface StdioOptions {
  /** Default: the process's standard input. */
  readonly input?: Readable;
  /** Default: the process's standard output, which then carries protocol only. */
  readonly output?: Writable;
  /** The id of the session, which continues a kept session. Default: a new id. */
  readonly sessionId?: string;
  /** The person at the other end, whom outcomes name (P-WHO-3). Default: nobody is named. */
  readonly principal?: Principal;
  /**
   * The bounds of the streams: an inbound message, and the unread part of the output (P-LIM-1). Default: the server's.
   */
  readonly limits?: Partial<Pick<Limits, "inboundBytes" | "unsentBytes">>;
  /** True if integers are refused as ids on lines, as Kimi's server refuses them (P-FRM-5). Default: false. */
  readonly stringIds?: boolean;
}

const stdioRules: OptionRules<StdioOptions> = {
  input: option.having("a readable stream", "on", "pipe"),
  output: option.having("a writable stream", "on", "write"),
  sessionId: option.text,
  principal: principalRule,
  limits: option.of<Partial<Limits>>(limitRules),
  stringIds: option.flag,
};

/**
 * Serves one client over standard input and output, one JSON text a line. A client that begins with `Content-Length`
 * framing gets that (P-FRM-7). Resolves when the client is gone and its session has ended. Open requests are then
 * settled as `client_lost`, in a kept session as withdrawn, and the turn is cancelled (P-CLO-1); a kept turn whose agent
 * resumes is left to the next process instead (P-RES-9).
 *
 * @throws TypeError for an option that is unknown or does not fit.
 */
export async function serveStdio(server: AskwireServer, options: StdioOptions = {}): Promise<void> {
  checkServer("serveStdio", server);
  checkOptions("serveStdio", options, stdioRules);
  const { input = process.stdin, output = standardOutput(), limits = server.limits } = options;
  const { sessionId, principal, stringIds = false } = options;
  const channel = framedChannel(input, output, { ...limits, stringIds });
  await server.connect(channel, defined({ sessionId, principal })).closed;
  // A standard input that is still open would keep the process alive.
  input.pause();
}

/** Node writes to a standard output that is a pipe synchronously, so that a slow reader would stop the agent. */
function standardOutput(): Writable {
  return fstatSync(1).isFIFO() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}
