// @ts-check
// Prints what waits for a person in the sessions of a server, until nothing does. Usage: node inbox.mjs ADDRESS
// #region inbox
import { connectWebSocket } from "@askwire/client/websocket";

const [address = ""] = process.argv.slice(2);
const session = await connectWebSocket(address);
for await (const sessions of session.watchSessions()) {
  const waiting = sessions.filter(({ open = 0 }) => open > 0);
  for (const { id, title = id, oldest } of waiting)
    console.log(`${title}: ${oldest?.text} (since ${oldest?.since})`);
  if (waiting.length === 0) break;
}
await session.close();
// #endregion inbox
