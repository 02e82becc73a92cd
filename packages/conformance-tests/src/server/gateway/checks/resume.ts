import { randomUUID } from "node:crypto";
import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import { awaitToolResult, reply, sendPrompt, wantNone, wantResult } from "../../conversation.js";
import { answerById, choosing, sendAnswer, shownRequest } from "../../extended.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine, calls, size } from "../../scripts.js";
import { look, seen } from "../../tools.js";
import type { CheckedGateway, GatewayCheck } from "../gateway-context.js";
import { type Joined, joinSession, person, sessionsOf } from "../joined.js";

const question = wantedRequest("QuestionRequest");

/** The number of the last message that a client has. */
function lastSeq({ client, session }: Joined): number {
  const told = client.messages.findLast(({ params }) => typeof params?.seq === "number");
  return (told?.params?.seq as number | undefined) ?? session.seq;
}

async function cut({ client }: Joined): Promise<void> {
  client.drop();
  await client.ended();
}

/** The `initialize` of a client that returns to its place. */
function returning(name: string, joined: Joined, clientId: string, after_seq: number) {
  const { id, stream } = joined.session;
  return person(name, { session: { id, stream, after_seq } }, clientId);
}

/** Long results of a tool that is called so often: more than a server keeps for who does not read. */
const LONG = { calls: 24, text: "long ".repeat(200_000) };

/** More events than a server keeps of a session. */
const MANY = 10_100;

/** X54, X55, X59, X61 and X64: coming back after a lost connection. */
export const resumeChecks: readonly GatewayCheck[] = [
  {
    id: "X54",
    title:
      "who comes back is sent what it missed, in order, then what happens from now on, and no question that it has",
    rules: ["P-XAT-5", "P-XAT-4", "P-XAT-3"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const clientId = randomUUID();
      const ann = await joinSession(gateway, person("ann", {}, clientId));
      const { client: bob } = await joinSession(gateway, person("bob"));
      const turn = sendPrompt(bob);
      await shownRequest(bob, question);
      const asked = await shownRequest(ann.client, question);
      const seq = lastSeq(ann);
      await cut(ann);
      for (const enabled of [true, false, true]) resultOf(await bob.call("set_plan_mode", { enabled }));

      const back = await joinSession(gateway, returning("ann", ann, clientId, seq));
      wantMembers("session", back.session, {
        state: "waiting",
        plan_mode: true,
        reset: false,
        pending: [asked.id],
      });
      await back.client.quiet();
      wantNone(back.client, question);
      const missed = back.client.messages.filter(wantedEvent("StatusUpdate").fits);
      wantSame(
        "the missed changes of plan_mode",
        missed.map((update) => payloadOf(update).plan_mode),
        [true, false, true],
      );
      wantSame("the number of the last missed event", missed.at(-1)?.params?.seq, back.session.seq);
      await answerById(back.client, asked, { items: choosing(asked, ["Red"]) });
      await back.client.next(wantedEvent("TurnEnd"));
      await wantResult(bob, turn, { status: "finished" });
    },
  },
  {
    id: "X64",
    title:
      "of what was asked while a client was away, it is sent whole what is open; of what is settled, that it was opened",
    rules: ["P-XAT-5", "P-XST-1"],
    async run(context) {
      const scripts = [`${askingLine()}\n${askingLine([size], "tc-2")}`, "text: Thanks."];
      const gateway = await context.start(scripts);
      const clientId = randomUUID();
      const ann = await joinSession(gateway, person("ann", {}, clientId));
      const { client: bob } = await joinSession(gateway, person("bob"));
      await cut(ann);
      const turn = sendPrompt(bob);
      const [first, second] = [await shownRequest(bob, question), await shownRequest(bob, question)];
      await answerById(bob, first, { items: choosing(first, ["Red"]) });

      const back = await joinSession(gateway, returning("ann", ann, clientId, ann.session.seq));
      const told = await back.client.next(wantedEvent("InteractionOpened", { request_id: first.id }));
      wantSame("its payload", payloadOf(told), { request_id: first.id, kind: "question" });
      const whole = await shownRequest(back.client, question);
      wantSame(
        "the open question",
        [payloadOf(whole), whole.params?.seq],
        [payloadOf(second), second.params?.seq],
      );
      await answerById(back.client, whole, { items: choosing(whole, ["Large"]) });
      await wantResult(bob, turn, { status: "finished" });
    },
  },
  {
    id: "X55",
    title:
      "reset is true for another stream, a number that was never reached or one that is no longer kept, else false",
    rules: ["P-XAT-6", "P-XAT-7"],
    async run(context) {
      const script = Array.from({ length: MANY }, (_, index) => `text: ${index} `).join("\n");
      const gateway = await context.start([script]);
      const ann = await joinSession(gateway, person("ann"));
      const { id, stream } = ann.session;
      const cameBack = (session: object) =>
        joinSession(gateway, person("bob", { session: { id, ...session } }));
      const reset = async (session: object) => {
        const { client, session: attached } = await cameBack(session);
        await client.quiet();
        wantNone(client, wantedEvent("ContentPart"));
        client.drop();
        return [attached.reset, attached.seq];
      };
      wantSame("reset without a stream", await reset({}), [false, ann.session.seq]);
      await wantResult(ann.client, sendPrompt(ann.client), { status: "finished" });
      const last = lastSeq(ann);
      want(last > MANY, `more than ${MANY} events`, last);
      wantSame("reset for another stream", await reset({ stream: randomUUID(), after_seq: last }), [
        true,
        last,
      ]);
      wantSame("reset for a number that comes yet", await reset({ stream, after_seq: last + 1 }), [
        true,
        last,
      ]);
      wantSame("reset for a number that has left", await reset({ stream, after_seq: 10 }), [true, last]);
      wantSame("reset without a stream", await reset({}), [false, last]);
      const after = last - 200;
      const { client, session } = await cameBack({ stream, after_seq: after });
      wantSame("reset for a number that is kept", session.reset, false);
      await client.quiet();
      const missed = client.messages.filter(({ method }) => method === "event");
      wantSame("the number of missed events", missed.length, session.seq - after);
    },
  },
  {
    id: "X59",
    title:
      "after a lost connection an answer and a prompt sent again get the first reply, and nothing runs twice",
    rules: ["P-XAN-5", "P-XTR-2", "P-SES-2"],
    async run(context) {
      const gateway = await context.start([askingLine(), askingLine(undefined, "tc-2"), "text: Thanks."]);
      const clientId = randomUUID();
      const ann = await joinSession(gateway, person("ann", {}, clientId));
      const words = { user_input: "hello", turn_id: "turn-1" };
      ann.client.request("prompt", words);
      const asked = await shownRequest(ann.client, question);
      const said = { answer_id: "answer-1", items: choosing(asked, ["Red"]) };
      const outcome = await answerById(ann.client, asked, said);
      const second = await shownRequest(ann.client, question);
      const seq = lastSeq(ann);
      await cut(ann);

      const back = await joinSession(gateway, returning("ann", ann, clientId, seq));
      const turn = back.client.request("prompt", words);
      const again = resultOf(await back.client.response(sendAnswer(back.client, asked, said)));
      wantSame("the reply to the same answer", again, { outcome });
      await answerById(back.client, second, { items: choosing(second, ["Blue"]) });
      await wantResult(back.client, turn, { status: "finished" });
      await onlyOneTurn(gateway, back);
    },
  },
  {
    id: "X61",
    title: "a client that does not read is closed with 4408; the others go on, and it may come back",
    rules: ["P-XAT-7", "P-LIM-5", "P-SES-2"],
    // Before it gives a client up a server may wait ten seconds for it.
    waitsMs: 10_000,
    async run(context) {
      const lines = Array.from({ length: LONG.calls }, (_, index) =>
        calls("look", { where: `place ${index}` }, `tc-${index}`),
      );
      const gateway = await context.start([lines.join("\n"), "text: Seen."]);
      const clientId = randomUUID();
      const ann = await joinSession(gateway, person("ann", {}, clientId));
      const { client: bob } = await joinSession(gateway, person("bob", { external_tools: [look] }));
      ann.client.stall();
      const turn = sendPrompt(bob);
      let isGone = false;
      for (const _ of lines) {
        // A server that no longer counts the client waits for its goodbye: what was told until then is enough.
        isGone ||= (await sessionsOf(bob)).get(ann.session.id)?.connections === 1;
        if (isGone) ann.client.resume();
        const { id } = await bob.next(wantedRequest("ToolCallRequest"));
        const display = [{ type: "brief", text: isGone ? "short" : LONG.text }];
        reply(bob, id, { tool_call_id: id, return_value: { ...seen, display } });
        await awaitToolResult(bob, String(id));
      }
      await wantResult(bob, turn, { status: "finished" });
      ann.client.resume();
      const all = ann.client.next(wantedEvent("TurnEnd"));
      const closing = await all.then(
        () => undefined,
        () => ann.client.ended(),
      );
      wantSame("the close code of the client that did not read", closing?.code, 4408);
      const back = await joinSession(gateway, returning("ann", ann, clientId, lastSeq(ann)));
      wantMembers("session", back.session, { state: "idle", pending: [] });
    },
  },
];

/** Wants the stream of a session to have one TurnBegin, as who starts at its beginning is told. */
async function onlyOneTurn(gateway: CheckedGateway, { session: { id, stream } }: Joined): Promise<void> {
  const { client } = await joinSession(gateway, person("bob", { session: { id, stream, after_seq: 0 } }));
  await client.next(wantedEvent("TurnEnd"));
  await client.quiet();
  const begun = client.messages.filter(wantedEvent("TurnBegin").fits);
  want(begun.length === 1, "one TurnBegin", begun);
}
