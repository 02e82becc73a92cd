import { randomUUID } from "node:crypto";
import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import { awaitToolResult, reply, sendPrompt, wantError, wantResult } from "../../conversation.js";
import { answerById, attach, choosing, shownRequest } from "../../extended.js";
import { payloadOf, wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine, calls } from "../../scripts.js";
import { look, seen } from "../../tools.js";
import type { GatewayCheck } from "../gateway-context.js";
import { type Joined, joinSession, person, untilConnected, wantClosed } from "../joined.js";

const call = wantedRequest("ToolCallRequest");
const question = wantedRequest("QuestionRequest");

const beforeLook = { id: "before-look", event: "PreToolUse", matcher: "look", timeout: 60 };

const opened = wantedEvent("InteractionOpened", { kind: "tool_call" });

/** X53, X56, X58 and X63: to which session a connection belongs, and the same client again. */
export const attachChecks: readonly GatewayCheck[] = [
  {
    id: "X53",
    title:
      "the same client_id again: the older connection is closed with 4409, and what was asked of it is the new one's",
    rules: ["P-XAT-1", "P-XTH-1", "P-ERR-2"],
    async run(context) {
      const scripts = [`${askingLine()}\n${calls("look", { where: "garden" }, "tc-2")}`, "text: Thanks."];
      const gateway = await context.start(scripts);
      const clientId = randomUUID();
      const back = async (older: Joined, more: object = {}) => {
        const newer = await joinSession(gateway, person("ann", more, clientId));
        await wantClosed(older.client, 4409);
        return newer;
      };
      const ann = await joinSession(
        gateway,
        person("ann", { external_tools: [look], hooks: [beforeLook] }, clientId),
      );
      const { client: bob } = await joinSession(gateway, person("bob"));
      const turn = sendPrompt(bob);
      const asked = await shownRequest(ann.client, question);
      const hook = await ann.client.next(wantedRequest("HookRequest"));

      const second = await back(ann);
      wantSame("the id of the question", (await shownRequest(second.client, question)).id, asked.id);
      const sameHook = await second.client.next(wantedRequest("HookRequest"));
      wantSame("the hook's request_id", payloadOf(sameHook).request_id, payloadOf(hook).request_id);
      reply(second.client, sameHook.id, { request_id: sameHook.id, action: "allow", reason: "" });
      const first = await second.client.next(call);

      const third = await back(second);
      const again = await third.client.next(call);
      wantSame("the call's request_id", payloadOf(again).request_id, payloadOf(first).request_id);
      reply(third.client, again.id, { tool_call_id: again.id, return_value: seen });
      wantMembers("the result of the tool", await awaitToolResult(bob, "tc-2"), { output: "a tree" });
      await answerById(third.client, asked, { items: choosing(asked, ["Red"]) });
      await wantResult(bob, turn, { status: "finished" });

      const other = { ...look, name: "listen" };
      const last = await back(third, { external_tools: [other] });
      wantMembers("the result", last.response.result, { external_tools: { accepted: ["listen"] } });
      // The first tool has gone with the new list, so another client may bring it.
      const carol = await joinSession(gateway, person("carol", { external_tools: [look, other] }));
      wantMembers("the result", carol.response.result, {
        external_tools: {
          accepted: ["look"],
          rejected: [{ name: "listen", reason: "provided by another client" }],
        },
      });
    },
  },
  {
    id: "X56",
    title:
      "a client with a client_id is lost: its tool stays, and a call waits for its return under one request_id",
    rules: ["P-XAT-8", "P-XTH-1"],
    async run(context) {
      const gateway = await context.start([calls("look", { where: "garden" }), "text: Seen."]);
      const clientId = randomUUID();
      const ann = await joinSession(gateway, person("ann", { external_tools: [look] }, clientId));
      const other = await joinSession(gateway, person("bob"));
      const { client: bob } = other;
      ann.client.drop();
      await untilConnected(other, 1);
      const turn = sendPrompt(bob);
      const either = await bob.next({
        name: opened.name,
        fits: (message) => opened.fits(message) || wantedEvent("ToolResult").fits(message),
      });
      want(opened.fits(either), opened.name, either);
      const back = await joinSession(gateway, person("ann", {}, clientId));
      const first = await back.client.next(call);
      back.client.drop();
      await back.client.ended();
      const again = await joinSession(gateway, person("ann", {}, clientId));
      const second = await again.client.next(call);
      wantSame("the call's request_id", payloadOf(second).request_id, payloadOf(first).request_id);
      reply(again.client, second.id, { tool_call_id: second.id, return_value: seen });
      wantMembers("the result of the tool", await awaitToolResult(bob), { output: "a tree" });
      await wantResult(bob, turn, { status: "finished" });
    },
  },
  {
    id: "X63",
    title: "initialize again does not change the client_id: who comes with the first one takes the place",
    rules: ["P-XNG-3", "P-XAT-1"],
    async run(context) {
      const gateway = await context.start();
      const [first, second] = [randomUUID(), randomUUID()];
      const ann = await joinSession(gateway, person("ann", {}, first));
      await attach(ann.client, person("ann", {}, second));
      const other = await joinSession(gateway, person("bob", {}, second));
      await joinSession(gateway, person("ann", {}, first));
      await wantClosed(ann.client, 4409);
      await other.client.quiet();
    },
  },
  {
    id: "X58",
    title:
      "initialize.session: an unknown id gets -32011, another than the address's -32012, and it may be tried again",
    rules: ["P-XAT-2", "P-SES-1"],
    async run(context) {
      const gateway = await context.start();
      const { session: first } = await joinSession(gateway, person("ann"));
      const { session: other } = await joinSession(gateway, person("bob"), gateway.addressOf(undefined));
      const naming = (id: string) => person("carol", { session: { id } });
      const free = await gateway.connect(gateway.addressOf(undefined));
      await wantError(free, free.request("initialize", naming("no-such-session")), -32011);
      const { session: found } = await attach(free, naming(first.id));
      wantSame("the session that was named", [found.id, found.stream], [first.id, first.stream]);
      const bound = await gateway.connect(gateway.addressOf(other.id));
      await wantError(bound, bound.request("initialize", naming(first.id)), -32012);
      const { session: own } = await attach(bound, naming(other.id));
      wantSame("the session of the address", own.id, other.id);
    },
  },
];
