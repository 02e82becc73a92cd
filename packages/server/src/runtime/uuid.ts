import { randomId, timedId } from "@askwire/protocol/internal";

/** An id in one piece: the runtime's own is a rope of 14 strings, 500 bytes more for each that is kept. */
const inOnePiece = (id: string): string => Buffer.from(id, "latin1").toString("latin1");

/** Makes a UUID by chance. */
export const uuid = (): string => inOnePiece(randomId());

/** Makes a UUID that begins with its time, for sessions: their folders sort by age. */
export const newSessionId = (): string => inOnePiece(timedId());
