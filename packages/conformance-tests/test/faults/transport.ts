import type { ClientSession, ConnectOptions } from "@askwire/client";
import { connect } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import type { MessageChannel } from "@askwire/protocol";
import type { AskwireServer, Session } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { FaultPlan } from "./fault.js";
import { type MemoryLink, memoryLink } from "./memory-link.js";
import { faultyProxy } from "./proxy.js";
import { nextTurn, until } from "./quiet.js";
import { promptTiming } from "./timing.js";

/** The destination of a transport, and the faults on the way. */
export interface Destination {
  readonly session: Session;
  readonly plan: FaultPlan;
  readonly graceMs: number;
  /** Hears the messages of a server's channel in memory. Default: nobody does. */
  readonly hear?: (channel: MessageChannel) => MessageChannel;
}

/** A client's way to a session, over a breakable transport. */
export type Transport = (server: AskwireServer, to: Destination) => Promise<Road>;

export interface Road {
  connect(options: ConnectOptions): Promise<ClientSession>;
  /** Waits for what is said on it, and lets time pass where both sides wait for that. Gives up at the signal. */
  during<T>(talk: Promise<T>, bound: AbortSignal): Promise<T>;
  /** Counts the connections that the server holds. */
  held(): number;
  /** The client's messages, if the transport can see them. */
  readonly sent: readonly string[];
  close(): Promise<void>;
}

export const memory: Transport = async (server, { session, plan, graceMs, hear = (channel) => channel }) => {
  const timing = promptTiming();
  const links: MemoryLink[] = [];
  const sent: string[] = [];
  function open() {
    const link = memoryLink(plan, (text) => void sent.push(text));
    links.push(link);
    server.connect(hear(link.server), { session, graceMs });
    return link.client;
  }
  return {
    connect: (options) => connect(open, { ...options, timing }),
    async during(talk, bound) {
      let talking = true;
      const over = () => {
        talking = false;
      };
      talk.then(over, over);
      while (talking) {
        await until(() => !talking || links.some(({ isDeaf }) => isDeaf), bound);
        if (talking) timing.silence();
        await nextTurn();
      }
      return await talk;
    },
    held: () => links.filter(({ isServed }) => isServed).length,
    sent,
    close: async () => {},
  };
};

export const webSocket: Transport = async (server, { session, plan, graceMs }) => {
  const gateway = await listenWebSocket(server, { graceMs });
  const address = new URL(gateway.address(session));
  const proxy = await faultyProxy(Number(address.port), plan);
  address.port = String(proxy.port);
  const timing = promptTiming();
  return {
    connect: (options) => connectWebSocket(address.href, { ...options, timing }),
    during: (talk) => talk,
    held: proxy.held,
    sent: [],
    async close() {
      await proxy.close();
      await gateway.close();
    },
  };
};
