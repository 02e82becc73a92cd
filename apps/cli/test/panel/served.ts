import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer as createProxy, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { folderWith, startServe } from "../askwire.js";
import type { Terminal, TerminalOptions } from "../terminal.js";
import { start } from "./at-panel.js";

export interface Served {
  /** With its token, for `askwire chat --connect`. */
  readonly address: string;
  /** Ends the server at once. */
  kill(): Promise<void>;
}

/** `askwire serve --listen` with a scripted model, once it has printed its address. */
export async function serve(
  script: readonly string[],
  { port = "0", args = [] as readonly string[], home = "" } = {},
): Promise<Served> {
  const cwd = await folderWith({ "s.json": JSON.stringify(script), token: "the-token-of-all-servers" });
  const line = ["--script", "s.json", "--token-file", "token", ...args];
  const env = { ...process.env, ...(home !== "" && { ASKWIRE_HOME: home }) };
  const { address, child, ended } = await startServe(line, { port, cwd, env });
  return {
    address,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** `askwire chat --connect`, once it has its prompt. */
export async function chatAt(address: string, options: TerminalOptions = {}): Promise<Terminal> {
  const terminal = start(["chat", "--connect", address], { rows: 30, ...options });
  await terminal.waitForRows(/^[>»]$/m);
  return terminal;
}

/** A side of a way. */
type Side = "server" | "client";

/** A way to a server that can be cut or fall silent, and mended. */
export interface Way {
  readonly port: string;
  /** Leads to the server of an address. Returns that address by this way. */
  to(address: string): string;
  cut(): void;
  /** Holds back what goes to these sides on the connections that there are, of which neither end hears. */
  hold(...sides: readonly Side[]): void;
  /** Lets connections through again, and what was held back. */
  mend(): void;
}

/** A way to a server, which leads nowhere yet. */
export async function openWay(): Promise<Way> {
  const sockets = new Set<Socket>();
  const directions = new Set<{ readonly to: Side; readonly socket: Socket; held?: Buffer[] | undefined }>();
  let target: { readonly host: string; readonly port: string } | undefined;
  let isUp = true;
  const proxy = createProxy((from) => {
    if (!isUp || target === undefined) return void from.destroy();
    const to = connectTo({ host: target.host, port: Number(target.port) });
    for (const [socket, other, side] of [
      [from, to, "server"],
      [to, from, "client"],
    ] as const) {
      const direction: { to: Side; socket: Socket; held?: Buffer[] } = { to: side, socket: other };
      directions.add(direction);
      sockets.add(socket);
      socket.on("data", (chunk) => void (direction.held?.push(chunk) ?? other.write(chunk)));
      socket.on("end", () => other.end());
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        directions.delete(direction);
        other.destroy();
      });
    }
  });
  function cut(): void {
    isUp = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const own = String((proxy.address() as AddressInfo).port);
  return {
    port: own,
    to(address) {
      const { hostname: host, port } = new URL(address);
      target = { host, port };
      return address.replace(`:${port}/`, `:${own}/`);
    },
    cut,
    hold(...sides) {
      for (const direction of directions) if (sides.includes(direction.to)) direction.held ??= [];
    },
    mend() {
      isUp = true;
      for (const direction of directions) {
        for (const chunk of direction.held ?? []) direction.socket.write(chunk);
        direction.held = undefined;
      }
    },
  };
}

/** A way to the server of an address. */
export async function wayTo(address: string): Promise<Omit<Way, "to"> & { readonly address: string }> {
  const { to, ...way } = await openWay();
  return { ...way, address: to(address) };
}
