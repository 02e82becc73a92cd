// The server of a process that has written itself down for this person's inbox.
import { homeFolder, serverFiles } from "@askwire/protocol/node";

/**
 * The address of a session at the server of a process, with its token. Undefined where that process lets nobody else in.
 *
 * @param holder the number of the process.
 * @param env says where this person's files are.
 */
export function addressAt(holder: string, session: string, env: NodeJS.ProcessEnv): string | undefined {
  for (const { server } of serverFiles(homeFolder(env), holder)) {
    if (server === undefined || !URL.canParse(server.address)) continue;
    const address = new URL(server.address);
    if (!/^wss?:$/.test(address.protocol)) continue;
    address.pathname = `/wire/${encodeURIComponent(session)}`;
    return address.href;
  }
  return undefined;
}
