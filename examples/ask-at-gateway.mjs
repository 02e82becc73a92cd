// Asks the person of this machine at their gateway, from any program: `askwire open` shows it.

// #region ask-at-gateway
import { askApproval } from "@askwire/client";
import { connectGateway } from "@askwire/client/gateway";

const session = await connectGateway({ name: "release script" });
const { approved, words } = await askApproval(session, {
  key: "deploy-42",
  action: "deploy",
  description: "Deploy build 42 to production",
  origin: { folder: process.cwd() },
});
await session.close();
console.log(approved ? "deploying" : words.message);
// #endregion ask-at-gateway
