import { EXTENDED_REVISION } from "@askwire/protocol";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  initialize,
  openQuestion,
  sendPrompt,
  turn,
  wantError,
  wantResult,
  wholeClient,
} from "../conversation.js";
import {
  answerById,
  attach,
  choosing,
  extendedIntroduction,
  introduceExtended,
  openQuestionById,
  shows,
} from "../extended.js";
import { uuidPattern } from "../invariants.js";
import { endWell, inSession, SESSION, untilRecorded } from "../journal.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine } from "../scripts.js";
import { isExtended } from "../wire.js";

const anAnswer = { request_id: "none", answer_id: "a-1", outcome: { status: "answered" } };

/** X01 to X08: the negotiation of the extended profile, and the parts that it leaves unchanged. */
export const serverExtendedProfileChecks: readonly ServerCheck[] = [
  {
    id: "X01",
    title:
      "askwire of a later revision with unknown keys: the result has askwire of revision 3 and what is used",
    rules: ["P-XNG-1", "P-XNG-2", "P-XAT-4"],
    async run(context) {
      const params = extendedIntroduction({ revision: 7, notes: true, x_more: { a: 1 } });
      const { uses, session } = await attach(await context.start(), params);
      wantSame("the revision", uses.revision, EXTENDED_REVISION);
      for (const key of ["previews", "notes", "attachments", "skip", "deadline"])
        want(["boolean", "undefined"].includes(typeof uses[key]), `true or false as ${key}`, uses);
      wantMembers("session", session, { state: "idle", plan_mode: false, pending: [], reset: false });
      want(uuidPattern.test(session.stream), "a UUID as stream", session);
    },
  },
  {
    id: "X02",
    title:
      "without askwire, with null or with revision 2, a client is sent nothing of the profile, and its methods get -32601",
    rules: ["P-XNG-1", "P-XNG-4", "P-XNG-5"],
    async run(context) {
      const scripts = [askingLine(), "text: Thanks."];
      for (const more of [{}, { askwire: null }, { askwire: { revision: 2, ...shows } }]) {
        const capabilities = { ...wholeClient.capabilities, ...more };
        const params = { ...wholeClient, capabilities };
        const { server, question, turn: running } = await openQuestion(context, { scripts }, params);
        await wantError(server, server.request("answer", { ...anAnswer, request_id: question.id }), -32601);
        for (const method of ["touch", "release"])
          await wantError(server, server.request(method, { request_id: question.id }), -32601);
        answer(server, question, { "Which colour?": "Red" });
        await wantResult(server, running, { status: "finished" });
        const { result } = await initialize(server, params);
        want(!("session" in (result as object)), "no session in the result of a base client", result);
        const { capabilities: said } = result as { capabilities?: object };
        want(!("askwire" in (said ?? {})), "no askwire in the result of a base client", result);
      }
    },
  },
  {
    id: "X03",
    title:
      "the first request decides the profile for good: a later initialize neither adds it nor takes it away",
    rules: ["P-XNG-3"],
    async run(context) {
      const first = await introduceExtended(context, {
        scripts: ["text: Hello.", askingLine(), "text: Thanks."],
      });
      await initialize(first, wholeClient);
      await turn(first);
      // Every message is held against the profile: these carry numbers.
      const running = sendPrompt(first);
      const question = await first.next(wantedRequest("QuestionRequest"));
      await answerById(first, question, { items: choosing(question, ["Red"]) });
      await wantResult(first, running, { status: "finished" });

      const late = await context.start({ scripts: ["text: Hello.", askingLine(), "text: Thanks."] });
      await turn(late);
      const { result } = await initialize(late, extendedIntroduction());
      want(!isExtended(result), "no askwire for a connection that began with prompt", result);
      const next = sendPrompt(late);
      const asked = await late.next(wantedRequest("QuestionRequest"));
      await wantError(late, late.request("answer", { ...anAnswer, request_id: asked.id }), -32601);
      answer(late, asked, { "Which colour?": "Red" });
      await wantResult(late, next, { status: "finished" });
    },
  },
  {
    id: "X04",
    title:
      "before initialize answer gets -32601; an extended client on standard streams has no list of sessions",
    rules: ["P-XNG-4"],
    async run(context) {
      const server = await context.start();
      await wantError(server, server.request("answer", anAnswer), -32601);
      const extended = await introduceExtended(context);
      await wantError(extended, extended.request("answer", anAnswer), -32011);
      for (const method of ["list_sessions", "create_session", "close_session"])
        await wantError(extended, extended.request(method, { session_id: "none" }), -32601);
    },
  },
  {
    id: "X05",
    title: "an extended client that declares an old version is told every event all the same",
    rules: ["P-XNG-5"],
    async run(context) {
      const old = { ...extendedIntroduction(), protocol_version: "1.4" };
      const { server, question, turn: running } = await openQuestionById(context, undefined, old);
      await server.call("steer", { user_input: "rather green" });
      await answerById(server, question, { items: choosing(question, ["Red"]) });
      await server.next(wantedEvent("SteerInput"));
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "X06",
    title:
      "the result says where the session stands: its id, the number of the last event, a stream of this process",
    rules: ["P-XAT-3", "P-XAT-4"],
    async run(context) {
      const server = await context.start({ flags: inSession, scripts: ["text: Hello."] });
      const { session: before } = await attach(server);
      wantSame("session.id", before.id, SESSION);
      await turn(server);
      await server.call("set_plan_mode", { enabled: true });
      const { session: after } = await attach(server);
      const last = server.messages.filter(({ method }) => method === "event").at(-1);
      wantMembers("session", after, { id: SESSION, stream: before.stream, state: "idle", plan_mode: true });
      wantSame("session.seq", after.seq, last?.params?.seq);
      await endWell(server);
      const { session: again } = await attach(await context.start({ flags: inSession }));
      wantSame("session.id in another process", again.id, SESSION);
      want(again.stream !== before.stream, "another stream in another process", again);
    },
  },
  {
    id: "X07",
    title: "initialize that names a session which is not there gets -32011, and may be tried again",
    rules: ["P-XAT-2"],
    async run(context) {
      await introduceExtended(context);
      const server = await context.start({ scripts: ["text: Hello."] });
      const wrong = { ...extendedIntroduction(), session: { id: "no-such-session" } };
      await wantError(server, server.request("initialize", wrong), -32011);
      await attach(server);
      await turn(server);
    },
  },
  {
    id: "X08",
    title:
      "a server is killed while a question is open: in the next process reset is true, and it is settled or pending",
    rules: ["P-XAT-6", "P-XAT-4", "P-JRN-6", "P-XRP-1", "P-RES-3"],
    async run(context) {
      const first = await context.start({ scripts: [askingLine()], flags: inSession });
      const { session } = await attach(first);
      sendPrompt(first);
      const question = await first.next(wantedRequest("QuestionRequest"));
      await untilRecorded(context, String(question.id));
      await first.kill();

      const { id, stream, seq } = session;
      const back = { ...extendedIntroduction(), session: { id, stream, after_seq: seq } };
      const again = await context.start({ scripts: ["text: Again."], flags: inSession });
      const found = (await attach(again, back)).session;
      if (found.state === "waiting") {
        wantMembers("session", found, { pending: [question.id], reset: true });
        await again.next(wantedEvent("QuestionRequest", { id: question.id }));
        return;
      }
      wantMembers("session", found, { state: "idle", pending: [], reset: true });
      resultOf(await again.call("replay"));
      const told = again.messages.find(wantedEvent("InteractionSettled", { request_id: question.id }).fits);
      want(isObject(told), "how the question was settled, in the replay", again.messages.length);
      const outcome = { status: "withdrawn", reason: "shutdown", by: "system" };
      wantMembers("InteractionSettled", payloadOf(told), { outcome });
      await turn(again);
    },
  },
];
