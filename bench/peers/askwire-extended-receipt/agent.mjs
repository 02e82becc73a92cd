export * from "../askwire/agent.mjs";
