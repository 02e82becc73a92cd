import { linkedPair } from "@askwire/protocol/testing";
import { onTestFinished } from "vitest";
import { type ClientHandlers, type ClientSession, connect } from "../../client/src/index.js";
import { createServer } from "../../server/src/index.js";
import { keptLog } from "../../server/test/scenario.js";

/** A server that keeps no agent busy, with its people and a program beside them. */
export interface People {
  /** The session of the program that asks. */
  readonly session: ClientSession;
  /** The ids of what is open. */
  readonly open: () => number;
  /** Another program at the same session, as after a restart. */
  readonly another: () => Promise<ClientSession>;
}

/** A real server with one person, who reacts like this; without handlers nobody is there. */
export async function people(handlers?: ClientHandlers): Promise<People> {
  const server = createServer({ agent: { run: async () => {} }, log: keptLog(), attendance: "attended" });
  onTestFinished(() => server.close());
  const home = server.createSession({ stay: true });
  async function join(own: ClientHandlers, name: string) {
    const { left, right } = linkedPair();
    server.connect(left, { session: home });
    const shows = {
      ...{ approvalOptions: true, notes: true, skip: true, fields: true },
      ...{ deadline: true, edits: true, previews: true },
    };
    const client = await connect(right, { handlers: own, client: { name }, shows });
    onTestFinished(() => client.close());
    return client;
  }
  if (handlers !== undefined) await join(handlers, "person");
  const another = () => join({}, "program");
  return { session: await another(), open: () => home.pending.length, another };
}

/** Handlers that never answer. */
export const waiting: ClientHandlers = {
  question: () => new Promise<never>(() => {}),
  approval: () => new Promise<never>(() => {}),
};
