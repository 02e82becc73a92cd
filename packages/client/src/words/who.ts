import type { HeardActingClient, HeardOutcome } from "@askwire/protocol";

/** Says of a client by its own name that somebody acts in it, so that the name reads like no person's (P-WHO-3). */
export type SomebodyIn = (client: string) => string;

/**
 * Names whoever acts: the person by the word of the server's door, with the device where one is told, else somebody in
 * the client, by the name that it gives itself (P-WHO-3). The user of the server's machine goes by the client. Foreign
 * text.
 */
export function whoActs(
  { name: client, principal }: Pick<HeardActingClient, "name" | "principal">,
  somebodyIn: SomebodyIn,
): string {
  const { name, via, device } = (principal ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || via === "local") return somebodyIn(client);
  return typeof device === "string" ? `${name} (${device})` : name;
}

/** Names whoever ended a request, as {@link whoActs}. Undefined where neither a person nor a client is told. */
export function whoAnswered(outcome: HeardOutcome | undefined, somebodyIn: SomebodyIn): string | undefined {
  const { client, principal } = outcome ?? {};
  const several = approversOf(outcome);
  // One who rejects is not among those who approved before.
  if (several.some((one) => isSamePerson(one.principal, principal)))
    return several.map((one) => whoActs(one, somebodyIn)).join(", ");
  const name = whoActs({ name: "", principal }, () => "");
  return name || (client && somebodyIn(client.name));
}

/** Those who approved what several must approve, as an outcome, an update or a row tells them (P-XQU-3). */
export function approversOf(told: object | undefined): readonly HeardActingClient[] {
  const { approved_by: by } = (told ?? {}) as { readonly approved_by?: unknown };
  return Array.isArray(by) ? by : [];
}

function isSamePerson(one: unknown, other: unknown): boolean {
  const [mine, theirs] = [one, other] as { readonly id?: unknown; readonly via?: unknown }[];
  return mine?.id !== undefined && mine.id === theirs?.id && mine.via === theirs?.via;
}
