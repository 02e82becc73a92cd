// A client of any agent of AG-UI, whose interrupts a person answers. Usage: node ag-ui.mjs ADDRESS AGENT_URL
// #region ag-ui
import { HttpAgent } from "@ag-ui/client";
import { driveAgUi } from "@askwire/adapters/ag-ui";
import { connectWebSocket } from "@askwire/client/websocket";

const [address = "", url = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "AG-UI" } });
const agent = new HttpAgent({ url, threadId: "release-42" });
agent.setMessages([{ id: "1", role: "user", content: "Deploy build 42" }]);
await driveAgUi(session, { agent });
console.log(agent.messages.at(-1)?.content);
await session.close();
// #endregion ag-ui
