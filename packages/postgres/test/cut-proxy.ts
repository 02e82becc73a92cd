import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/** A way to an engine that can lose its replies. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** The next reply of the engine is not passed on, and all connections are cut. */
  loseReply(): void;
  /** The number of replies that were lost. */
  readonly lost: number;
  /** Cuts all connections, and leads new ones to another engine, as a failover does. */
  leadTo(enginePort: number): void;
}

/** Stands between a store and its engine. */
export async function cutProxy(enginePort: number): Promise<CutProxy> {
  const state = { isArmed: false, lost: 0, enginePort };
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = createConnection(state.enginePort, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (bytes) => {
      if (!state.isArmed) return void near.write(bytes);
      state.isArmed = false;
      state.lost += 1;
      cut();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    loseReply() {
      state.isArmed = true;
    },
    get lost() {
      return state.lost;
    },
    leadTo(port) {
      state.enginePort = port;
      cut();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
