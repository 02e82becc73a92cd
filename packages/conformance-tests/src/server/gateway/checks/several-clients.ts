import { askedEvents, extendedEvents } from "@askwire/protocol";
import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import {
  answer,
  awaitToolResult,
  initialize,
  sendPrompt,
  wantError,
  wantNone,
  wantResult,
} from "../../conversation.js";
import {
  answerById,
  choosing,
  extendedIntroduction,
  sendAnswer,
  shownRequest,
  wantRefused,
  wantSettled,
} from "../../extended.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine } from "../../scripts.js";
import type { CheckedWire } from "../../wire.js";
import type { GatewayCheck } from "../gateway-context.js";
import { joinSession, person } from "../joined.js";

const question = wantedRequest("QuestionRequest");
const unknownRequest = { id: "00000000-0000-4000-8000-000000000000" };

const eventsOf = ({ messages }: CheckedWire): readonly ServerMessage[] =>
  messages.filter(({ method }) => method === "event");
const typesOf = (messages: readonly ServerMessage[]) => messages.map(({ params }) => String(params?.type));

/** X51, X52, X60 and X62: what several clients on one session are sent, and who may answer. */
export const severalClientsChecks: readonly GatewayCheck[] = [
  {
    id: "X51",
    title:
      "extended and base clients on one session: all are asked, one answers, and each hears of it in its own words",
    rules: ["P-XST-1", "P-XNG-5", "P-XAT-3", "P-XAN-3", "P-INT-3"],
    async run(context) {
      const gateway = await context.start([askingLine(), askingLine(undefined, "tc-2"), "text: Thanks."]);
      const { client: ann } = await joinSession(gateway, person("ann"));
      const { client: bob } = await joinSession(gateway, person("bob"));
      const base = await gateway.connect();
      await initialize(base);
      const turn = sendPrompt(ann);
      const hers = await shownRequest(ann, question);
      const his = await shownRequest(bob, question);
      const plain = await base.next(question);
      wantSame("the id for a base client", plain.id, hers.id);
      const [item] = payloadOf(plain).questions as Record<string, unknown>[];
      const fields = [
        "question",
        "header",
        "options",
        "multi_select",
        "body",
        "other_label",
        "other_description",
      ];
      wantSame("the fields of its question", Object.keys(item ?? {}).toSorted(), fields.toSorted());

      const outcome = await answerById(bob, his, { items: choosing(his, ["Blue"]) });
      wantMembers("the outcome", outcome, { client: { name: "bob" } });
      await wantSettled(ann, hers.id, outcome);
      const late = sendAnswer(ann, hers, { items: choosing(hers, ["Red"]) });
      wantSame("data of the late answer", await wantRefused(ann, late, -32010), { outcome });

      const second = await shownRequest(ann, question);
      answer(base, await base.next(question), { "Which colour?": "Red" });
      await wantSettled(ann, second.id, { status: "answered", by: "human", client: { name: "conformance" } });
      await wantResult(ann, turn, { status: "finished" });
      await Promise.all([ann, bob, base].map((client) => client.next(wantedEvent("TurnEnd"))));
      // Bob came later, so that he begins in the middle.
      wantSame("the events of the other client", eventsOf(bob), eventsOf(ann).slice(-eventsOf(bob).length));
      const known = typesOf(eventsOf(ann)).filter(
        (type) => !Object.hasOwn(extendedEvents, type) && !Object.hasOwn(askedEvents, type),
      );
      wantSame("the events of the base client", typesOf(eventsOf(base)), known);
    },
  },
  {
    id: "X52",
    title:
      "an answer from a client that was not asked gets -32014, from another session -32012, and nothing changes",
    rules: ["P-XAN-3", "P-CAP-2", "P-INT-4", "P-XST-1", "P-XAT-3"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const { client: ann } = await joinSession(gateway, person("ann"));
      const deaf = { ...extendedIntroduction({}, { supports_question: false }) };
      const { client: bob } = await joinSession(gateway, deaf);
      const { client: eve } = await joinSession(gateway, person("eve"), gateway.addressOf(undefined));
      const turn = sendPrompt(ann);
      const asked = await shownRequest(ann, question);
      const items = choosing(asked, ["Blue"]);
      await wantRefused(bob, sendAnswer(bob, asked, { items }), -32014);
      wantNone(bob, question);
      const opened = await bob.next(
        wantedEvent("InteractionOpened", { request_id: asked.id, kind: "question" }),
      );
      wantSame("the number of the question", opened.params?.seq, asked.params?.seq);
      await wantRefused(eve, sendAnswer(eve, asked, { items }), -32012);
      wantNone(eve, question);
      await answerById(ann, asked, { items: choosing(asked, ["Red"]) });
      wantSame("the output", (await awaitToolResult(ann)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(ann, turn, { status: "finished" });
    },
  },
  {
    id: "X60",
    isExact: true,
    title:
      "a client whose answers are refused too often gets -32020; another one's answer counts all the same",
    rules: ["P-XAN-8"],
    isAdvice: true,
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const { client: ann } = await joinSession(gateway, person("ann"));
      const { client: bob } = await joinSession(gateway, person("bob"));
      const turn = sendPrompt(ann);
      const asked = await shownRequest(ann, question);
      const items = choosing(asked, ["Red"]);
      for (const id of Array.from({ length: 256 }, () => sendAnswer(bob, unknownRequest, { items })))
        await wantError(bob, id, -32011);
      await wantRefused(bob, sendAnswer(bob, asked, { items }), -32020);
      want(
        eventsOf(ann).every((told) => told.params?.type !== "InteractionSettled"),
        "an open question",
        eventsOf(ann),
      );
      await answerById(ann, asked, { items });
      await wantResult(ann, turn, { status: "finished" });
    },
  },
  {
    id: "X62",
    title: "clients that cannot show a question, or no more, leave it to the others, and do not get it again",
    rules: ["P-INT-5", "P-XAN-1", "P-XAN-9", "P-XAN-3"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const { client: ann } = await joinSession(gateway, person("ann"));
      const { client: bob } = await joinSession(gateway, person("bob"));
      const { client: carol } = await joinSession(gateway, person("carol"));
      const turn = sendPrompt(ann);
      const asked = await shownRequest(ann, question);
      const items = choosing(asked, ["Red"]);
      await bob.next(question);
      resultOf(await bob.call("release", { request_id: asked.id, reason: "unsupported" }));
      await shownRequest(carol, question);
      resultOf(await carol.call("release", { request_id: asked.id }));
      for (const client of [bob, carol])
        await wantRefused(client, sendAnswer(client, asked, { items }), -32014);
      await ann.quiet();
      wantNone(ann, wantedEvent("InteractionSettled"));
      await answerById(ann, asked, { items });
      for (const client of [bob, carol]) {
        await wantSettled(client, asked.id, { status: "answered", client: { name: "ann" } });
        want(client.messages.filter(question.fits).length === 1, "one QuestionRequest", client.messages);
      }
      await wantResult(ann, turn, { status: "finished" });
    },
  },
];
