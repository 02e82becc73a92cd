import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../../../scripts/free-port.js";
import { startServe } from "../askwire.js";
import { placeWithDatabase } from "./in-database.js";

export const LINK_SECRET = "a-link-secret-of-all-the-nodes-123";

/** A place whose servers are nodes, all with one secret. */
export async function placeWithNodes() {
  const place = await placeWithDatabase();
  const file = join(place.cwd, "link.txt");
  await writeFile(file, `${LINK_SECRET}\n`, { mode: 0o600 });
  return {
    ...place,
    async node(...args: string[]) {
      const port = String(await freePort());
      const own = ["--node-address", `ws://127.0.0.1:${port}`, "--link-secret-file", file, ...args];
      return startServe(["--script", "ask.json", "--session", "mine", ...place.store, ...own], {
        ...{ cwd: place.cwd, env: place.env, port },
      });
    },
  };
}
