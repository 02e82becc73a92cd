import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import { sendPrompt, wantError } from "../../conversation.js";
import { shownRequest, wantSettled } from "../../extended.js";
import { resultOf, type ServerMessage, wantedRequest } from "../../messages.js";
import { askingLine } from "../../scripts.js";
import type { GatewayCheck } from "../gateway-context.js";
import { joinSession, person, sessionsOf, wantClosed } from "../joined.js";

const isChange = ({ method }: ServerMessage) => method === "sessions_changed";

/** X57: the sessions of a server, by method. */
export const sessionChecks: readonly GatewayCheck[] = [
  {
    id: "X57",
    title:
      "sessions are listed with what waits in them, watched, made and closed by method; closing one settles what is open in it before it ends",
    rules: ["P-XSE-1", "P-XSE-2", "P-XSE-3", "P-XSE-4", "P-XSE-5", "P-XNG-4", "P-CLO-2"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const { client: ann, session: own } = await joinSession(gateway, person("ann"));
      const made = resultOf(await ann.call("create_session", {})) as { session: { id: string } };
      const { id } = made.session;
      wantMembers("the new session", made.session, { state: "idle", connections: 0 });
      wantMembers("the session of the client", (await sessionsOf(ann)).get(own.id), {
        id: own.id,
        state: "idle",
        connections: 1,
      });

      const { client: bob, session: joined } = await joinSession(
        gateway,
        person("bob"),
        gateway.addressOf(id),
      );
      wantSame("the session at the address of the new one", joined.id, id);
      sendPrompt(bob);
      const question = await shownRequest(bob, wantedRequest("QuestionRequest"));
      const waiting = (await sessionsOf(ann, "watch_sessions")).get(id);
      wantMembers("the new session", waiting, { state: "waiting", connections: 1, open: 1 });
      wantMembers("the oldest request of the new session", waiting?.oldest, {
        request_id: question.id,
        kind: "question",
      });
      wantSame(
        "the result of close_session",
        resultOf(await ann.call("close_session", { session_id: id })),
        {},
      );
      await wantSettled(bob, question.id, { status: "withdrawn", reason: "session_closed" });
      await bob.ended();
      await ann.next({
        name: "the notification sessions_changed with the closed session",
        fits: ({ method, params }) =>
          method === "sessions_changed" && (params as { closed?: unknown[] }).closed?.includes(id) === true,
      });
      resultOf(await ann.call("unwatch_sessions", {}));
      want(!(await sessionsOf(ann)).has(id), "the session no longer in the list", id);
      await wantError(ann, ann.request("close_session", { session_id: id }), -32011);

      // Eve, who watches, is told of a new session; Ann, who no longer does, would have been told by then.
      const { client: eve } = await joinSession(gateway, person("eve"));
      await sessionsOf(eve, "watch_sessions");
      const before = ann.messages.filter(isChange).length;
      resultOf(await ann.call("create_session", {}));
      await eve.next({ name: "the notification sessions_changed", fits: isChange });
      await ann.quiet();
      wantSame("what comes after unwatch_sessions", ann.messages.filter(isChange).slice(before), []);
      await wantClosed(await gateway.connect(gateway.addressOf(id)), 4404);
    },
  },
];
