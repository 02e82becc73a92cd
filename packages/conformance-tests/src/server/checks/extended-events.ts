import { CheckSkipped } from "../../contract/check.js";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import { namesOf, reply, sendPrompt, wantNone, wantOrder, wantResult, wantSilence } from "../conversation.js";
import {
  answerById,
  attach,
  choosing,
  extendedIntroduction,
  introduceExtended,
  openQuestionById,
  settlement,
  shownRequest,
  shows,
  wantSettled,
} from "../extended.js";
import { uuidPattern } from "../invariants.js";
import { payloadOf, type ServerMessage, type Wanted, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, calls } from "../scripts.js";
import { look, seen } from "../tools.js";
import type { WireServer } from "../wire-server.js";

const withTool = (hooks: readonly object[] = []) => ({
  ...extendedIntroduction(),
  external_tools: [look],
  hooks,
});

const beforeTools = { id: "before-tools", event: "PreToolUse", matcher: "look", timeout: 60 };

const cancelled = ({ id }: ServerMessage): Wanted => ({
  name: `$/cancelRequest for ${String(id)}`,
  fits: ({ method, params }) => method === "$/cancelRequest" && params?.id === id,
});

/** The messages that carried the session's state, with that. */
const statesOf = ({ messages }: WireServer) =>
  messages.flatMap(({ params }) =>
    params?.state === undefined ? [] : [`${String(params.type)}: ${String(params.state)}`],
  );

/** X31 to X33, X37 and X46: what an extended client is told without having asked. */
export const extendedEventChecks: readonly ServerCheck[] = [
  {
    id: "X31",
    title:
      "the session's state rides on the message that changes it and on no other; questions and tool calls count too",
    rules: ["P-XST-2", "P-XAN-1", "P-XAT-3", "P-XTH-1"],
    async run(context) {
      const scripts = [askingLine(), calls("look", { where: "garden" }, "tc-2"), "text: Thanks."];
      const server = await introduceExtended(context, { scripts }, withTool());
      const turn = sendPrompt(server);
      const question = await shownRequest(server, wantedRequest("QuestionRequest"));
      await answerById(server, question, { items: choosing(question, ["Red"]) });
      const call = await server.next(wantedRequest("ToolCallRequest"));
      reply(server, call.id, { tool_call_id: call.id, return_value: seen });
      await wantResult(server, turn, { status: "finished" });
      await server.next(wantedEvent("TurnEnd"));
      for (const { params } of [question, call])
        want(Number.isInteger(params?.seq), `a number in ${String(params?.type)}`, params);
      wantSame("the messages with a state", statesOf(server), [
        "TurnBegin: running",
        "QuestionRequest: waiting",
        "InteractionSettled: running",
        "TurnEnd: idle",
      ]);
    },
  },
  {
    id: "X32",
    title:
      "a tool's call and a hook carry a request_id, a UUID, under which InteractionSettled tells what was said",
    rules: ["P-XST-1", "P-XTH-1"],
    async run(context) {
      const scripts = [calls("look", { where: "garden" }), "text: Seen."];
      const server = await introduceExtended(context, { scripts }, withTool([beforeTools]));
      const turn = sendPrompt(server);
      const hook = await server.next(wantedRequest("HookRequest"));
      reply(server, hook.id, { request_id: hook.id, action: "allow", reason: "why not" });
      const allowed = await settlement(server, payloadOf(hook).request_id);
      wantMembers("InteractionSettled of the hook", payloadOf(allowed), {
        kind: "hook",
        outcome: { status: "answered" },
        response: { action: "allow", reason: "why not" },
      });
      const call = await server.next(wantedRequest("ToolCallRequest"));
      wantSame("the id of ToolCallRequest", call.id, "tc-1");
      reply(server, call.id, { tool_call_id: call.id, return_value: seen });
      const told = await settlement(server, payloadOf(call).request_id);
      wantMembers("InteractionSettled of the call", payloadOf(told), {
        kind: "tool_call",
        outcome: { status: "answered" },
        response: { output: "a tree", is_error: false },
      });
      const ids = [hook, call].map((asked) => String(payloadOf(asked).request_id));
      want(ids.every((id) => uuidPattern.test(id)) && ids[0] !== ids[1], "two UUIDs as request_id", ids);
      const result = await server.next(wantedEvent("ToolResult"));
      wantOrder(server, "InteractionSettled, then ToolResult", told, result);
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X33",
    title:
      "$/cancelRequest comes for a tool's call and a hook that end without an answer, and for no question",
    rules: ["P-XST-1", "P-XST-4", "P-TRN-6"],
    async run(context) {
      const late = { ...beforeTools, timeout: 1 };
      const scripts = [calls("look", { where: "garden" }), askingLine(undefined, "tc-2"), "text: Well."];
      const server = await introduceExtended(context, { scripts }, withTool([late]));
      const turn = sendPrompt(server);
      const hook = await server.next(wantedRequest("HookRequest"));
      await wantSettled(server, payloadOf(hook).request_id, {
        status: "expired",
        reason: "deadline",
        by: "timer",
      });
      const call = await server.next(wantedRequest("ToolCallRequest"));
      await server.call("cancel");
      const withdrawn = await wantSettled(server, payloadOf(call).request_id, {
        status: "withdrawn",
        reason: "interrupted",
      });
      const end = await server.next(wantedEvent("TurnEnd"));
      wantOrder(server, "InteractionSettled, then TurnEnd", withdrawn, end);
      await wantResult(server, turn, { status: "cancelled" });
      await wantSilence(server, () => reply(server, call.id, { tool_call_id: call.id, return_value: seen }));
      wantNone(server, wantedEvent("ToolResult"));
      for (const { name, fits } of [hook, call].map(cancelled))
        want(server.messages.some(fits), name, namesOf(server.messages).join(", "));

      const asked = await openQuestionById(context);
      await asked.server.call("cancel");
      await wantSettled(asked.server, asked.question.id, { status: "withdrawn", reason: "interrupted" });
      await wantResult(asked.server, asked.turn, { status: "cancelled" });
      await asked.server.quiet();
      wantNone(asked.server, cancelled(asked.question));
    },
  },
  {
    id: "X37",
    title: "a client that is sent nothing for 15 s is sent alive with the number of the last event",
    rules: ["P-XAT-9"],
    waitsMs: 15_000,
    async run(context) {
      const server = await context.start({ scripts: ["text: Hello."] });
      await attach(server);
      const turn = sendPrompt(server);
      await wantResult(server, turn, { status: "finished" });
      const from = performance.now();
      const alive = await server.next({
        name: "the notification alive",
        isDue: true,
        fits: ({ method }) => method === "alive",
      });
      const waited = performance.now() - from;
      want(waited > 14_000, "nothing but alive, and that after 15 s", `alive after ${waited.toFixed(0)} ms`);
      const last = server.messages.filter(({ method }) => method === "event").at(-1);
      want(isObject(alive.params), "params {seq}", alive);
      wantSame("seq of alive", alive.params.seq, last?.params?.seq);
    },
  },
  {
    id: "X46",
    title:
      "a server that declares alive replies to a sign of life at once, with the number of messages in both directions",
    rules: ["P-XAT-11"],
    isAdvice: true,
    async run(context) {
      const server = await context.start({ scripts: ["text: Hello."] });
      const { uses } = await attach(server, extendedIntroduction({ ...shows, alive: true }));
      if (uses.alive !== true) throw new CheckSkipped("it does not declare alive, so it gives no numbers");
      const first = await signOfLife(server);
      wantMembers("the reply before anything else was said", first.params, { sent: 1, received: 1 });
      const turn = sendPrompt(server);
      await wantResult(server, turn, { status: "finished" });
      const before = server.messages.length;
      const { params } = await signOfLife(server);
      const events = server.messages.filter(({ method }) => method === "event");
      // The client has sent its introduction, a sign of life, the request that shows that no more comes, and the prompt.
      wantMembers("the reply", params, { seq: events.at(-1)?.params?.seq, sent: before, received: 4 });
    },
  },
];

/** Sends a sign of life, and takes the reply. */
async function signOfLife(server: WireServer): Promise<ServerMessage> {
  server.send({ jsonrpc: "2.0", method: "alive", params: { received: server.messages.length } });
  return await server.next({
    name: "the notification alive with numbers",
    fits: ({ method, params = {} }) => method === "alive" && "received" in params,
  });
}
