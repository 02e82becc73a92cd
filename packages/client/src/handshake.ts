import {
  type AgentMethods,
  type InitializeResult,
  LocalError,
  type Peer,
  PROTOCOL_VERSION,
  WireError,
} from "@askwire/protocol";
import { subscriptions } from "./hooks.js";
import type { ConnectOptions } from "./session.js";

/**
 * Introduces this client, and reports what of its offers the server does not take. Undefined for a server that is
 * older than `initialize` (P-CLI-3).
 *
 * @throws LocalError TIMEOUT, CLOSED, BAD_PEER or BAD_MESSAGE, WireError if the server refuses; the peer is closed then.
 */
export async function introduce(
  peer: Peer<AgentMethods>,
  options: ConnectOptions,
  report: (problem: string) => void,
): Promise<InitializeResult | undefined> {
  const { tools = [], hooks = [] } = options;
  let server: InitializeResult | undefined;
  try {
    const response = peer.request("initialize", {
      protocol_version: PROTOCOL_VERSION,
      client: options.client ?? { name: "askwire-client" },
      capabilities: {
        supports_question: options.handlers?.question !== undefined,
        supports_plan_mode: options.planMode === true,
      },
      ...(tools.length > 0 && {
        external_tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      }),
      ...(hooks.length > 0 && { hooks: subscriptions(hooks) }),
    });
    server = await within(options.initializeTimeoutMs ?? 30_000, response);
  } catch (error) {
    if (!(error instanceof WireError && error.is("MethodNotFound"))) {
      peer.close();
      await peer.closed;
      throw error;
    }
  }
  if (tools.length > 0 && server?.external_tools === undefined) report("the server takes no external tools");
  for (const { name, reason } of server?.external_tools?.rejected ?? [])
    report(`the server rejected the tool "${name}": ${reason}`);
  const known = server?.hooks?.supported_events ?? [];
  for (const { event } of hooks) if (!known.includes(event)) report(`the server has no hook "${event}"`);
  return server;
}

async function within<T>(ms: number, response: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const text = `"initialize" was not answered in ${ms} ms: is the other side an Askwire server?`;
    timer = setTimeout(() => reject(new LocalError("TIMEOUT", text)), ms);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
    response.catch(() => {});
  }
}
