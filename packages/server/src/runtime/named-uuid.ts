import { createHash } from "node:crypto";

/** The UUID of a name: the same one for the same name, in every process (version 8 of RFC 9562). */
export function namedUuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
