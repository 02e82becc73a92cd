export { overShared, overStdio, overWebSocket } from "../askwire/agent.mjs";
