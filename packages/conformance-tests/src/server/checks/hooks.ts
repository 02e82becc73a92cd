import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  fail,
  initialize,
  reply,
  sendPrompt,
  wantNone,
  wantOrder,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { payloadOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** A hook before the question tool runs. No answer within a second means allowed. */
const beforeQuestions = {
  id: "before-questions",
  event: "PreToolUse",
  matcher: "AskUserQuestion",
  timeout: 1,
};

const hookRequest = wantedRequest("HookRequest");

/** Starts a server with hooks whose model asks once in each of so many turns. */
function withHooks(
  context: ServerContext,
  hooks: readonly object[],
  turns: number,
  params: object = wholeClient,
) {
  const scripts = Array.from({ length: turns }, (_, index) => [
    askingLine(undefined, `tc-${index + 1}`),
    "text: Well.",
  ]);
  return begin(context, { scripts: scripts.flat() }, { ...params, hooks });
}

function block(server: WireServer, { id }: ServerMessage, reason: string): void {
  reply(server, id, { request_id: id, action: "block", reason });
}

/** Goes on with a turn whose question no hook blocks. */
async function asked(server: WireServer, turn: string, call: string): Promise<void> {
  answer(server, await server.next(wantedRequest("QuestionRequest")), { "Which colour?": "Red" });
  wantMembers("the result of the tool", await awaitToolResult(server, call), { is_error: false });
  await wantResult(server, turn, { status: "finished" });
}

/** S66 and F51 to F54: hooks of a client. */
export const serverHookChecks: readonly ServerCheck[] = [
  {
    id: "S66",
    title: "a hook that blocks keeps the tool from running, one that is not answered in its time allows it",
    rules: ["P-HOK-1", "P-HOK-2", "P-HOK-3", "P-HOK-4", "P-HOK-5"],
    async run(context) {
      const server = await withHooks(context, [beforeQuestions], 2);
      const blocked = sendPrompt(server);
      const hook = await server.next(hookRequest);
      wantMembers("the payload of HookRequest", payloadOf(hook), {
        subscription_id: "before-questions",
        event: "PreToolUse",
        target: "AskUserQuestion",
        input_data: { hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_call_id: "tc-1" },
      });
      block(server, hook, "not before noon");
      const value = await awaitToolResult(server);
      wantMembers("the result of the tool", value, { is_error: true });
      want(JSON.stringify(value).includes("not before noon"), "the reason in the result of the tool", value);
      await wantResult(server, blocked, { status: "finished" });
      wantNone(server, wantedRequest("QuestionRequest"));
      const triggered = await server.next(wantedEvent("HookTriggered", { event: "PreToolUse" }));
      wantMembers("HookTriggered", payloadOf(triggered), { target: "AskUserQuestion", hook_count: 1 });
      const resolved = await server.next(wantedEvent("HookResolved", { event: "PreToolUse" }));
      wantMembers("HookResolved", payloadOf(resolved), { action: "block", reason: "not before noon" });
      wantOrder(server, "HookTriggered, HookRequest, HookResolved", triggered, hook, resolved);

      const allowed = sendPrompt(server);
      await server.next(hookRequest);
      await asked(server, allowed, "tc-2");
    },
  },
  {
    id: "F51",
    title: "hooks that cannot be are not configured, and initialize again replaces those that are",
    rules: ["P-HOK-1", "P-INI-5"],
    isOurs: true,
    async run(context) {
      const server = await context.start();
      const configured = async (hooks: readonly object[]) => {
        const { result } = await initialize(server, { ...wholeClient, hooks });
        return (result as { hooks: { configured: unknown } }).hooks.configured;
      };
      const { matcher: _, ...plain } = beforeQuestions;
      const others = [
        { ...plain, id: "unknown", event: "PreLunch" },
        { ...plain, id: "broken", matcher: "(" },
        { ...plain, id: "long", matcher: "x".repeat(257) },
        { ...plain, id: "stop", event: "Stop" },
        { ...plain, id: "before-questions" },
      ];
      wantSame("configured", await configured([beforeQuestions, ...others]), { PreToolUse: 1, Stop: 1 });
      wantSame("configured", await configured([beforeQuestions]), { PreToolUse: 1 });
    },
  },
  {
    id: "F52",
    title:
      "a hook that fails allows, or blocks where its subscription says so; one block among several blocks",
    rules: ["P-HOK-2", "P-HOK-4"],
    isOurs: true,
    async run(context) {
      const server = await withHooks(context, [beforeQuestions], 2);
      const first = sendPrompt(server);
      fail(server, (await server.next(hookRequest)).id, -32000);
      await asked(server, first, "tc-1");
      const second = sendPrompt(server);
      reply(server, (await server.next(hookRequest)).id, { action: 5 });
      await asked(server, second, "tc-2");

      const strict = { ...beforeQuestions, id: "strict", on_failure: "block" };
      const both = await withHooks(context, [beforeQuestions, strict], 1);
      const turn = sendPrompt(both);
      const hooks = [await both.next(hookRequest), await both.next(hookRequest)];
      for (const { id } of hooks) fail(both, id, -32603);
      wantMembers("the result of the tool", await awaitToolResult(both), { is_error: true });
      await wantResult(both, turn, { status: "finished" });
      wantNone(both, wantedRequest("QuestionRequest"));
    },
  },
  {
    id: "F53",
    title: "a prompt that a hook blocks reaches no model: finished without a step, and the reason is said",
    rules: ["P-HOK-6"],
    async run(context) {
      const hook = { id: "prompts", event: "UserPromptSubmit" };
      const server = await withHooks(context, [hook], 1);
      const turn = sendPrompt(server, "tell me a secret");
      const { id, params } = await server.next(hookRequest);
      wantMembers("input_data", params?.payload?.input_data, { prompt: "tell me a secret" });
      reply(server, id, { request_id: id, action: "block", reason: "no secrets" });
      await wantResult(server, turn, { status: "finished" });
      wantNone(server, wantedEvent("StepBegin"));
      const said = server.messages
        .filter(wantedEvent("ContentPart").fits)
        .map((part) => payloadOf(part).text);
      want(said.join("").includes("no secrets"), "the reason in a ContentPart", said);
    },
  },
  {
    id: "F54",
    title:
      "an old client with a hook hears of it; cancel while it is asked ends the turn without HookResolved",
    rules: ["P-HOK-8", "P-VER-2"],
    async run(context) {
      const old = { ...wholeClient, protocol_version: "1.4" };
      const server = await withHooks(context, [{ ...beforeQuestions, timeout: 60 }], 1, old);
      const turn = sendPrompt(server);
      await server.next(hookRequest);
      await server.next(wantedEvent("HookTriggered"));
      await server.call("cancel");
      await wantResult(server, turn, { status: "cancelled" });
      await server.quiet();
      wantNone(server, wantedEvent("HookResolved"));
    },
  },
];
