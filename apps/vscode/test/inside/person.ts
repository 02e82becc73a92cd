// The person at the window: cases inside the extension host ask over loopback for what no API of the editor can do.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** The hands and eyes of a person. Each resolves once the window has what is named. */
export interface Person {
  /** Types into the open input, and accepts. */
  types(text: string): Promise<void>;
  clicks(button: string): Promise<void>;
  /** Presses keys one after the other, each as the browser names it. */
  presses(keys: readonly string[]): Promise<void>;
  /** The text of the first part of the window that a selector finds. */
  reads(selector: string): Promise<string>;
  /** The rows of the open pick, which closes. */
  rows(): Promise<readonly string[]>;
  /** The same, each with its second line where it has one. */
  rowsWithDetails(): Promise<readonly string[]>;
}

/** The end of a case, with the problem where it failed. */
export interface Ended {
  readonly name: string;
  readonly problem?: string;
}

/** The messages of the extension host, by the name of what is asked. */
interface Asked {
  readonly asks: keyof Person | "ended";
  readonly argument?: unknown;
}

/** Listens until `close` for what the extension host asks of the person, and for the ends of its cases. */
export async function listenFor(person: () => Person, ended: (end: Ended) => void) {
  const server = createServer(async (request, response) => {
    try {
      const { asks, argument } = (await json(request)) as Asked;
      const result = asks === "ended" ? ended(argument as Ended) : await person()[asks](argument as never);
      response.end(JSON.stringify({ result }));
    } catch (error) {
      response.end(JSON.stringify({ problem: String(error) }));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close().closeAllConnections(),
  };
}

/** The person as the extension host asks for them, and the way to tell how a case ended. */
export function personAt(address: string): Person & { ended(end: Ended): Promise<void> } {
  async function ask<T>(asks: Asked["asks"], argument?: unknown): Promise<T> {
    const response = await fetch(address, { method: "POST", body: JSON.stringify({ asks, argument }) });
    const { result, problem } = (await response.json()) as { result: T; problem?: string };
    if (problem !== undefined) throw new Error(problem);
    return result;
  }
  return {
    types: (text) => ask("types", text),
    clicks: (button) => ask("clicks", button),
    presses: (keys) => ask("presses", keys),
    reads: (selector) => ask("reads", selector),
    rows: () => ask("rows"),
    rowsWithDetails: () => ask("rowsWithDetails"),
    ended: (end) => ask("ended", end),
  };
}
