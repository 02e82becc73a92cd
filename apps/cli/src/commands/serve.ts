import { isLoopback } from "@askwire/server";
import { type AgentOptions, agentFor, commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { keptSessions, type SessionOptions } from "../agents/kept-sessions.js";
import { Failure, usageFailure } from "../input/failure.js";
import { type AnswerTokenOptions, answerToken, serverToken, type TokenOptions } from "../input/token.js";
import { tellWaiting } from "./waiting-lines.js";

export interface ServeOptions extends AgentOptions, SessionOptions, TokenOptions, AnswerTokenOptions {
  readonly stdio?: boolean;
  /** HOST:PORT. */
  readonly listen?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowRemote?: boolean;
  readonly yolo?: boolean;
  readonly afk?: boolean;
  readonly rawErrors?: boolean;
}

/** Serves an agent to one client over standard input and output, or to many over WebSocket. */
export async function serve(options: ServeOptions): Promise<void> {
  const { stdio = false, listen, yolo = false, afk = false, rawErrors = false } = options;
  if (stdio === (listen !== undefined)) {
    throw usageFailure("serve: say how to listen: --stdio, or --listen HOST:PORT");
  }
  if (listen === undefined && (options.answerAddress ?? options.answerTokenFile) !== undefined) {
    throw usageFailure("serve: --answer-address and --answer-token-file are for --listen HOST:PORT");
  }
  const attended = listen === undefined ? "attended" : "hold";
  const agent = await agentFor({ ...options, attended });
  const { place, sessionId } = keptSessions(options, options.workDir ?? process.cwd(), { kimi: false });
  const attendance = afk ? "decline" : attended;
  // Nobody may be watching when this begins: with --yolo a turn of an earlier process waits for a client.
  const resume = (options.resume ?? true) && (listen === undefined || yolo || "now");
  const server = () => commandServer({ ...agent, place, yolo, attendance, rawErrors, resume });
  if (listen === undefined) return serveStandardStreams(server(), sessionId);
  const address = readListen(listen);
  if (!isLoopback(address.host) && options.allowRemote !== true) {
    throw usageFailure(`--listen ${listen}: others could reach it: bind 127.0.0.1, or add --allow-remote`);
  }
  await listenUntilSignal(server(), address, sessionId, options);
}

function readListen(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw usageFailure(`--listen ${text}: expected HOST:PORT, such as 127.0.0.1:0 for a free port`);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** Listens, prints how to connect, and stays until SIGINT or SIGTERM. */
async function listenUntilSignal(
  server: ReturnType<typeof commandServer>,
  { host, port }: { host: string; port: number },
  sessionId: string | undefined,
  options: ServeOptions,
): Promise<void> {
  const token = serverToken(options);
  if (token === undefined && process.env.ASKWIRE_TOKEN) {
    process.stderr.write(
      "askwire: serve does not read ASKWIRE_TOKEN: a new token is made, or use --token-file\n",
    );
  }
  const answering = answerToken(options);
  if (answering !== undefined && answering === token) {
    throw usageFailure(`${options.answerTokenFile}: expected another token than in ${options.tokenFile}`);
  }
  const { listenWebSocket } = await import("@askwire/server/websocket");
  const gateway = await listenWebSocket(server, {
    host,
    port,
    allowRemote: options.allowRemote ?? false,
    allowHosts: options.allowHost ?? [],
    allowOrigins: options.allowOrigin ?? [],
    ...(token !== undefined && { token }),
    ...(answering !== undefined && { answerToken: answering }),
  }).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === "EADDRINUSE" ? "the port is taken; name another, or 0 for a free one" : error.message;
    throw new Failure(`--listen ${host}:${port}: ${why}`);
  });
  try {
    const session = server.createSession({ stay: true, ...(sessionId !== undefined && { id: sessionId }) });
    tellAddress(gateway.address(session), host);
    if (answering !== undefined) tellAnswerAddress(gateway.address(session, "answer"));
    const quiet = process.stderr.isTTY ? tellWaiting(server, (line) => process.stderr.write(line)) : () => {};
    await new Promise<void>((resolve) => {
      process.once("SIGINT", () => resolve());
      process.once("SIGTERM", () => resolve());
    });
    quiet();
  } finally {
    await gateway.close();
    await server.close();
  }
}

function tellAddress(address: string, host: string): void {
  if (!isLoopback(host)) {
    process.stderr.write(
      "askwire: others can reach this, and what is said is not encrypted: put TLS before it\n",
    );
  }
  process.stdout.write(`${address}\n\nConnect a terminal with:\n  askwire chat --connect '${address}'\n`);
}

function tellAnswerAddress(address: string): void {
  process.stdout.write(
    `\nFor those who may only answer:\n  ${address}\n  askwire chat --connect '${address}'\n`,
  );
}
