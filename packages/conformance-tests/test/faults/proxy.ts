import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import type { FaultPlan, Side } from "./fault.js";
import { frameCutter, type Piece } from "./frames.js";
import { faultyWay, type Way } from "./way.js";

/** Stands between clients and a WebSocket server, and breaks messages. */
export interface Proxy {
  readonly port: number;
  /** Counts the connections to the server. */
  held(): number;
  /** Breaks every connection that there is. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Passes the bytes of each connection on, frame by frame, as the faults have it. */
export async function faultyProxy(target: number, plan: FaultPlan): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const toServer = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection(target, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // Whoever ends with bytes unread resets the other.
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    toServer.add(far);
    far.on("close", () => toServer.delete(far));
    passBetween(plan, { client: near, server: far });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    port: (server.address() as AddressInfo).port,
    held: () => toServer.size,
    cutAll,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cutAll();
      await closed;
    },
  };
}

function passBetween(plan: FaultPlan, sockets: Readonly<Record<Side, Socket>>): void {
  const ways = { server: way("server"), client: way("client") };

  function way(to: Side): Way<Piece> {
    const target = sockets[to];
    const source = sockets[to === "server" ? "client" : "server"];
    const cutter = frameCutter();
    const made = faultyWay<Piece>(plan, to, {
      counts: ({ kind }) => kind === "text",
      deliver: ({ bytes }) => target.write(bytes),
      deliverHalf: ({ bytes }) => target.write(bytes.subarray(0, bytes.length >> 1)),
      delivered: () => ways[to === "server" ? "client" : "server"].release(),
      finished: () => target.end(),
      cut() {
        ways.server.end();
        ways.client.end();
        // Bytes written to this side arrive. Bytes on their way from the other side do not.
        target.end();
        source.destroy();
      },
    });
    source.on("data", (chunk) => {
      for (const piece of cutter(chunk)) made.send(piece);
    });
    source.on("end", () => made.finish());
    source.on("close", () => made.finish());
    return made;
  }
}
