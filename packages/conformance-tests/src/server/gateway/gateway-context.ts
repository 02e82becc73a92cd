import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Check, type CheckContext, CheckFailure, type Circumstances } from "../../contract/check.js";
import { exitInWords, type ProcessGroup, startGroup } from "../../programs/process-group.js";
import { ConnectedContext } from "./connections.js";
import type { GatewayClient } from "./gateway-line.js";
import type { RefusedUpgrade } from "./web-socket.js";

/** A server under check that listens for WebSockets. */
export interface CheckedGateway {
  /** The address of a session, with the token in its fragment, as it was printed. */
  readonly address: string;
  /** The folder where its agent works. */
  readonly workDir: string;
  /** The address of another session, or with `undefined` that which makes one. */
  addressOf(sessionId: string | undefined): string;
  /** @throws CheckFailure if the upgrade is refused. */
  connect(address?: string): Promise<GatewayClient>;
  /** Opens a connection that may be refused. */
  knock(address: string, headers?: Readonly<Record<string, string>>): Promise<GatewayClient | RefusedUpgrade>;
}

/** The tools of a check of a gateway. */
export interface GatewayContext extends CheckContext {
  /** Starts the server with a scripted model. */
  start(scripts?: readonly string[], flags?: readonly string[]): Promise<CheckedGateway>;
  /** The server's first output that no client could read. */
  readonly violation: CheckFailure | undefined;
}

export type GatewayCheck = Check<GatewayContext>;

export async function openGatewayContext(
  command: readonly string[],
  circumstances: Circumstances,
): Promise<GatewayContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  return new GatewayFolder(folder, command, circumstances);
}

/** A folder in which a check starts gateways, and the connections to them. */
class GatewayFolder extends ConnectedContext implements GatewayContext {
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #circumstances: Circumstances;
  readonly #groups: ProcessGroup[] = [];

  constructor(folder: string, command: readonly string[], circumstances: Circumstances) {
    super(circumstances);
    this.#folder = folder;
    this.#command = command;
    this.#circumstances = circumstances;
  }

  async start(scripts: readonly string[] = [], flags: readonly string[] = []): Promise<CheckedGateway> {
    const place = join(this.#folder, `server-${this.#groups.length + 1}`);
    const workDir = join(place, "work");
    const scriptsFile = join(place, "scripts.json");
    await mkdir(workDir, { recursive: true });
    await writeFile(scriptsFile, JSON.stringify(scripts));
    const args = [...this.#command, "--script", scriptsFile, "--work-dir", workDir, ...flags];
    const address = await this.#addressFrom(this.#launch(args));
    return {
      address,
      workDir,
      addressOf: (id) => address.replace(/\/wire[^#]*/, id === undefined ? "/wire" : `/wire/${id}`),
      connect: (to = address) => this.connections.connect(to),
      knock: (to, headers) => this.connections.knock(to, headers),
    };
  }

  async close(): Promise<void> {
    this.connections.close();
    await Promise.all(this.#groups.map((group) => group.destroy()));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #launch(args: readonly string[]): ProcessGroup {
    this.connections.record({ kind: "note", text: args.join(" ") });
    const { DEBUG: _, ...inherited } = process.env;
    const home = join(this.#folder, "share");
    const homes = { KIMI_SHARE_DIR: home, ASKWIRE_HOME: home };
    const env = { ...inherited, ...this.#circumstances.env, ...homes, NO_COLOR: "1" };
    const group = startGroup(args, { cwd: process.cwd(), env });
    this.#groups.push(group);
    return group;
  }

  /** The first address that it prints. */
  async #addressFrom({ child, ended }: ProcessGroup): Promise<string> {
    const expected = "an address ws://… on standard output";
    this.connections.awaiting = expected;
    child.stderr
      .setEncoding("utf8")
      .on("data", (text: string) => this.connections.record({ kind: "stderr", text }));
    const over = ended.then((exit) => {
      throw new CheckFailure(expected, exitInWords(exit));
    });
    over.catch(() => {});
    const address = await Promise.race([printedAddress(child.stdout), over]);
    this.connections.awaiting = undefined;
    return address;
  }
}

function printedAddress(output: Readable): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    output.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [address] = /wss?:\/\/\S+(?=\s)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
