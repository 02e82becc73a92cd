import { wantSame } from "../../../contract/expectations.js";
import { sendPrompt, wantResult } from "../../conversation.js";
import { type ServerMessage, wantedEvent } from "../../messages.js";
import type { CheckedWire } from "../../wire.js";
import type { GatewayCheck } from "../gateway-context.js";
import { joinInBase } from "./door.js";

/** A long answer of the model, in small pieces: more than a server and the way to a client hold. */
const LONG = { pieces: 1_200, text: "long ".repeat(4_000) };

/** The silence of a stream that waits for a slow client, in milliseconds: less than the wait of ten seconds. */
const PAUSE_MS = 8_000;

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
      const turn = sendPrompt(bob);
      await pauseOrEnd(bob);
      // The server that has closed her connection waits only for seconds until she reads that.
      ann.resume();
      await wantResult(bob, turn, { status: "finished" });
      const closing = await ann.next(wantedEvent("TurnEnd")).then(
        () => undefined,
        () => ann.ended(),
      );
      wantSame("the close code of the client that did not read", closing?.code, 4408);
    },
  },
];

/** Resolves when the stream goes on after its wait for another client, or has ended without a wait. */
async function pauseOrEnd(client: CheckedWire): Promise<void> {
  const [part, end] = [wantedEvent("ContentPart"), wantedEvent("TurnEnd")];
  const either = {
    name: "ContentPart or TurnEnd",
    fits: (told: ServerMessage) => part.fits(told) || end.fits(told),
  };
  await client.next(part);
  for (;;) {
    const from = performance.now();
    const told = await client.next(either);
    if (end.fits(told) || performance.now() - from > PAUSE_MS) return;
  }
}
