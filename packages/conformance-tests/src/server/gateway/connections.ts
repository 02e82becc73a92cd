import { CheckFailure, type Circumstances } from "../../contract/check.js";
import { keptTranscript } from "../kept-transcript.js";
import { type GatewayClient, GatewayLine } from "./gateway-line.js";
import type { RefusedUpgrade } from "./web-socket.js";

/** A context whose check speaks over connections to gateways. */
export abstract class ConnectedContext {
  readonly pace: number;
  protected readonly connections: GatewayConnections;

  constructor({ pace, player }: Pick<Circumstances, "pace" | "player">) {
    this.pace = pace;
    this.connections = new GatewayConnections({ ...(player && { player }) });
  }

  get transcript() {
    return this.connections.transcript;
  }

  get awaiting() {
    return this.connections.awaiting;
  }

  /** The first output that no client could read. */
  get violation(): CheckFailure | undefined {
    return this.connections.violation;
  }
}

/** The connections of one check to gateways, and all that went over them. */
export class GatewayConnections {
  readonly #player: Circumstances["player"];
  readonly #kept = keptTranscript();
  /** The connections that were not refused. */
  readonly #lines: GatewayLine[] = [];
  #tries = 0;
  /** The name of what the check waits for. */
  awaiting: string | undefined;

  constructor({ player }: Pick<Circumstances, "player">) {
    this.#player = player;
  }

  get transcript() {
    return this.#kept.transcript;
  }

  get record() {
    return this.#kept.record;
  }

  /** The first output that no client could read. */
  get violation(): CheckFailure | undefined {
    return this.#lines.map(({ violation }) => violation).find((violation) => violation !== undefined);
  }

  /** @throws CheckFailure if the upgrade is refused. */
  async connect(address: string): Promise<GatewayClient> {
    const client = await this.knock(address);
    if ("status" in client) throw new CheckFailure("a WebSocket", `the HTTP status ${client.status}`);
    return client;
  }

  /**
   * Opens a connection that may be refused.
   *
   * @throws CheckFailure if nobody is there.
   */
  async knock(
    address: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GatewayClient | RefusedUpgrade> {
    this.#tries += 1;
    const line = new GatewayLine({
      name: `client ${this.#tries}`,
      player: this.#player?.(),
      record: this.#kept.record,
      awaiting: (name) => {
        this.awaiting = name;
      },
    });
    const opened = await line.open(address, headers).catch((error: unknown) => {
      const place = new URL(address).host;
      throw new CheckFailure(
        `a connection to ${place}`,
        error instanceof Error ? error.message : String(error),
      );
    });
    if (!("status" in opened)) this.#lines.push(line);
    return opened;
  }

  /** Cuts all of them. */
  close(): void {
    for (const line of this.#lines) line.cut();
  }
}
