import type { PeerMessage } from "../acp/peer-message.js";
import { membersOf } from "./message.js";

/** The ways of asking that a host can show. */
export interface HostAbilities {
  readonly form: boolean;
  readonly url: boolean;
}

/** The ways of asking that people have at the gateway, which the agent is told of in the host's place. */
const everything = { form: {}, url: {} };

/** The mark of a proxy in the `initialize` that it hands on: a second one on the way to the agent asks nobody then. */
const ASKS_PEOPLE = "askwire.dev/asks_people";

/** True for a host that is a proxy, which asks people itself. */
export const asksPeople = (params: unknown): boolean =>
  membersOf(membersOf(params)._meta)[ASKS_PEOPLE] === true;

/** Reads what a host can show out of its `initialize`, in either version. */
export function abilitiesOfHost(params: unknown): HostAbilities {
  const { clientCapabilities, capabilities } = membersOf(params);
  const said = [clientCapabilities, capabilities].map((all) => membersOf(membersOf(all).elicitation));
  const has = (name: string) => said.some((elicitation) => elicitation[name] != null);
  return { form: has("form"), url: has("url") };
}

/** The `initialize` of a host with the ways of asking that it lacks, and our mark. */
export function withEverything(message: PeerMessage): PeerMessage {
  const params = membersOf(message.params);
  const { clientCapabilities, capabilities, protocolVersion } = params;
  const more = (all: unknown) => ({
    ...membersOf(all),
    elicitation: { ...everything, ...membersOf(membersOf(all).elicitation) },
  });
  const isDraft = capabilities !== undefined || Number(protocolVersion) >= 2;
  return {
    ...message,
    params: {
      ...params,
      ...((!isDraft || clientCapabilities !== undefined) && { clientCapabilities: more(clientCapabilities) }),
      ...(isDraft && { capabilities: more(capabilities) }),
      _meta: { ...membersOf(params._meta), [ASKS_PEOPLE]: true },
    },
  };
}
