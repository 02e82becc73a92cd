import type { ClientSession } from "@askwire/client";
import { CommandFailure } from "../input/failure.js";

/** The session at a gateway. One that has failed or was closed is replaced. */
export class GatewaySession {
  readonly #connect: (name: string) => Promise<ClientSession>;
  #connecting: Promise<ClientSession> | undefined;
  #isClosed = false;

  /** @param connect connects under the name of the agent. */
  constructor(connect: (name: string) => Promise<ClientSession>) {
    this.#connect = connect;
  }

  /** @throws Failure once closed. */
  async get(name: string): Promise<ClientSession> {
    const known = this.#connecting;
    const found = await this.current();
    if (found !== undefined && found.connection !== "closed") return found;
    if (this.#isClosed) throw new CommandFailure("the host has closed this server");
    if (this.#connecting === known || this.#connecting === undefined) this.#connecting = this.#connect(name);
    return this.#connecting;
  }

  /** The session, also a closed one. Undefined if there is none. */
  async current(): Promise<ClientSession | undefined> {
    return this.#connecting?.catch(() => undefined);
  }

  /** Closes a session for good. */
  async close(session: ClientSession | undefined): Promise<void> {
    this.#isClosed = true;
    await session?.close();
  }
}
