import { ledConnections } from "./led-connections.js";

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
  const { port, cut, close } = await ledConnections(
    () => state.enginePort,
    (near, far) => {
      near.pipe(far);
      far.on("data", (bytes) => {
        if (!state.isArmed) return void near.write(bytes);
        state.isArmed = false;
        state.lost += 1;
        cut();
      });
    },
  );
  return {
    port,
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
    [Symbol.asyncDispose]: close,
  };
}
