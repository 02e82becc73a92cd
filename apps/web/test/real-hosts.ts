// Real hosts of MCP that run offline: each against a provider on loopback, whose model calls tools of askwire mcp.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  calls,
  type ModelAnswer,
  type ModelCall,
  modelEndpoint,
  says,
  sends,
  stops,
  streams,
} from "../../../packages/agent/test/model-endpoint.js";
import { scriptedClaude } from "../../../packages/relays/test/acp/claude-provider.js";
import type { RealHost } from "./host-run.js";

const DONE = "All done.";
/** The most turns of a host, with those for titles. */
const MOST_TURNS = 60;

/** A provider that answers each turn by its content, until the test has finished. Resolves with its address. */
async function providerThat(answer: (call: ModelCall) => Promise<ModelAnswer>): Promise<string> {
  const answers: ModelAnswer = (response, call) => void answer(call).then((said) => said(response, call));
  const { url } = await modelEndpoint(Array.from({ length: MOST_TURNS }, () => answers));
  return url;
}

/** The variables of a Claude Code that knows this provider alone, and no settings of this machine. */
export const claudeEnv = (provider: string, cwd: string) => ({
  ...{ HOME: cwd, CLAUDE_CONFIG_DIR: join(cwd, ".claude"), ENABLE_TOOL_SEARCH: "false" },
  ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
  ...{ ANTHROPIC_BASE_URL: provider, ANTHROPIC_API_KEY: "x" },
});

/** The results in a conversation of Claude's, without the reminders that Claude Code adds. */
export function claudeResults(conversation: string): string[] {
  const parts = JSON.parse(conversation).flatMap(({ content }: { content: unknown }) =>
    Array.isArray(content) ? content : [],
  );
  const results = parts.filter(({ type }: { type: string }) => type === "tool_result");
  return results.map(({ content }: { content: unknown }) =>
    textOf(content).replace(/\n\n<system-reminder>[\s\S]*/, ""),
  );
}

/** A text, or the texts of its parts. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => Object(part).text ?? "").join("\n") : String(content);

const claudeCode: RealHost = {
  name: "Claude Code",
  program: "claude",
  asker: "Claude Code",
  reads: "structure",
  async configure({ server, calls: wanted, cwd, heard }) {
    const steps = wanted.map(
      ({ tool, given: input }, at) =>
        ({ type: "tool_use", id: `toolu_${at}`, name: `mcp__askwire__${tool}`, input }) as const,
    );
    const provider = await scriptedClaude([...steps, { type: "text", text: DONE }], (conversation) =>
      heard(claudeResults(conversation)),
    );
    const [program, ...args] = server.command;
    const config = { mcpServers: { askwire: { type: "stdio", command: program, args, env: server.env } } };
    const strictly = ["--mcp-config", JSON.stringify(config), "--strict-mcp-config"];
    return {
      args: ["-p", "go", ...strictly, "--allowedTools", "mcp__askwire"],
      env: claudeEnv(provider, cwd),
    };
  },
};

const codex: RealHost = {
  name: "Codex",
  program: "codex",
  asker: "Codex",
  reads: "structure",
  async configure({ server, calls: wanted, cwd, heard }) {
    const provider = await providerThat(async ({ body: { input, tools } }) => {
      const results = input.filter(({ type }: { type: string }) => type === "function_call_output");
      // The host writes the time that a call took above its result.
      const told = results.map(({ output }: { output: unknown }) =>
        textOf(output).replace(/^Wall time:[^\n]*\n(?:Output:\n)?/, ""),
      );
      await heard(told);
      const space = tools.find((tool: { name?: string }) => tool.name?.includes("askwire"));
      const next = wanted[results.length];
      const id = `c${results.length}`;
      const item =
        next === undefined
          ? { type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: DONE }] }
          : {
              ...{ type: "function_call", id, call_id: id, name: next.tool, namespace: space?.name },
              arguments: JSON.stringify(next.given),
            };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      const events = [
        { type: "response.created", response: { id: "r" } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { id: "r", usage } },
      ];
      return sends(
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
      );
    });
    const [program, ...args] = server.command;
    const values = {
      model: "m",
      model_provider: "local",
      "model_providers.local": { name: "Local", base_url: provider, wire_api: "responses" },
      "mcp_servers.askwire": { command: program, args, env: server.env, required: true },
    };
    await writeFile(join(cwd, "config.toml"), toml(values));
    return { args: ["exec", "--skip-git-repo-check", "go"], env: { CODEX_HOME: cwd } };
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
  program: "opencode",
  asker: "opencode",
  reads: "text",
  async configure({ server, calls: wanted, cwd, heard }) {
    const provider = await providerThat(async ({ body: { messages, tools = [] } }) => {
      const results = messages.filter(({ role }: { role: string }) => role === "tool");
      if (tools.length > 0) await heard(results.map(({ content }: { content: unknown }) => textOf(content)));
      const next = wanted[results.length];
      const tool = tools.find((one: { function: { name: string } }) =>
        one.function.name.endsWith(next?.tool ?? " "),
      );
      const asks = [
        calls(0, `c${results.length}`, tool?.function.name, JSON.stringify(next?.given)),
        stops("tool_calls"),
      ];
      return streams(...(tool !== undefined ? asks : [says(DONE), stops()]));
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
        ...folders,
        OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
      },
    };
  },
};

const geminiCli: RealHost = {
  name: "Gemini CLI",
  program: "gemini",
  asker: "gemini-cli-mcp-client",
  reads: "text",
  async configure({ server, calls: wanted, cwd, heard }) {
    const provider = await providerThat(async ({ body: { contents = [], tools = [] } }) => {
      const parts = contents.flatMap(({ parts }: { parts: object[] }) => parts);
      const results = parts.flatMap(({ functionResponse }: { functionResponse?: { response: object } }) =>
        functionResponse === undefined ? [] : [functionResponse.response],
      );
      const declared = tools.flatMap(
        (one: { functionDeclarations?: object[] }) => one.functionDeclarations ?? [],
      );
      if (declared.length > 0) await heard(results.map(unwrapped));
      const next = wanted[results.length];
      const tool = declared.find((one: { name: string }) => one.name.endsWith(next?.tool ?? " "));
      const part =
        tool === undefined ? { text: DONE } : { functionCall: { name: tool.name, args: next?.given } };
      const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      return sends(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
    });
    const [program, ...args] = server.command;
    const config = {
      security: { auth: { selectedType: "gemini-api-key" } },
      mcpServers: { askwire: { command: program, args, env: server.env, trust: true } },
    };
    await mkdir(join(cwd, ".gemini"));
    await writeFile(join(cwd, ".gemini", "settings.json"), JSON.stringify(config));
    return {
      args: ["-p", "go", "-m", "gemini-2.5-flash"],
      env: {
        ...{ GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: new URL(provider).origin },
        ...{ GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
      },
    };
  },
};

/** The text of a result without the words that Gemini CLI puts around it; of an error it sends the whole result. */
function unwrapped(response: { readonly output?: string; readonly error?: string }): string {
  const said = String(response.output ?? response.error);
  const [, error] = /with response: (\[.*\])$/s.exec(said) ?? [];
  if (error !== undefined) return textOf(JSON.parse(error)[0].functionResponse.response.content);
  return said.replace(/^<untrusted_context>\n|\n<\/untrusted_context>$/g, "");
}

export const realHosts: readonly RealHost[] = [claudeCode, codex, openCode, geminiCli];
