import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import type { Ledger } from "./ledger.js";
import type { Order, Told } from "./told.js";

/** A process of programs or people, which is started again where it is killed. */
export interface Actors {
  readonly child: () => ChildProcess;
  /** Kills it, and starts the next with the same orders. */
  kill(): Promise<void>;
  /** Tells it to come to an end, also one that is started later. */
  end(): void;
  /** Resolves once its programs have heard all. */
  readonly done: Promise<void>;
}

/** @param orders gives the orders of one that starts. */
export async function actors(
  { program, address, ledger }: { program: string; address: string; ledger: Ledger },
  orders: () => Order,
): Promise<Actors> {
  const done = deferred();
  let isOver = false;
  const start = async () => {
    const child = fork(program, [address], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    child.on("message", (told: Told) => {
      ledger.take(told);
      if (told.what === "done" || told.what === "failed") done.resolve();
    });
    child.send(orders());
    if (isOver) child.send({ what: "end" });
    return child;
  };
  let child = await start();
  return {
    child: () => child,
    done: done.promise,
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      child = await start();
    },
    end() {
      isOver = true;
      child.send({ what: "end" });
    },
  };
}
