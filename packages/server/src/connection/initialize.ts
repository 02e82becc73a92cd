import {
  hookEvents,
  type InitializeParams,
  type InitializeResult,
  PROTOCOL_VERSION,
} from "@askwire/protocol";
import type { RegisteredTools } from "../session/external-tools.js";
import type { ServedSession } from "../session/served-session.js";
import { toldCommands } from "../session/told-commands.js";

/** The tools and hooks of a client, as its session has them now. */
export interface Brought {
  readonly tools: RegisteredTools;
  /** The number of hooks for each event. */
  readonly hooks: Record<string, number>;
  /** True if they reach the agent at its next prompt only. */
  readonly isLate?: boolean;
}

const none: RegisteredTools = { accepted: [], rejected: [] };

/**
 * Takes the tools and hooks of `initialize`. Tools and hooks without a mention go. The first `initialize` of a
 * connection is the exception: those of the client's earlier connection then stay (P-XAT-1).
 */
export function bringOffers(
  session: ServedSession,
  clientId: string,
  { external_tools, hooks }: InitializeParams,
  isAttached: boolean,
): Brought {
  const { broughtTools, agent } = session;
  const { takesTools } = agent;
  const tools = external_tools ?? [];
  const isLate = takesTools === "next_prompt" && session.running && tools.length + (hooks ?? []).length > 0;
  return {
    tools:
      external_tools == null && !isAttached
        ? none
        : takesTools === "never"
          ? {
              accepted: [],
              rejected: tools.map(({ name }) => ({ name, reason: "the agent takes no tools of clients" })),
            }
          : broughtTools.register(clientId, tools, new Set(agent.tools.map(({ name }) => name))),
    isLate,
    hooks:
      hooks == null && !isAttached
        ? session.hooks.configured(clientId)
        : session.hooks.subscribe(clientId, hooks ?? []),
  };
}

/**
 * Has the agent look at the tools that were brought, and takes away those that it refuses. Undefined where nothing is to
 * be awaited.
 */
export function agentsWord(
  session: ServedSession,
  clientId: string,
  { external_tools }: InitializeParams,
  { tools: { accepted, rejected }, ...brought }: Brought,
): Promise<Brought> | undefined {
  if (accepted.length === 0 || session.running) return undefined;
  return session.agent.now.offered?.().then((all) => {
    const refused = all.filter(({ name }) => accepted.includes(name));
    const names = new Set(refused.map(({ name }) => name));
    session.broughtTools.refuse(clientId, names);
    const taken = accepted.filter((name) => !names.has(name));
    const order = (external_tools ?? []).map(({ name }) => name);
    const inOrder = [...rejected, ...refused].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    return { ...brought, tools: { accepted: taken, rejected: inOrder } };
  });
}

/** The base members of what `initialize` is replied. */
export function initializeResult(
  server: { readonly name: string; readonly version: string },
  { commands }: ServedSession,
  { tools: { accepted, rejected }, hooks: configured, isLate }: Brought,
): InitializeResult {
  return {
    protocol_version: PROTOCOL_VERSION,
    server: { name: server.name, version: server.version },
    slash_commands: toldCommands(commands),
    ...(accepted.length + rejected.length === 0 ? {} : { external_tools: { accepted, rejected } }),
    hooks: { supported_events: [...hookEvents], configured },
    capabilities: { supports_question: true },
    ...(isLate && { offers_from: "next_prompt" }),
  };
}
