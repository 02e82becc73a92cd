// The public surface of @askwire/agents: named exports only. Agents of ACP are in ./acp.
export {};
