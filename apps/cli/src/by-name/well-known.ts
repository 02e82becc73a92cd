import type { AgentEntry } from "./agent-entry.js";

/** An agent that the command knows without a configuration. */
export interface WellKnownAgent extends AgentEntry {
  /** The version of Node.js that the agent asks for, where that is newer than the one that this command needs. */
  readonly node: string | undefined;
}

/** An ACP agent that npm fetches in this very version, where it is not there yet. */
function ofNpm(
  words: readonly string[],
  { inherit = [], node }: { inherit?: readonly string[]; node?: string } = {},
): WellKnownAgent {
  return { command: ["npx", "-y", ...words], protocol: "acp", inherit, env: {}, node };
}

/**
 * The agents that the command knows, each with the keys that it reads from the environment. Those without keys have
 * their own login, or keep keys in their own configuration.
 */
export const wellKnownAgents: ReadonlyMap<string, WellKnownAgent> = new Map([
  [
    "claude",
    ofNpm(["@agentclientprotocol/claude-agent-acp@0.100.0"], {
      inherit: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      node: "22",
    }),
  ],
  [
    "codex",
    ofNpm(["@agentclientprotocol/codex-acp@2.6.0"], { inherit: ["CODEX_API_KEY", "OPENAI_API_KEY"] }),
  ],
  [
    "gemini",
    ofNpm(["@google/gemini-cli@0.61.0", "--acp"], { inherit: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] }),
  ],
  ["opencode", ofNpm(["opencode-ai@1.18.33", "acp"])],
  ["cline", ofNpm(["cline@3.0.65", "--acp"])],
  [
    "kimi",
    {
      command: ["kimi", "--wire"],
      protocol: "wire",
      inherit: ["KIMI_API_KEY"],
      env: {},
      node: undefined,
    },
  ],
  ["kimi-code", ofNpm(["@moonshot-ai/kimi-code@2.1.0", "acp"], { node: "22.19" })],
]);
