import { serveStdio } from "@askwire/server";
import { type AgentOptions, agentFor, commandServer } from "../agents/agent-server.js";
import { usageFailure } from "../failure.js";

export interface ServeOptions extends AgentOptions {
  readonly stdio?: boolean;
  readonly yolo?: boolean;
  readonly afk?: boolean;
}

/** Serves an agent to one client over standard input and output, until the input ends. */
export async function serve(options: ServeOptions): Promise<void> {
  if (options.stdio !== true) throw usageFailure("serve: say how to listen: --stdio");
  const agent = await agentFor(options);
  await serveStdio(
    commandServer({ agent, yolo: options.yolo ?? false, attendance: options.afk ? "decline" : "attended" }),
  );
}
