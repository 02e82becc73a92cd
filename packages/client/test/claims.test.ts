import { expect, test } from "vitest";
import { connect } from "../src/index.js";
import { claimIn } from "../src/words/index.js";
import { extendedLine, extendedServer, greeting } from "./extended-server.js";

const ann = { name: "askwire-inbox", connection: "c-1", principal: { id: "ann", name: "Ann", via: "token" } };
const until = "2026-11-28T10:02:00.000Z";

test("a person takes a request of any session, is told who has it, and gives it back", async () => {
  const { session, line } = await extendedServer();
  const request = { request_id: "r-1", session_id: "s-2" };
  const claimed = session.claim({ ...request, ms: 60_000 });
  const claim = await line.next();
  expect([claim.method, claim.params]).toEqual(["claim", { ...request, ms: 60_000 }]);
  line.reply(claim.id, { by: ann, until, remaining_ms: 60_000, own: true });
  expect(await claimed).toMatchObject({ by: ann, own: true });
  const back = session.unclaim(request);
  const unclaim = await line.next();
  expect([unclaim.method, unclaim.params]).toEqual(["unclaim", request]);
  line.reply(unclaim.id, {});
  expect(await back).toEqual({});
});

test("the one of several who has taken a request is found, and whether that is the reader", () => {
  const ben = { name: "page", connection: "c-2" };
  expect(claimIn([ben, ann])).toBeUndefined();
  expect(claimIn([ben, { ...ann, claim: { until } }])).toMatchObject({ by: ann, isOwn: false });
  expect(claimIn([{ ...ann, claim: { until, own: true } }, ben])).toMatchObject({ by: ann, isOwn: true });
});

test.each([undefined, [], [{ ...ann, claim: null }], [{ ...ann, claim: "soon" }]])(
  "what a newer server tells as a claim, %j, is read as one or as none",
  (answering) => {
    expect(claimIn(answering)).toBeUndefined();
  },
);

test("an update of an open request is told after the request, however soon both come after the introduction", async () => {
  const line = extendedLine({ seq: 0 });
  const told: string[] = [];
  const connecting = connect(line.channel, {
    handlers: {
      question({ id }) {
        told.push(`asked ${id}`);
        return new Promise(() => {});
      },
      event: ({ type }) => void told.push(type),
    },
  });
  const hello = await line.next();
  line.reply(hello.id, greeting({ pending: ["r-1"] }));
  const questions = [{ id: "q1", question: "Which colour?", options: [] }];
  line.askAgain("QuestionRequest", { id: "r-1", tool_call_id: "tc-1", questions });
  const taken = { request_id: "r-1", deadline: null, answering: [{ ...ann, claim: { until } }] };
  line.send({ method: "event", params: { type: "InteractionUpdated", payload: taken } });
  const session = await connecting;
  expect(told).toEqual(["asked r-1", "InteractionUpdated"]);
  await session.close();
});
