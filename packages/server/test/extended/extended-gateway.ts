import type { ListenOptions } from "../../src/websocket.js";
import type { scenario } from "../scenario.js";
import { listening, type OpenOptions, type SocketClient } from "../websocket/gateway.js";
import {
  type Attached,
  attached,
  type ExtendedWords,
  extended,
  type Introduction,
} from "./extended-client.js";

/** A client of the extended profile over a real socket, and where it is attached. */
export type ExtendedSocket = SocketClient & ExtendedWords & { readonly found: Attached };

/** A server of a scripted agent behind a gateway of its own, for clients of the extended profile. */
export async function listeningExtended(
  scripts: readonly string[],
  options: Parameters<typeof scenario>[1] & { listen?: ListenOptions } = {},
) {
  const set = await listening(scripts, options);
  return {
    ...set,
    /** A client that has said nothing yet. */
    async openExtended(path = "/wire", how?: OpenOptions): Promise<SocketClient & ExtendedWords> {
      return extended(await set.open(path, how));
    },
    /** A client that has introduced itself. */
    async joinExtended(path = "/wire", said: Introduction = {}, how?: OpenOptions): Promise<ExtendedSocket> {
      const client = extended(await set.open(path, how));
      const found = attached(await client.introduce(said));
      return Object.assign(client, { found });
    },
  };
}
