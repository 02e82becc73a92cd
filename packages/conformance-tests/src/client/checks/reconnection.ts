import { everyFeature } from "@askwire/protocol";
import { CheckSkipped } from "../../contract/check.js";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import { accept, goesOn, questionById, show, takeAnswer } from "../answers-by-id.js";
import { advice, type ClientCheck, check } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import { takeInitialize } from "../conversation.js";
import {
  askwireOf,
  attachAgain,
  beginExtendedTurn,
  type ConnectedTurn,
  comeBack,
  finishExtended,
  greetAgain,
  placeIn,
  promptedAgain,
  startConnected,
  untilRead,
  wantEndAlone,
} from "../extended-turn.js";
import { playSession } from "../played-session.js";
import { textMessage } from "../server-messages.js";

/** The longest first wait, in milliseconds. Each further wait is at most twice as long. */
const FIRST_WAIT_MS = 500;
/** The delay on a quiet machine beyond the wait, since a client has to start a connection then. */
const SLACK_MS = 3_000;
/** Clocks differ by so much. */
const JITTER_MS = 20;

/** Wants a wait between the half of this one and the whole, as long as this machine needs for it. */
function wantWait({ pace }: ClientContext, waited: number, longest: number): void {
  const expected = `a wait from ${longest / 2} to ${longest} ms before it connects again`;
  want(
    waited >= longest / 2 - JITTER_MS && waited <= longest + SLACK_MS * pace,
    expected,
    `${waited.toFixed(0)} ms`,
  );
}

const SILENCE_MS = 40_000;
/** The delay allowed to a client that notices the silence. */
const SILENCE_SLACK_MS = 15_000;
const ALIVE_MS = 15_000;

/** Wants a client to go on where it was, as the same one. */
function wantSamePlace(again: ConnectedTurn, first: ConnectedTurn, afterSeq: number): void {
  const { id, stream } = first.session;
  wantMembers("session", placeIn(again.introduced), { id, stream, after_seq: afterSeq });
  const clientId = askwireOf(first.introduced)?.client_id;
  want(typeof clientId === "string", "a client_id by which the server knows it again", first.introduced);
  wantSame("client_id", askwireOf(again.introduced)?.client_id, clientId);
}

async function staysAway(context: ClientContext, code: number): Promise<void> {
  const turn = await startConnected(context);
  await goesOn(turn);
  turn.line.close(code);
  await wantEndAlone(turn.client);
}

/** Asks for a sign of life, and gives the numbers of a reply to it by which nothing is lost. */
async function signOfLife({ line, session }: ConnectedTurn, had: number) {
  line.send({ method: "alive", params: { seq: session.seq } });
  const sign = await line.take("a notification alive", ({ method }) => method === "alive");
  want(!("id" in sign), "no id in the notification alive", sign);
  const { received: sent } = isObject(sign.params) ? sign.params : {};
  wantSame("received of its sign of life", sent, had);
  return { sent: had, received: line.messages.indexOf(sign) };
}

/** CX19 to CX23, CX32, CX36 and CX43: when a client opens a connection again, and what it says then. */
export const reconnectionChecks: readonly ClientCheck[] = [
  check(
    "CX19",
    "A lost connection is opened again, each time after a longer wait, with the same client_id, session, stream and the number of the last event",
    ["P-XCL-2"],
    async (context) => {
      const turn = await startConnected(context);
      await goesOn(turn);
      await untilRead(turn.line);
      let from = performance.now();
      turn.line.drop();
      let longest = FIRST_WAIT_MS;
      for (let failures = 0; failures < 2; failures += 1) {
        const knock = await turn.client.knocked();
        wantWait(context, knock.at - from, longest);
        from = performance.now();
        knock.refuse(503);
        longest *= 2;
      }
      const knock = await turn.client.knocked();
      wantWait(context, knock.at - from, longest);
      const again = await greetAgain({ ...turn, line: knock.accept() });
      wantSamePlace(again, turn, turn.session.seq);
      const prompted = await promptedAgain(again);
      await goesOn(prompted);
      await finishExtended(prompted);
    },
    3 * 2 * FIRST_WAIT_MS,
  ),

  check(
    "CX20",
    "A connection that is closed with 4401, 4404, 4409 or 1000 is not opened again, and the command ends",
    ["P-XCL-2"],
    async (context) => {
      await Promise.all([4401, 4404, 4409, 1000].map((code) => staysAway(context, code)));
    },
  ),

  check(
    "CX21",
    "When its turn is over the client closes its connection with 1000, and opens no other",
    ["P-XCL-2"],
    async (context) => {
      const turn = await startConnected(context);
      await finishExtended(turn);
      wantSame("the close code", await turn.client.waits.on(turn.line.closed, "the client's close"), 1000);
      wantSame("the number of further connections", turn.client.door.waiting, 0);
    },
  ),

  check(
    "CX22",
    "At a hole in the numbers of events the client reconnects, and names the last event before the hole; it closes the old connection with 4409",
    ["P-XCL-4", "P-XCL-2"],
    async (context) => {
      const turn = await startConnected(context);
      await goesOn(turn);
      await untilRead(turn.line);
      const { session } = turn;
      const before = session.seq;
      session.event("ContentPart", textMessage("one ").params.payload);
      turn.line.send(session.event("ContentPart", textMessage("two ").params.payload));
      const again = await attachAgain(turn);
      wantSamePlace(again, turn, before);
      wantSame("the close code", await turn.client.waits.on(turn.line.closed, "the client's close"), 4409);
      const prompted = await promptedAgain(again);
      await goesOn(prompted);
      await finishExtended(prompted);
    },
  ),

  check(
    "CX36",
    "For one hole the client reconnects five times, and then goes on",
    ["P-XCL-4"],
    async (context) => {
      const turn = await startConnected(context);
      await goesOn(turn);
      await untilRead(turn.line);
      const { session, client } = turn;
      const before = session.seq;
      session.event("ContentPart", textMessage("one ").params.payload);
      const after = session.event("ContentPart", textMessage("two ").params.payload);
      turn.line.send(after);
      let again = turn;
      for (let tries = 0; tries < 5; tries += 1) {
        const line = (await client.knocked()).accept();
        const introduced = await takeInitialize(line);
        wantMembers("session", placeIn(introduced), { after_seq: before });
        line.send({ id: introduced.id, result: session.greeting() }, after);
        again = { ...turn, line, introduced };
      }
      const prompted = await promptedAgain(again);
      await goesOn(prompted);
      await finishExtended(prompted);
      wantSame("the number of further connections", client.door.waiting, 0);
    },
    31 * FIRST_WAIT_MS,
  ),

  check(
    "CX32",
    "A question that was lost on its way is a hole too: the client reconnects, and answers it when it has come",
    ["P-XCL-4", "P-XAT-3"],
    async (context) => {
      const turn = await startConnected(context);
      const { session } = turn;
      const payload = questionById();
      session.opens("QuestionRequest", payload);
      const before = session.seq - 1;
      turn.line.send(session.event("ContentPart", textMessage("two ").params.payload));
      const again = await attachAgain(turn);
      wantSamePlace(again, turn, before);
      const prompted = await promptedAgain(again);
      accept(prompted, await takeAnswer(prompted.line, payload.id));
      await goesOn(prompted);
      await finishExtended(prompted);
    },
  ),

  advice(
    check(
      "CX43",
      "A client that declares alive replies to a question for a sign of life, and sends again under its id what the server has not had",
      ["P-XAT-11", "P-XCL-10"],
      async (context) => {
        const client = await context.startRemote();
        const line = (await client.knocked()).accept();
        const both = { ...everyFeature, alive: true };
        const turn = {
          ...(await beginExtendedTurn(client, line, playSession(client.door.sessionId), both)),
          client,
        };
        if (askwireOf(turn.introduced)?.alive !== true)
          throw new CheckSkipped("it does not declare alive, so it compares no numbers");
        const { session } = turn;
        const payload = questionById();
        show(turn, "QuestionRequest", payload);
        const first = await takeAnswer(line, payload.id);
        // Its introduction, the beginning of the turn, the question, and the question for a sign of life.
        const fewest = 5;
        const whole = await signOfLife(turn, fewest);
        line.send({ method: "alive", params: { seq: session.seq, ...whole } });
        await untilRead(line);
        wantSame("the number of further connections", client.door.waiting, 0);
        const { sent, received } = await signOfLife(turn, whole.sent + 3);
        line.send({ method: "alive", params: { seq: session.seq, sent, received: received - 1 } });
        const again = await comeBack(turn);
        const second = await takeAnswer(again.line, payload.id);
        wantSame("the answer that is sent again", second.params, first.params);
        accept(again, second);
        await finishExtended(again);
      },
    ),
  ),

  check(
    "CX23",
    "A client that hears nothing for 40 s reconnects; one that hears alive every 15 s does not",
    ["P-XCL-5"],
    async (context) => {
      const [silent, spoken] = await Promise.all([startConnected(context), startConnected(context)]);
      const { session, line } = spoken;
      const timer = setInterval(() => line.send({ method: "alive", params: { seq: session.seq } }), ALIVE_MS);
      try {
        const [from] = await Promise.all([goesOn(silent).then(() => performance.now()), goesOn(spoken)]);
        const { at } = await silent.client.knocked();
        const waited = at - from;
        const longest = SILENCE_MS + SILENCE_SLACK_MS;
        const expected = `a new connection after ${SILENCE_MS / 1_000} to ${longest / 1_000} s of silence`;
        want(
          waited > SILENCE_MS - JITTER_MS && waited < longest,
          expected,
          `one after ${waited.toFixed(0)} ms`,
        );
        await goesOn(spoken);
        wantSame(
          "connections of the client that hears alive, beside its first",
          spoken.client.door.waiting,
          0,
        );
        await finishExtended(spoken);
      } finally {
        clearInterval(timer);
      }
    },
    SILENCE_MS + SILENCE_SLACK_MS,
  ),
];
