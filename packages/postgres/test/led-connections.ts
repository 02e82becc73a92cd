import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/** One address whose connections are led elsewhere. */
export interface LedConnections {
  readonly port: number;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Leads each new connection to a port of loopback. The end of either side is the end of both.
 *
 * @param portOf gives the port of the next one.
 * @param pass passes on what comes. Default: all of it, both ways.
 */
export async function ledConnections(
  portOf: () => number,
  pass: (near: Socket, far: Socket) => void = (near, far) => near.pipe(far).pipe(near),
): Promise<LedConnections> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection(portOf(), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    pass(near, far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
