import { EXTENDED_REVISION, everyFeature } from "@askwire/protocol";
import { isObject, want, wantSame } from "../../contract/expectations.js";
import { goesOn, questionById, takeRelease } from "../answers-by-id.js";
import { type ClientCheck, check } from "../client-check.js";
import { finish, startTurn, wantGoesOn } from "../conversation.js";
import { askwireOf, finishExtended, startExtended } from "../extended-turn.js";
import { playSession } from "../played-session.js";
import { approvalPayload, welcome } from "../server-messages.js";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const keys = ["previews", "notes", "attachments", "skip", "deadline"];

/** CX01 to CX05: how a client declares the extended profile, and when it keeps to the base one. */
export const clientExtendedProfileChecks: readonly ClientCheck[] = [
  check(
    "CX01",
    "An extended client declares askwire in its first initialize: a revision, a UUID as client_id, true or false under its keys",
    ["P-XCL-1", "P-XNG-1", "P-XNG-2"],
    async (context) => {
      const turn = await startExtended(context);
      const askwire = askwireOf(turn.introduced) ?? {};
      want(
        Number.isInteger(askwire.revision) && Number(askwire.revision) >= EXTENDED_REVISION,
        `a revision from ${EXTENDED_REVISION} on`,
        askwire,
      );
      const { client_id: id } = askwire;
      want(id === undefined || (typeof id === "string" && uuid.test(id)), "a UUID as client_id", askwire);
      for (const key of keys)
        want(["boolean", "undefined"].includes(typeof askwire[key]), `true or false as ${key}`, askwire);
      await finishExtended(turn);
    },
  ),

  check(
    "CX02",
    "Where the result of initialize has no askwire, or one of revision 2, all that an extended client says is of the base profile",
    ["P-XNG-1"],
    async (context) => {
      await startExtended(context).then(finishExtended);
      for (const greeting of [welcome, playSession().greeting({}, { ...everyFeature, revision: 2 })]) {
        const turn = await startTurn(context, {}, greeting);
        const { params } = turn.prompt;
        want(isObject(params) && !("turn_id" in params), "a prompt without turn_id", turn.prompt);
        await wantGoesOn(turn);
        await finish(turn);
        const extended = ["answer", "received", "touch", "release"];
        const said = turn.agent.messages.find(({ method }) => extended.includes(String(method)));
        want(said === undefined, "no method of the extended profile", said);
      }
    },
  ),

  check(
    "CX03",
    "A server of a later revision, with keys that are not known, is taken as one of revision 3",
    ["P-XNG-1", "P-XNG-2"],
    async (context) => {
      const turn = await startExtended(context, {}, { ...everyFeature, revision: 7, x_more: { a: 1 } });
      await goesOn(turn);
      await finishExtended(turn);
    },
  ),

  check(
    "CX04",
    "alive, an event about a request that the client does not have, and events of a replay do no harm",
    ["P-XRP-1", "P-MSG-7"],
    async (context) => {
      const turn = await startExtended(context);
      const { line, session } = turn;
      const outcome = { status: "withdrawn", reason: "agent", by: "system", at: new Date().toISOString() };
      const nobody = { request_id: "nobody" };
      const question = questionById();
      const approval = approvalPayload();
      line.send(
        { method: "alive", params: { seq: session.seq } },
        session.event("InteractionSettled", { ...nobody, kind: "question", outcome }),
        session.event("InteractionUpdated", { ...nobody, deadline: null }),
        session.event("InteractionOpened", { request_id: "nobody else's", kind: "question", x_more: 1 }),
        { method: "event", params: { type: "QuestionRequest", payload: {}, replayed: true } },
        { method: "event", params: { type: "QuestionRequest", payload: question, replayed: true } },
        { method: "event", params: { type: "ApprovalRequest", payload: approval, replayed: true } },
        { method: "event", params: { type: "TurnEnd", payload: {}, replayed: true } },
        { method: "alive", params: { seq: session.seq } },
      );
      await goesOn(turn);
      await finishExtended(turn);
      const old = [question.id, approval.id];
      const said = line.messages.find(
        ({ params }) => isObject(params) && old.includes(String(params.request_id)),
      );
      want(said === undefined, "no word about what comes in a replay", said);
    },
  ),

  check(
    "CX05",
    "A question or approval that does not fit is released as protocol_error, and no answer to it follows",
    ["P-XAN-1", "P-XAN-9"],
    async (context) => {
      const turn = await startExtended(context);
      const { line, session } = turn;
      line.send(
        session.opens("QuestionRequest", { id: "b-1", ...{ questions: "all" } }),
        session.opens("ApprovalRequest", { id: "b-2" }),
      );
      const outcome = { status: "unavailable", reason: "protocol_error", by: "system" };
      for (const [requestId, kind] of [
        ["b-1", "question"],
        ["b-2", "approval"],
      ] as const) {
        const { id, params } = await takeRelease(line, requestId);
        const { reason = "protocol_error" } = params as { reason?: unknown };
        wantSame("the reason", reason, "protocol_error");
        const at = new Date().toISOString();
        line.send(session.settles(requestId, kind, { ...outcome, at }), { id, result: {} });
      }
      const said = await goesOn(turn);
      await finishExtended(turn);
      const answered = line.messages.filter(({ method }) => method === "answer").map(({ id }) => id);
      wantSame("the ids of the requests answer", answered, [said.id]);
    },
  ),
];
