import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { type InputRequiredResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import { readApproval, readAsk, readStatus } from "./arguments.js";
import { type Ask, CallMistake } from "./asking.js";
import { askInForm } from "./form-of-host.js";
import { waitSecondsFor } from "./host-limits.js";
import { type PermissionResult, permissionDecisions, permissionTool } from "./permission-tool.js";
import { askResult, failedResult, type McpCallResult, openResult } from "./results.js";
import type { GatewayWay } from "./through-gateway.js";
import { tools } from "./tools.js";

export interface AskServerOptions extends Pick<GatewayWay, "look" | "open" | "answered"> {
  readonly ask: Ask;
  /** The way to the person. With `elicitation` a host that shows forms asks there. Default: `gateway`. */
  readonly via?: "gateway" | "elicitation";
  /** True for the gateway that `askwire open` opens, false for another server. Default: true. */
  readonly isOwnGateway?: boolean;
  /** The time that a call may wait, in seconds. Default: by host. */
  readonly timeout?: number | undefined;
  /** The folder of the host. The person is told its name. */
  readonly folder: string;
  /** The session of an asker, for the tool by which Claude Code asks for permissions. Default: there is no such tool. */
  readonly permissions?: GatewayWay["asking"] | undefined;
}

/** The time between two messages of progress, in milliseconds: less than the shortest limit that progress extends. */
const PROGRESS_MS = 5_000;

/** The person's way to their questions at their own gateway, and at another server. */
const ways = {
  own: "The person answers them where Askwire is open; the command `askwire open` shows them in the browser.",
  other: "The person answers them where they have opened the server of --connect.",
};

/** Makes the MCP server that asks. One serves both generations of the protocol. */
export function askServer({
  ask,
  look,
  open,
  answered,
  via,
  isOwnGateway = true,
  timeout,
  folder,
  permissions,
}: AskServerOptions): Server {
  const way = isOwnGateway ? ways.own : ways.other;
  const instructions = `ask_user_question puts questions to the person you work for, and ask_user_approval has them allow an action. ${way}`;
  const server = new Server(
    { name: "askwire", title: "Askwire", version: __ASKWIRE_VERSION__ },
    { capabilities: { tools: {} }, instructions },
  );
  const decide = permissionDecisions(randomUUID());
  const offered = permissions === undefined ? tools : [...tools, permissionTool];
  let hasNamedWay = false;

  /** The way for the first result alone. */
  function wayOnce(): string | undefined {
    const isFirst = !hasNamedWay;
    hasNamedWay = true;
    return isFirst ? way : undefined;
  }

  async function call(
    tool: string,
    given: Record<string, unknown>,
    ctx: ServerContext,
  ): Promise<McpCallResult | PermissionResult | InputRequiredResult> {
    const host = hostOf(server, ctx);
    const name = `${host?.title ?? host?.name ?? "An agent"} in ${basename(folder) || folder}`;
    const asker = { name, folder };
    const { signal } = ctx.mcpReq;
    const readers = { ask_user_question: readAsk, ask_user_approval: readApproval };
    if (tool === "ask_user_question" || tool === "ask_user_approval") {
      const what = readers[tool](given);
      const form =
        via === "elicitation" && "questions" in what
          ? await askInForm(what.questions, name, server, ctx)
          : undefined;
      if (form !== undefined && "input" in form) return form.input;
      if (form !== undefined && "result" in form) return askResult(form.result);
      const lost = form === undefined ? [] : [form.elsewhere];
      const stop = tellProgress(ctx, isOwnGateway);
      try {
        const waitMs = (timeout ?? waitSecondsFor(host?.name)) * 1_000;
        const asked = await ask(what, { signal, waitMs, asker });
        return askResult({ ...asked, lost: [...lost, ...(asked.lost ?? [])] }, wayOnce());
      } finally {
        stop();
      }
    }
    if (tool === permissionTool.name && permissions !== undefined) {
      const stop = tellProgress(ctx, isOwnGateway);
      return decide(given, { session: permissions(asker), folder, signal }).finally(stop);
    }
    if (tool === "ask_user_status") {
      const handle = readStatus(given);
      return handle === undefined
        ? openResult(...(await Promise.all([open(asker), answered(asker)])))
        : askResult(await look(handle, asker));
    }
    throw new CallMistake(
      `no such tool as ${JSON.stringify(tool)}: expected ${offered.map(({ name }) => name).join(" or ")}`,
    );
  }

  server.setRequestHandler("tools/list", async () => ({ tools: offered as never }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    try {
      return await call(params.name, params.arguments ?? {}, ctx);
    } catch (error) {
      const { message } = error as Error;
      return failedResult(
        error instanceof CallMistake ? message : `The questions could not be asked: ${message}`,
      );
    }
  });
  return server;
}

function hostOf(
  server: Server,
  { mcpReq }: ServerContext,
): { name: string; title?: string | undefined } | undefined {
  // The protocol of 2026 names the host in each request, that of 2025 once.
  const said: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const host = said["io.modelcontextprotocol/clientInfo"] as { name: string; title?: string } | undefined;
  return host ?? server.getClientVersion();
}

/** Tells the host that a person is awaited, where it asked for progress. Returns what ends that. */
function tellProgress({ mcpReq }: ServerContext, isOwnGateway: boolean): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const message = `Waiting for a person${isOwnGateway ? "; `askwire open` shows the questions" : ""}`;
  let progress = 0;
  const tell = () => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A host that is gone needs no word.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  return () => clearInterval(timer);
}
