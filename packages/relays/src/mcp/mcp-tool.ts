import {
  defineTool,
  type JsonSchemaObject,
  requireApproval,
  type Tool,
  ToolError,
  type ToolRun,
} from "@askwire/server";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import type { LiveServer } from "./live-server.js";

/** The most characters of a description for the model. */
const MOST_DESCRIPTION = 8_192;

/**
 * A tool of a server as a tool of ours, whose every call a person approves. Hints of a server, such as `readOnlyHint`, do
 * not change that.
 *
 * @throws TypeError for parameters that are no schema of an object.
 */
export function toolOf(
  name: string,
  { name: tool, title, description, inputSchema }: McpTool,
  server: LiveServer,
): Tool {
  const about = description ?? title ?? "";
  return defineTool({
    name,
    description: `${about === "" ? tool : about.slice(0, MOST_DESCRIPTION)} (${tool} of the MCP server ${server.name})`,
    parameters: inputSchema as JsonSchemaObject,
    restart: "asks-first",
    async run(args, run) {
      refuseInPlanMode(run);
      await requireApproval({
        action: name,
        description: `Call ${tool} of the MCP server ${server.name}`,
        display: [{ type: "shell", language: "json", command: JSON.stringify(args, null, 2) }],
      });
      return server.call(tool, args, run.toolCall.id, run.signal);
    },
  });
}

function refuseInPlanMode({ planMode }: ToolRun): void {
  if (!planMode) return;
  const message = "Plan mode is on, in which tools of MCP servers are not called: they may change something.";
  throw new ToolError({ message, brief: "Refused in plan mode" });
}
