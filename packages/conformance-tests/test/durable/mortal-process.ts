import { type ChildProcess, fork } from "node:child_process";
import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import { until } from "../faults/quiet.js";
import type { Spoken } from "./conversation.js";
import type { Parcel } from "./killed-server.js";

/** A process of kept sessions that is killed and started again, and the ways of clients to the one that runs. */
export class MortalProcess {
  readonly #program: string;
  readonly #share: string;
  readonly #bound: AbortSignal;
  /** The process that runs now. */
  #child: ChildProcess | undefined;
  #sinks = new Map<number, ChannelSink>();
  #connections = 0;

  /**
   * @param program the bundled `killed-server`.
   * @param share the folder of the sessions.
   * @param bound ends every wait.
   */
  constructor(program: string, share: string, bound: AbortSignal) {
    this.#program = program;
    this.#share = share;
    this.#bound = bound;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Resolves once the process listens.
   *
   * @param doomed the session at whose n-th act the process kills itself. Default: none.
   */
  async start(doomed = "", n = 0): Promise<void> {
    const started = fork(this.#program, [this.#share, doomed, String(n)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const here = new Map<number, ChannelSink>();
    this.#sinks = here;
    let isReady = false;
    started.on("message", (parcel: Parcel | "ready") => {
      if (parcel === "ready") isReady = true;
      else here.get(parcel.connection)?.message(parcel.text ?? "");
    });
    started.on("exit", () => {
      this.#child = undefined;
      for (const sink of here.values()) sink.closed(new Error("the process was killed"));
    });
    await until(() => isReady, this.#bound);
    this.#child = started;
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await until(() => this.#child === undefined, this.#bound);
  }

  /** The way of a client to a session of the process that runs when it is gone. What is said on it is added to `lines`. */
  readonly road = (id: string, client: string, lines: Spoken[]) => async (): Promise<MessageChannel> => {
    await until(() => this.#child !== undefined, this.#bound);
    const to = this.#child;
    const here = this.#sinks;
    this.#connections += 1;
    const connection = this.#connections;
    const pass = (parcel: Parcel) => void (to?.connected === true && to.send(parcel, () => {}));
    pass({ connection, session: id });
    return {
      send(text) {
        lines.push({ connection, client, by: "client", message: JSON.parse(text) });
        pass({ connection, text });
      },
      listen: (sink) => {
        here.set(connection, {
          ...sink,
          message(text) {
            lines.push({ connection, client, by: "server", message: JSON.parse(text) });
            sink.message(text);
          },
        });
        if (to !== this.#child) sink.closed(new Error("the process was killed"));
      },
      close() {
        here.get(connection)?.closed();
        here.delete(connection);
      },
      drained: () => Promise.resolve(),
    };
  };
}
