import type { HeardOutcome } from "@askwire/protocol";

/**
 * The name of whoever answered: the person by the word of the server's door, with the device where one is told, else the
 * name that the client gave itself (P-WHO-3). The user of the server's machine goes by the client. Undefined without
 * either. Foreign text.
 */
export function whoAnswered(outcome: HeardOutcome | undefined): string | undefined {
  const { name, via, device } = (outcome?.principal ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || via === "local") return outcome?.client?.name;
  return typeof device === "string" ? `${name} (${device})` : name;
}
