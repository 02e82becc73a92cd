import {
  EXTENDED_REVISION,
  type HeardAgentMethods,
  type HeardIntroduction,
  type In,
  type InitializeParams,
  LocalError,
  type Peer,
  PROTOCOL_VERSION,
  WireError,
} from "@askwire/protocol";
import type { SessionPlace } from "../contract/conversation.js";
import type { Offered } from "../contract/offered.js";
import type { ConnectOptions } from "../contract/session.js";
import { type Timing, within } from "../runtime/timing.js";

/** The introduction of a client. */
export type Hello = In<typeof InitializeParams>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
type Shown = NonNullable<ConnectOptions["shows"]>;

/** The features of `shows`, with their names on the wire. */
const shown: { readonly [F in keyof Required<Shown>]: string } = {
  previews: "previews",
  notes: "notes",
  attachments: "attachments",
  skip: "skip",
  deadline: "deadline",
  fields: "fields",
  approvalOptions: "approval_options",
  edits: "edits",
  quorum: "quorum",
  presence: "presence",
  relay: "relay",
};

/** The features of a client as the wire names them. */
const declared = (shows: Shown) =>
  Object.fromEntries(Object.entries(shows).map(([name, shows]) => [shown[name as keyof Shown], shows]));

/** Finds the mistake in the options of the extended profile, for callers without type checks. */
export function optionsProblem({ profile, clientId, shows = {} }: ConnectOptions): string | undefined {
  if (![undefined, "extended", "base"].includes(profile)) return 'profile: expected "extended" or "base"';
  if (clientId !== undefined && !UUID.test(clientId))
    return "clientId: expected a UUID; leave it out, and the session has a new one";
  const unknown = Object.keys(shows ?? {}).find((name) => !Object.hasOwn(shown, name));
  return unknown && `shows.${unknown}: expected only ${Object.keys(shown).join(", ")}`;
}

/**
 * Makes the introduction of this client.
 *
 * @param clientId undefined for a client of the base profile.
 */
export function helloOf(
  options: ConnectOptions,
  offered: Offered,
  clientId: string | undefined,
  session?: SessionPlace,
): Hello {
  const { tools = [], hooks = [], shows = {} } = options;
  return {
    protocol_version: PROTOCOL_VERSION,
    client: options.client ?? { name: "askwire-client" },
    capabilities: {
      supports_question: options.handlers?.question !== undefined && (options.questions ?? true),
      supports_plan_mode: options.planMode === true,
      ...(clientId !== undefined && {
        askwire: {
          ...declared(shows),
          ...(options.handlers?.history !== undefined && { history: true }),
          ...(options.handlers?.callOutput !== undefined && { call_output: true }),
          alive: true,
          revision: EXTENDED_REVISION,
          client_id: clientId,
        },
      }),
    },
    ...(tools.length > 0 && {
      external_tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    }),
    ...(hooks.length > 0 && { hooks: offered.subscriptions(hooks) }),
    ...(session !== undefined && { session }),
    ...(session === undefined && clientId !== undefined && options.lobby === true && { lobby: true }),
  };
}

/**
 * Introduces this client. Returns undefined for a server older than `initialize` (P-CLI-3).
 *
 * @throws LocalError TIMEOUT, CLOSED, BAD_PEER or BAD_MESSAGE, WireError if the server refuses; the peer is closed
 * then.
 */
export async function introduce(
  peer: Peer<HeardAgentMethods>,
  hello: Hello,
  { initializeTimeoutMs, timing }: { readonly initializeTimeoutMs: number; readonly timing: Timing },
): Promise<HeardIntroduction | undefined> {
  try {
    const response = peer.request("initialize", hello);
    const text = `"initialize" was not answered in ${initializeTimeoutMs} ms: is the other side an Askwire server?`;
    return await within(timing, initializeTimeoutMs, response, () => new LocalError("TIMEOUT", text));
  } catch (error) {
    if (error instanceof WireError && error.is("MethodNotFound")) return undefined;
    peer.close();
    await peer.closed;
    throw error;
  }
}

/** Reports the offers of this client that the server does not take. */
export function reportOffers(
  server: HeardIntroduction | undefined,
  { tools = [], hooks = [] }: ConnectOptions,
  report: (problem: string) => void,
): void {
  if (tools.length > 0 && server?.external_tools === undefined) report("the server takes no external tools");
  for (const { name, reason } of server?.external_tools?.rejected ?? [])
    report(`the server rejected the tool "${name}": ${reason}`);
  const known = server?.hooks?.supported_events ?? [];
  for (const { event } of hooks) if (!known.includes(event)) report(`the server has no hook "${event}"`);
}
