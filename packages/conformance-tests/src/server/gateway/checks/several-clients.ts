import { askedEvents, extendedEvents } from "@askwire/protocol";
import { want, wantMembers, wantSame } from "../../../contract/expectations.js";
import {
  answer,
  initialize,
  prompt,
  toolResult,
  wantError,
  wantNone,
  wantResult,
} from "../../conversation.js";
import {
  answerById,
  choosing,
  extendedClient,
  sendAnswer,
  shown,
  wantRefused,
  wantSettled,
} from "../../extended.js";
import { event, payloadOf, request, resultOf, type ServerMessage } from "../../messages.js";
import { asks } from "../../scripts.js";
import type { Wire } from "../../wire.js";
import type { GatewayCheck } from "../gateway-context.js";
import { join, person } from "../joined.js";

const question = request("QuestionRequest");
const unknownRequest = { id: "00000000-0000-4000-8000-000000000000" };

const eventsOf = ({ messages }: Wire): readonly ServerMessage[] =>
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
      const gateway = await context.start([asks(), asks(undefined, "tc-2"), "text: Thanks."]);
      const { client: ann } = await join(gateway, person("ann"));
      const { client: bob } = await join(gateway, person("bob"));
      const base = await gateway.connect();
      await initialize(base);
      const turn = prompt(ann);
      const hers = await shown(ann, question);
      const his = await shown(bob, question);
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

      const second = await shown(ann, question);
      answer(base, await base.next(question), { "Which colour?": "Red" });
      await wantSettled(ann, second.id, { status: "answered", by: "human", client: { name: "conformance" } });
      await wantResult(ann, turn, { status: "finished" });
      await Promise.all([ann, bob, base].map((client) => client.next(event("TurnEnd"))));
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
      const gateway = await context.start([asks(), "text: Thanks."]);
      const { client: ann } = await join(gateway, person("ann"));
      const deaf = { ...extendedClient({}, { supports_question: false }) };
      const { client: bob } = await join(gateway, deaf);
      const { client: eve } = await join(gateway, person("eve"), gateway.addressOf(undefined));
      const turn = prompt(ann);
      const asked = await shown(ann, question);
      const items = choosing(asked, ["Blue"]);
      await wantRefused(bob, sendAnswer(bob, asked, { items }), -32014);
      wantNone(bob, question);
      const opened = await bob.next(event("InteractionOpened", { request_id: asked.id, kind: "question" }));
      wantSame("the number of the question", opened.params?.seq, asked.params?.seq);
      await wantRefused(eve, sendAnswer(eve, asked, { items }), -32012);
      wantNone(eve, question);
      await answerById(ann, asked, { items: choosing(asked, ["Red"]) });
      wantSame("the output", (await toolResult(ann)).output, '{"answers": {"Which colour?": "Red"}}');
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
      const gateway = await context.start([asks(), "text: Thanks."]);
      const { client: ann } = await join(gateway, person("ann"));
      const { client: bob } = await join(gateway, person("bob"));
      const turn = prompt(ann);
      const asked = await shown(ann, question);
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
      const gateway = await context.start([asks(), "text: Thanks."]);
      const { client: ann } = await join(gateway, person("ann"));
      const { client: bob } = await join(gateway, person("bob"));
      const { client: carol } = await join(gateway, person("carol"));
      const turn = prompt(ann);
      const asked = await shown(ann, question);
      const items = choosing(asked, ["Red"]);
      await bob.next(question);
      resultOf(await bob.call("release", { request_id: asked.id, reason: "unsupported" }));
      await shown(carol, question);
      resultOf(await carol.call("release", { request_id: asked.id }));
      for (const client of [bob, carol])
        await wantRefused(client, sendAnswer(client, asked, { items }), -32014);
      await ann.quiet();
      wantNone(ann, event("InteractionSettled"));
      await answerById(ann, asked, { items });
      for (const client of [bob, carol]) {
        await wantSettled(client, asked.id, { status: "answered", client: { name: "ann" } });
        want(client.messages.filter(question.fits).length === 1, "one QuestionRequest", client.messages);
      }
      await wantResult(ann, turn, { status: "finished" });
    },
  },
];
