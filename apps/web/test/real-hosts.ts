// Real hosts of MCP that run offline: each against a provider on loopback, which calls the tool once.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  calls,
  type ModelAnswer,
  modelEndpoint,
  says,
  sends,
  stops,
  streams,
} from "../../../packages/agent/test/model-endpoint.js";
import { scriptedClaude } from "../../../packages/relays/test/acp/claude-provider.js";

/** The run of a host. */
export interface HostRun {
  /** The command of the MCP server named `askwire`, and its variables. */
  readonly server: { readonly command: readonly [string, ...string[]]; readonly env: Record<string, string> };
  /** The questions that the model asks. */
  readonly questions: readonly object[];
  /** The empty folder that the host runs in, which is its home too. */
  readonly cwd: string;
  /** Told the conversation with each turn, as JSON. */
  readonly heard: (conversation: string) => void;
}

export interface RealHost {
  readonly name: string;
  /** The folder in which the host is installed, and Node for it. Undefined where the host is not tested. */
  readonly folder: string | undefined;
  /** The program below `node_modules/.bin`. */
  readonly program: string;
  /** The host as people are told. */
  readonly asker: string;
  /** Writes the host's configuration. Resolves with its arguments and variables. */
  configure(
    run: HostRun,
  ): Promise<{ readonly args: readonly string[]; readonly env: Record<string, string> }>;
}

const TOOL = "ask_user_question";
const DONE = "All done.";
/** The most turns of a host, with those for titles. */
const MOST_TURNS = 9;

/** A provider that answers each turn by its content, until the test has finished. Resolves with its address. */
async function providerThat(answer: ModelAnswer): Promise<string> {
  const { url } = await modelEndpoint(Array.from({ length: MOST_TURNS }, () => answer));
  return url;
}

const claudeCode: RealHost = {
  name: "Claude Code",
  folder: process.env.ASKWIRE_CLAUDE_CODE,
  program: "claude",
  asker: "Claude Code",
  async configure({ server, questions, cwd, heard }) {
    const name = `mcp__askwire__${TOOL}`;
    const asks = { type: "tool_use", id: "ask", name, input: { questions } } as const;
    const provider = await scriptedClaude([asks, { type: "text", text: DONE }], heard);
    const [command, ...args] = server.command;
    const config = { mcpServers: { askwire: { type: "stdio", command, args, env: server.env } } };
    return {
      args: [
        "-p",
        "go",
        "--mcp-config",
        JSON.stringify(config),
        "--strict-mcp-config",
        "--allowedTools",
        name,
      ],
      env: {
        HOME: cwd,
        ENABLE_TOOL_SEARCH: "false",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ANTHROPIC_BASE_URL: provider,
        ANTHROPIC_API_KEY: "x",
      },
    };
  },
};

const codex: RealHost = {
  name: "Codex",
  folder: process.env.ASKWIRE_CODEX,
  program: "codex",
  asker: "Codex",
  async configure({ server, questions, cwd, heard }) {
    const provider = await providerThat((response, call) => {
      const { input, tools } = call.body;
      heard(JSON.stringify(input));
      const isAnswered = JSON.stringify(input).includes("function_call_output");
      const space = tools.find((tool: { name?: string }) => tool.name?.includes("askwire"));
      const text = { type: "output_text", text: DONE };
      const item = isAnswered
        ? { type: "message", role: "assistant", id: "m", content: [text] }
        : {
            ...{ type: "function_call", id: "f", call_id: "c", name: TOOL, namespace: space?.name },
            arguments: JSON.stringify({ questions }),
          };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      const events = [
        { type: "response.created", response: { id: "r" } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { id: "r", usage } },
      ];
      sends(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""))(
        response,
        call,
      );
    });
    const [command, ...args] = server.command;
    const values = {
      model: "m",
      model_provider: "local",
      "model_providers.local": { name: "Local", base_url: provider, wire_api: "responses" },
      "mcp_servers.askwire": { command, args, env: server.env, required: true },
    };
    await writeFile(join(cwd, "config.toml"), toml(values));
    return { args: ["exec", "--skip-git-repo-check", "go"], env: { HOME: cwd, CODEX_HOME: cwd } };
  },
};

/** A configuration whose values are texts, lists of texts, and tables by their whole names. */
const toml = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} = ${inline(value)}\n`)
    .join("");

const inline = (value: unknown): string =>
  typeof value !== "object" || Array.isArray(value)
    ? JSON.stringify(value)
    : `{ ${Object.entries(Object(value))
        .map(([key, inner]) => `${key} = ${inline(inner)}`)
        .join(", ")} }`;

const openCode: RealHost = {
  name: "OpenCode",
  folder: process.env.ASKWIRE_OPENCODE,
  program: "opencode",
  asker: "opencode",
  async configure({ server, questions, cwd, heard }) {
    const provider = await providerThat((response, call) => {
      const { messages, tools = [] } = call.body;
      heard(JSON.stringify(messages));
      const tool = tools.find((tool: { function: { name: string } }) => tool.function.name.endsWith(TOOL));
      const isAnswered = messages.some(({ role }: { role: string }) => role === "tool");
      const asks = [calls(0, "c", tool?.function.name, JSON.stringify({ questions })), stops("tool_calls")];
      streams(...(tool !== undefined && !isAnswered ? asks : [says(DONE), stops()]))(response, call);
    });
    const config = {
      provider: {
        local: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: provider, apiKey: "x" },
          models: { m: { tool_call: true } },
        },
      },
      mcp: { askwire: { type: "local", command: server.command, environment: server.env, enabled: true } },
    };
    const folders = Object.fromEntries(
      ["CONFIG", "DATA", "STATE", "CACHE"].map((kind) => [`XDG_${kind}_HOME`, join(cwd, kind)]),
    );
    return {
      args: ["run", "-m", "local/m", "go"],
      env: {
        HOME: cwd,
        ...folders,
        OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
      },
    };
  },
};

export const realHosts: readonly RealHost[] = [claudeCode, codex, openCode];
