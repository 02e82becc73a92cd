// The server of a process that has written itself down for this person's inbox, as the command's gateway/ does.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { homeFolder, readLock } from "@askwire/protocol/node";

/** The bytes of the largest file that is read. */
const LARGEST = 16 * 1024;

/**
 * The address of a session at the server of a process, with its token. Undefined where that process lets nobody else in.
 *
 * @param holder the number of the process.
 * @param env says where this person's files are.
 */
export function addressAt(holder: string, session: string, env: NodeJS.ProcessEnv): string | undefined {
  const folder = join(homeFolder(env), "servers");
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${holder}-`) || !name.endsWith(".json")) continue;
    const address = addressIn(join(folder, name));
    if (address === undefined) continue;
    address.pathname = `/wire/${encodeURIComponent(session)}`;
    return address.href;
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The address in a file of a server that runs. Undefined for any other file. */
function addressIn(file: string): URL | undefined {
  try {
    if (statSync(file).size > LARGEST) return undefined;
    const text = readFileSync(file, "utf8");
    const { address } = JSON.parse(text);
    const url = new URL(address);
    return readLock(text).lives && /^wss?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
