import type { ListedRequest, ListedSession } from "@askwire/protocol";
import type { LiveOutput } from "../session/live-output.js";
import type { ConnectionParts } from "./client-side.js";
import { GatheredChanges, type Watch } from "./gathered-changes.js";
import { type RequestLists, toldTo } from "./request-lists.js";
import { requestWatch } from "./request-watch.js";
import type { SessionMethods } from "./session-methods.js";
import { sessionWatch } from "./session-watch.js";

/** The parts of a connection by which a client is told of changes. */
export type TellingLine = Pick<
  ConnectionParts,
  "connection" | "principal" | "person" | "peer" | "drained" | "clock" | "log"
>;

/** The watch of a client over the sessions (P-XSE-5). */
export function toldSessions(line: TellingLine, sessions: SessionMethods): Watch<ListedSession> {
  const { peer, drained, clock } = line;
  const tell = (changed: ListedSession[], closed: string[]) =>
    telling(line, "sessions", () => peer.notify("sessions_changed", { sessions: changed, closed }));
  return sessionWatch({ sessions, tell, drained, clock });
}

/** Its watch over what waits in them (P-XRQ-3). */
export function toldRequests(line: TellingLine, requests: RequestLists): Watch<ListedRequest> {
  const { peer, drained, clock } = line;
  const tell = (changed: ListedRequest[], gone: string[]) =>
    telling(line, "requests", () => peer.notify("requests_changed", { requests: changed, gone }));
  const told = {
    open: () => requests.open().flatMap((row) => toldTo([row], row.session_id, line, requests)),
    of: (id: string) => toldTo(requests.of(id), id, line, requests),
    watch: (changed: (id: string) => void) => requests.watch(changed),
  };
  return requestWatch({ requests: told, tell, drained, clock });
}

/** Tells a client what the running calls of its session print (P-XCO-1). Returns the function that ends that. */
export function toldOutput(line: TellingLine, output: LiveOutput): () => void {
  const { peer, drained, clock } = line;
  const changes = new GatheredChanges(
    (changed) => {
      for (const tool_call_id of changed) {
        const printed = output.of(tool_call_id);
        if (printed !== undefined)
          telling(line, "output", () => peer.notify("call_output", { tool_call_id, ...printed }));
      }
      changed.clear();
    },
    { drained, clock },
  );
  const unwatch = output.changed.watch((id) => changes.add(id));
  return () => {
    changes.stop();
    unwatch();
  };
}

/** Tells a client of changes. A list over the limit of a message must not end the process. */
function telling({ connection, log }: TellingLine, what: string, tell: () => void): void {
  try {
    tell();
  } catch (err) {
    log.error({ connection, err }, `changed ${what} could not be told`);
  }
}
