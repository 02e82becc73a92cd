import type { ClientHandlers } from "@askwire/client";
import { createServer, QuestionRequest, wireSend } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { everyFault, type Fault, faultPlan, nameOf } from "./fault.js";
import { webSocket } from "./transport.js";

/** A joiner's view of a session: what came before, and what it saw happen. */
interface View {
  events: string[];
  whole: boolean | undefined;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A turn that waits with a question until a client that joins over a road with faults answers it. */
async function joinLate(faults: readonly Fault[] = []) {
  const plan = faultPlan(faults);
  const server = createServer({
    log: quiet,
    attendance: "hold",
    agent: {
      async run(turn) {
        for (let n = 0; n < 5; n += 1) turn.say(`${n} `);
        const questions = [{ question: "Red?", options: [{ label: "Yes" }] }];
        const request = new QuestionRequest({ tool_call_id: "tc", questions });
        wireSend(request);
        await request.wait();
        turn.say("Thanks.");
      },
    },
  });
  const session = server.createSession();
  // The log of an unkept session begins with its first client.
  const first = await webSocket(server, { session, plan: faultPlan(), graceMs: 60_000 });
  const early: View = { events: [], whole: undefined };
  const there = await first.connect({ handlers: { event: ({ type }) => void early.events.push(type) } });
  const turn = session.prompt("go");
  const road = await webSocket(server, { session, plan, graceMs: 60_000 });
  const view: View = { events: [], whole: undefined };
  let asked = 0;
  const handlers: ClientHandlers = {
    question() {
      asked += 1;
      return { answers: { "Red?": "Yes" } };
    },
    event: ({ type }) => void view.events.push(type),
    history: {
      event: ({ type }) => void view.events.push(type),
      end(whole) {
        view.whole = whole;
      },
    },
  };
  const joiner = await road.connect({
    handlers,
    onConnection(change) {
      if (change.state === "connected" && change.reset) view.events.length = 0;
    },
  });
  await turn;
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise(setImmediate);
  };
  await until(() => view.events.includes("TurnEnd") && view.whole !== undefined);
  const result = { view: { ...view }, early, asked, struck: plan.struck, counts: { ...plan.counts } };
  await Promise.all([joiner.close(), there.close()]);
  await Promise.all([road.close(), first.close(), server.close()]);
  return result;
}

/** Of a settled or repeated request there may be a short form, and the whole one comes apart from events. */
const conversationOf = ({ events }: View) => events.filter((type) => !/Request|InteractionOpened/.test(type));

const plain = await joinLate();

test("a client that joins over a WebSocket has the whole conversation (P-XHI-1)", () => {
  expect(plain.view.whole).toBe(true);
  expect(plain.asked).toBe(1);
  expect(conversationOf(plain.view)).toEqual(conversationOf(plain.early));
});

describe("a client that is cut off while it joins", () => {
  const kinds = ["cut before", "cut within", "cut after"] as const;
  // The first message to the client is the greeting: without it there is nothing to go on with.
  const faults = everyFault(kinds, { server: 0, client: plain.counts.client }).filter(({ n }) => n > 1);
  test.each(faults.map((fault) => [nameOf(fault), fault] as const))(
    "a client that is cut off while it joins has the whole conversation nevertheless: %s (P-XHI-3, P-XHI-4, P-XCL-2)",
    async (_name, fault) => {
      const { view, early, struck } = await joinLate([fault]);
      expect(struck).toEqual([fault.kind]);
      expect(view.whole).toBe(true);
      expect(conversationOf(view)).toEqual(conversationOf(early));
    },
  );
});
