import { wantSame } from "../../../expectations.js";
import { prompt, wantResult } from "../../conversation.js";
import { event } from "../../messages.js";
import type { GatewayCheck } from "../gateway-context.js";
import { joinInBase } from "./door.js";

/** A long answer of the model, in small pieces: more than a server and the way to a client hold. */
const LONG = { pieces: 1_200, text: "long ".repeat(4_000) };

/** G12: a client that does not read, beside one that does. */
export const slowClientChecks: readonly GatewayCheck[] = [
  {
    id: "G12",
    title:
      "a model's stream waits ten seconds at most for a client that does not read, which is then closed with 4408",
    rules: ["P-LIM-5"],
    isAdvice: true,
    waitsMs: 10_000,
    async run(context) {
      const script = Array.from({ length: LONG.pieces }, () => `text: ${LONG.text}`).join("\n");
      const gateway = await context.start([script]);
      const [ann, bob] = [await joinInBase(gateway), await joinInBase(gateway)];
      ann.stall();
      await wantResult(bob, prompt(bob), { status: "finished" });
      ann.resume();
      const closing = await ann.next(event("TurnEnd")).then(
        () => undefined,
        () => ann.ended(),
      );
      wantSame("the close code of the client that did not read", closing?.code, 4408);
    },
  },
];
