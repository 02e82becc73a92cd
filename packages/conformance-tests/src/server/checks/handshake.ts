import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  initialize,
  openQuestion,
  sendPrompt,
  turn,
  wantError,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { wantedRequest } from "../messages.js";
import { askingLine, calls, writes } from "../scripts.js";

const tool = (name: string, parameters: object = { type: "object", properties: {} }) => ({
  name,
  description: `Tool ${name}`,
  parameters,
});

/** S01 to S08: `initialize`. */
export const handshakeChecks: readonly ServerCheck[] = [
  {
    id: "S01",
    title:
      "initialize without options: the result has protocol_version, server and slash_commands, no external_tools",
    rules: ["P-INI-2", "P-VER-1"],
    async run(context) {
      const { result } = await initialize(await context.start(), { protocol_version: "1.1" });
      wantMembers("a result", result, { protocol_version: "1.10" });
      const { server, slash_commands, hooks, ...rest } = result as Record<string, unknown>;
      const { name, version } = (server ?? {}) as Record<string, unknown>;
      want(
        typeof name === "string" && typeof version === "string",
        "server {name, version} as texts",
        result,
      );
      want(Array.isArray(slash_commands), "slash_commands as an array", result);
      want(typeof hooks === "object", "hooks", result);
      want(!("external_tools" in rest), "no external_tools where none were offered", result);
    },
  },
  {
    id: "S02",
    title: "initialize of a later version succeeds, with the server's own version",
    rules: ["P-INI-2", "P-VER-1"],
    async run(context) {
      const { result } = await initialize(await context.start(), {
        ...wholeClient,
        protocol_version: "99.0",
      });
      wantMembers("a result", result, { protocol_version: "1.10" });
    },
  },
  {
    id: "S03",
    title: "initialize without params, without a version, or with one that is no text: -32602",
    rules: ["P-ERR-1"],
    async run(context) {
      const server = await context.start();
      for (const params of [undefined, {}, { protocol_version: 1.1 }, { protocol_version: null }])
        await wantError(server, server.request("initialize", params), -32602);
    },
  },
  {
    id: "S04",
    title: "initialize with unknown members at every level succeeds",
    rules: ["P-ENV-10"],
    async run(context) {
      await initialize(await context.start(), {
        protocol_version: "1.10",
        client: { name: "conformance", version: "1.0", x_more: [1] },
        capabilities: { supports_question: true, x_more: { a: 1 } },
        x_more: null,
      });
    },
  },
  {
    id: "S05",
    title: "external tools are accepted and rejected one by one, each rejection with a reason",
    rules: ["P-EXT-1", "P-EXT-2", "P-EXT-3", "P-INI-2"],
    async run(context) {
      const invalid = tool("invalid", { type: 12 });
      const { result } = await initialize(await context.start(), {
        ...wholeClient,
        external_tools: [tool("good"), tool("AskUserQuestion"), invalid],
      });
      const { accepted, rejected = [] } = ((result as Record<string, unknown>).external_tools ?? {}) as {
        accepted?: unknown;
        rejected?: { name?: unknown; reason?: unknown }[];
      };
      wantSame("external_tools.accepted", accepted, ["good"]);
      wantSame(
        "the names in external_tools.rejected",
        rejected.map(({ name }) => name),
        ["AskUserQuestion", "invalid"],
      );
      const reasons = rejected.every(({ reason }) => typeof reason === "string" && reason !== "");
      want(reasons, "a reason for each rejected tool", rejected);
    },
  },
  {
    id: "S06",
    title: "an external tool offered again replaces itself: one call of it is one request",
    rules: ["P-INI-5", "P-EXT-1"],
    async run(context) {
      const params = { ...wholeClient, external_tools: [tool("look")] };
      const server = await begin(context, { scripts: [calls("look", {}), "text: Seen."] }, params);
      const { result } = await initialize(server, params);
      wantMembers("a result", result, { external_tools: { accepted: ["look"] } });
      const running = sendPrompt(server);
      const { id, params: call } = await server.next(wantedRequest("ToolCallRequest"));
      wantMembers("a payload", call?.payload, { id: "tc-1", name: "look" });
      await server.quiet();
      const requests = server.messages.filter(wantedRequest("ToolCallRequest").fits);
      want(requests.length === 1, "one ToolCallRequest for one call", requests);
      const return_value = { is_error: false, output: "a tree", message: "", display: [] };
      server.send({ jsonrpc: "2.0", id, result: { tool_call_id: "tc-1", return_value } });
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S07",
    title:
      "initialize during a prompt of the same connection is refused with -32000, unless it is the first one",
    rules: ["P-INI-3"],
    isOurs: true,
    async run(context) {
      const { server } = await openQuestion(context);
      await wantError(server, server.request("initialize", wholeClient), -32000);
      const other = await context.start({ scripts: [writes("a.txt"), "text: Done."] });
      sendPrompt(other);
      await other.next(wantedRequest("ApprovalRequest"));
      await initialize(other);
    },
  },
  {
    id: "S08",
    title: "initialize again without capabilities keeps the earlier ones; with {} questions are over",
    rules: ["P-INI-4", "P-CAP-1", "P-CAP-2"],
    async run(context) {
      const scripts = [askingLine(), "text: Thanks.", askingLine(), "text: Which?"];
      const server = await begin(context, { scripts });
      await initialize(server, { protocol_version: "1.10", capabilities: null });
      await initialize(server, { protocol_version: "1.10" });
      const second = sendPrompt(server);
      answer(server, await server.next(wantedRequest("QuestionRequest")), { "Which colour?": "Red" });
      await wantResult(server, second, { status: "finished" });
      await initialize(server, { protocol_version: "1.10", capabilities: {} });
      await turn(server);
      await awaitToolResult(server);
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
      const asked = server.messages.filter(wantedRequest("QuestionRequest").fits);
      want(asked.length === 1, "no QuestionRequest after initialize with capabilities {}", asked);
    },
  },
];
