import { want, wantSame } from "../../../contract/expectations.js";
import {
  answer,
  awaitToolResult,
  fail,
  initialize,
  sendPrompt,
  wantNone,
  wantResult,
  wholeClient,
} from "../../conversation.js";
import { payloadOf, wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine, colour } from "../../scripts.js";
import type { GatewayCheck } from "../gateway-context.js";
import { joinInBase } from "./door.js";

const question = wantedRequest("QuestionRequest");
const deaf = { ...wholeClient, capabilities: {} };

/** G09 and G10: several clients of the base profile before one question. */
export const baseClientChecks: readonly GatewayCheck[] = [
  {
    id: "G09",
    title:
      "an answer counts neither from a client that was not asked nor from one that has failed, and the first of two counts",
    rules: ["P-CAP-2", "P-INT-2", "P-INT-3", "P-INT-4", "P-INT-5"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const [ann, bob] = [await joinInBase(gateway), await joinInBase(gateway)];
      const early = await gateway.connect();
      await initialize(early, deaf);
      const turn = sendPrompt(ann);
      const [hers, his] = [await ann.next(question), await bob.next(question)];
      const late = await gateway.connect();
      await initialize(late, deaf);
      fail(bob, his.id, -32601);
      for (const client of [early, late, bob]) {
        answer(client, hers, { "Which colour?": "Green" });
        await client.quiet();
      }
      for (const client of [early, late]) wantNone(client, question);
      await ann.quiet();
      wantNone(ann, wantedEvent("ToolResult"));
      const dana = await joinInBase(gateway);
      const hersToo = await dana.next(question);
      answer(ann, hers, { "Which colour?": "Red" });
      await ann.quiet();
      answer(dana, hersToo, { "Which colour?": "Blue" });
      for (const client of [ann, bob, early, late, dana]) {
        const { output } = await awaitToolResult(client);
        want(/Red/.test(String(output)) && !/Blue|Green/.test(String(output)), "the answer Red", output);
      }
      await wantResult(ann, turn, { status: "finished" });
      await dana.quiet();
      for (const client of [ann, dana]) {
        await client.quiet();
        wantSame(
          "how many ToolResults there are",
          client.messages.filter(wantedEvent("ToolResult").fits).length,
          1,
        );
      }
    },
  },
  {
    id: "G10",
    title: "a client that comes later is asked all that is open, oldest first",
    rules: ["P-INT-3"],
    async run(context) {
      const texts = ["Which colour?", "Which colour then?", "Which colour now?"];
      const script = texts.map((text, index) =>
        askingLine([{ ...colour, question: text }], `tc-${index + 1}`),
      );
      const gateway = await context.start([script.join("\n"), "text: Thanks."]);
      const ann = await joinInBase(gateway);
      const turn = sendPrompt(ann);
      for (const _ of texts) await ann.next(question);
      const bob = await joinInBase(gateway);
      await bob.quiet();
      const idsOf = ({ messages }: typeof ann) => messages.filter(question.fits).map(({ id }) => id);
      wantSame("the questions in their order", idsOf(bob), idsOf(ann));
      for (const asked of bob.messages.filter(question.fits)) {
        const [item] = payloadOf(asked).questions as { question: string }[];
        answer(bob, asked, { [String(item?.question)]: "Red" });
      }
      await wantResult(ann, turn, { status: "finished" });
    },
  },
];
