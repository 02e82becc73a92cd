import { fileURLToPath } from "node:url";
import { type ClientHandlers, type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import type { HeardPromptResult, WireEvent } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { type AskwireServer, createServer, type Log, type ServerOptions } from "@askwire/server";
import { onTestFinished } from "vitest";
import { type WireAgentOptions, wireAgent } from "../../src/index.js";

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The command of the agent that acts as prompts say. */
export const acting = [process.execPath, fileURLToPath(new URL("./acting-agent.mjs", import.meta.url))];

/** A server with the relayed agent behind it, until the test has finished. */
export function relay(
  command: readonly string[] = acting,
  options: WireAgentOptions = {},
  server: Partial<ServerOptions> = {},
): AskwireServer {
  const relayed = createServer({ agent: wireAgent(command, options), log: quiet, ...server });
  onTestFinished(() => relayed.close());
  return relayed;
}

/** A client of a relay, with all that it was told. */
export interface Told {
  readonly session: ClientSession;
  readonly events: WireEvent[];
  /** Runs a prompt, and gives its result with the text that the agent said in it. */
  say(text: string): Promise<{ readonly result: HeardPromptResult; readonly text: string }>;
}

export type Setup = ConnectOptions & { readonly handlers?: ClientHandlers };

/** Joins a session of a relay as a client that shows all. */
export async function join(
  server: AskwireServer,
  session: ReturnType<AskwireServer["createSession"]>,
  { handlers = {}, ...options }: Setup = {},
): Promise<Told> {
  const { left, right } = linkedPair();
  server.connect(left, { session });
  const events: WireEvent[] = [];
  const joined = await connect(right, {
    shows: { previews: true, fields: true, approvalOptions: true, edits: true, deadline: true },
    ...options,
    handlers: {
      ...handlers,
      event(event) {
        if (event.type !== "unrecognized") events.push(event);
        handlers.event?.(event);
      },
    },
  });
  onTestFinished(() => joined.close());
  return {
    session: joined,
    events,
    async say(text) {
      const before = events.length;
      const result = await joined.prompt(text).result;
      return { result, text: saidIn(events.slice(before)) };
    },
  };
}

/** The text of the agent among events. */
export const saidIn = (events: readonly WireEvent[]): string =>
  events
    .flatMap(({ type, payload }) => (type === "ContentPart" && payload.type === "text" ? [payload.text] : []))
    .join("");
