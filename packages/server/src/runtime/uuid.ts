import { randomUUID } from "node:crypto";

/** A random UUID in one piece: the runtime's own is a rope of 14 strings, 500 bytes more for each that is kept. */
export const uuid = (): string => Buffer.from(randomUUID(), "latin1").toString("latin1");
