import type { Principal } from "@askwire/protocol";

/**
 * The key of the person behind a connection, equal over the doors whose names the operator gives (P-XDR-2). The ids of
 * devices and of the machine's user name no person, and the name of a device that is nobody's is its kind, which many
 * have. A proxy has names of its own, which may be chosen by whoever logs in there.
 */
export function personKey({ id, name, via, device }: Principal): string {
  if (via === "token") return JSON.stringify(["person", id]);
  return JSON.stringify(goesByName({ via, device }) ? ["person", name] : [via, id]);
}

/** True for a person whose `id` names none, and who is told by their name: the machine's user, and whoever has a device. */
export const goesByName = ({ via, device }: Pick<Principal, "via" | "device">): boolean =>
  via === "local" || (via === "device" && device !== undefined);
