import { describe, expect, test } from "vitest";
import type { Message } from "../raw-client.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import { type StoreAtWork, stores } from "../stores.js";
import { extended, meetExtended } from "./extended-client.js";

const id = "11111111-1111-4111-8111-111111111111";
const red = [{ question_id: "q1", selected: ["q1_o1"] }];
const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const hooks = [{ id: "h", event: "UserPromptSubmit" }];
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };

/** A closed and reopened session with a question, an approval and a client's tool call. */
async function closedOnce(store: StoreAtWork) {
  const tools = [approvedTool("Shell")];
  const scripts = [asks(), callLine("Shell", {}, "tc-2"), callLine("Weather", {}, "tc-3"), "text: done"];
  const first = scenario(scripts, { ...store.options(), tools });
  const { client } = await meetExtended(first, { sessionId: id }, { external_tools: [weather], hooks });
  const { prompt, asked: hook } = await client.begin("HookRequest");
  client.reply(hook, { request_id: hook.id, action: "allow" });
  const question = await client.asked("QuestionRequest");
  await client.answer(question, { items: red });
  const approval = await client.asked("ApprovalRequest");
  await client.answer(approval, { response: "approve" });
  const call = await client.seen("ToolCallRequest");
  client.reply(call, { tool_call_id: call.id, return_value: sunny });
  await prompt;
  await first.server.close();
  return {
    ...scenario(["text: again"], { ...store.options(), tools }),
    before: client,
    question,
    approval,
    call,
    hook,
  };
}

const messages = ({ received }: { received: readonly Message[] }) =>
  received.filter(({ method }) => method !== undefined);
const typed = (all: readonly Message[]) => all.map(({ method, params }) => `${method} ${params?.type}`);

describe.each(stores)("a session that is kept %s", (_where, make) => {
  describe("a replay towards an extended client (P-XRP-1)", () => {
    test("a replay to an extended client is marked message by message, without numbers, and asks nothing", async () => {
      const set = await closedOnce(make());
      const { client, session } = await meetExtended(set, { sessionId: id });
      const { result } = await client.call("replay");
      const replayed = messages(client);
      expect(replayed.length).toBeGreaterThan(8);
      for (const message of replayed) {
        expect(message.method).toBe("event");
        expect(message).not.toHaveProperty("id");
        expect(message.params).toMatchObject({ replayed: true });
        expect(Object.keys(message.params ?? {}).sort()).toEqual(["payload", "replayed", "type"]);
      }
      const { status, events, requests } = result as { status: string; events: number; requests: number };
      expect([status, events + requests]).toEqual(["finished", replayed.length]);
      expect([session.pending.length, session.running]).toEqual([0, false]);
    });

    test("a replay to an extended client has the requests under their old ids, how each was settled after it, and the approval that was asked", async () => {
      const set = await closedOnce(make());
      const { client } = await meetExtended(set, { sessionId: id });
      await client.call("replay");
      const asked = typed(messages(client)).filter((word) => /Request|Settled|Turn|ToolResult/.test(word));
      expect(asked).toEqual([
        "event TurnBegin",
        "event InteractionSettled",
        "event QuestionRequest",
        "event InteractionSettled",
        "event ToolResult",
        "event ApprovalRequest",
        "event InteractionSettled",
        "event ToolResult",
        "event ToolCallRequest",
        "event InteractionSettled",
        "event ToolResult",
        "event TurnEnd",
      ]);
      const payloads = (type: string) => client.events(type).map(({ payload }) => payload);
      expect(payloads("QuestionRequest")[0]).toMatchObject({
        ...{ id: set.question.id, tool_call_id: "tc-1" },
        questions: [
          { id: "q1", question: "Which colour?", options: [{ id: "q1_o1", label: "Red" }, { id: "q1_o2" }] },
        ],
      });
      expect(payloads("ApprovalRequest")[0]).toMatchObject({
        id: set.approval.id,
        action: "run command",
        sender: "Shell",
      });
      expect(payloads("ToolCallRequest")[0]).toMatchObject({ id: "tc-3", name: "Weather" });
      const live = set.before.events("InteractionSettled").map(({ payload }) => payload);
      expect(payloads("InteractionSettled").map(({ kind, outcome }) => ({ kind, outcome }))).toEqual(
        live.map(({ kind, outcome }) => ({ kind, outcome })),
      );
      for (const settled of payloads("InteractionSettled")) {
        expect(Object.keys(settled).sort()).toEqual(["kind", "outcome", "request_id", "response"]);
      }
      expect(payloads("InteractionSettled")[0]).toMatchObject({
        request_id: set.hook.id,
        response: { action: "allow" },
      });
      expect(payloads("InteractionSettled")[1]).toMatchObject({
        request_id: set.question.id,
        response: { answers: { "Which colour?": "Red" } },
      });
    });

    test("a replay goes to one extended client alone, and does not move the numbers", async () => {
      const set = await closedOnce(make());
      const session = await set.server.openSession({ id });
      const { client } = await meetExtended(set, { session });
      const { client: other } = await meetExtended(set, { session });
      await client.call("replay");
      await other.settled();
      expect(messages(other)).toEqual([]);
      await other.call("set_plan_mode", { enabled: true });
      await client.settled();
      expect(client.events().at(-1)).toMatchObject({ type: "StatusUpdate", seq: 1 });
    });

    test("an answer to a replayed request is late, and gets the outcome of the earlier process (P-XAN-3)", async () => {
      const set = await closedOnce(make());
      const { client } = await meetExtended(set, { sessionId: id });
      await client.call("replay");
      for (const request of [set.question, set.approval]) {
        expect((await client.answer({ id: request.id as string }, { items: red })).error?.code).toBe(-32010);
      }
    });

    test("events that happen during a replay are not marked and have their numbers", async () => {
      const set = await closedOnce(make());
      const { client } = await meetExtended(set, { sessionId: id });
      await client.call("replay");
      const before = client.received.length;
      await client.call("prompt", { user_input: "go" });
      for (const { method, params } of client.received.slice(before)) {
        if (method === undefined) continue;
        expect(params).not.toHaveProperty("replayed");
        expect(params).toHaveProperty("seq");
      }
    });

    test("a question that died with the process is replayed with its settlement, and is not pending", async () => {
      const store = make();
      const first = scenario([asks(), "text: b"], { ...store.options(), attendance: "hold" });
      const { client: before } = await meetExtended(first, { sessionId: id });
      const { asked } = await before.begun("QuestionRequest");
      await first.server.close();
      const set = scenario([], { ...store.options(), resume: false });
      const { client, found } = await meetExtended(
        set,
        { sessionId: id },
        {
          session: {
            id,
            stream: "00000000-0000-4000-8000-000000000000",
            after_seq: before.events().at(-1)?.seq,
          },
        },
      );
      expect([found.pending, found.reset, found.state]).toEqual([[], true, "idle"]);
      await client.call("replay");
      expect(client.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
        { request_id: asked.id, outcome: { status: "withdrawn", reason: "shutdown" } },
      ]);
    });
  });

  describe("a replay towards a base client (P-JRN-10)", () => {
    test("a replay to a base client has requests as requests, none of our records and no marks", async () => {
      const set = await closedOnce(make());
      const { client } = await set.meet({ sessionId: id });
      const { result } = await client.call("replay");
      const all = messages(client);
      for (const { params } of all) expect(Object.keys(params ?? {}).sort()).toEqual(["payload", "type"]);
      const words = typed(all).filter((word) => /Request|Settled|Opened|State/.test(word));
      expect(words).toEqual(["request QuestionRequest", "request ToolCallRequest"]);
      expect(result).toEqual({ status: "finished", events: all.length - 2, requests: 2 });
      const {
        id: _id,
        tool_call_id,
        questions,
        ...rest
      } = (await client.seen("QuestionRequest")).params?.payload ?? {};
      expect([tool_call_id, rest]).toEqual(["tc-1", {}]);
      const [item] = questions as object[];
      expect(Object.keys(item ?? {}).sort()).toEqual(
        ["body", "header", "multi_select", "options", "other_description", "other_label", "question"].sort(),
      );
      const begin = extended(client).events("TurnBegin")[0]?.payload;
      expect(begin).toEqual({ user_input: "go" });
    });
  });

  describe("a replay while a turn runs (P-XRP-2)", () => {
    test("a replay while a turn runs has what was sent before the client attached, as often as it is asked for, and the turn continues", async () => {
      const set = scenario(["text: Hello.", asks(), "text: Red it is."], make().options());
      const { client: first, session } = await meetExtended(set, { sessionId: id });
      await first.call("prompt", { user_input: "hello" });
      const { prompt, asked } = await first.begin("QuestionRequest");
      const { client: second } = await meetExtended(set, { session });
      const before = messages(second).length;
      const { result } = await second.call("replay");
      const isReplayed = ({ params }: Message) => params !== undefined && "replayed" in params;
      const told = typed(messages(second).slice(before).filter(isReplayed));
      expect(told.filter((word) => /Turn|Question|Content/.test(word))).toEqual([
        "event TurnBegin",
        "event ContentPart",
        "event TurnEnd",
        "event TurnBegin",
        "event QuestionRequest",
      ]);
      expect((await first.call("replay")).result).toEqual({ status: "finished", events: 0, requests: 0 });
      await first.answer(asked, { items: red });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect((await second.call("replay")).result).not.toEqual(result);
      await set.server.close();
    });

    test("a replay while a turn runs is refused to a base client, which cannot tell it from the turn (P-TRN-1)", async () => {
      const set = scenario([asks(), "text: Red it is."], make().options());
      const { client, session } = await meetExtended(set, { sessionId: id });
      await client.begin("QuestionRequest");
      const { client: other } = await set.meet({ session });
      expect((await other.call("replay")).error).toMatchObject({ code: -32000 });
      await set.server.close();
    });
  });
});
