import type { ClientSession } from "@askwire/client";

/** A session to ask people by: `connect`, `connectWebSocket` or `connectProcess` of `@askwire/client` gives one. */
export type AskingSession = Pick<ClientSession, "ask">;
