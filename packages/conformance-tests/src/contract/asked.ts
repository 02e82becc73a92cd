import { askedEvents } from "@askwire/protocol";

/** True if a request of this type is an event towards an extended client (P-XAN-1). */
export const isAsked = (type: unknown): boolean =>
  typeof type === "string" && Object.hasOwn(askedEvents, type);
