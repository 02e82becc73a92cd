import { connectWebSocket } from "@askwire/client/websocket";
import { cardAbilities, type OpenRequest, openRequests } from "@askwire/react/stores";
import { createServer, QuestionRequest, wireSend } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";
import { wayTo } from "../../cli/test/panel/served.js";

/** Races and cuts: a sample, or as many as `ASKWIRE_RACES` says, with the seed `ASKWIRE_SEED`. */
const COUNT = Number(process.env.ASKWIRE_RACES ?? "20");
const SEED = Number(process.env.ASKWIRE_SEED ?? "1");

/** Random numbers from 0 up to but not including 1, the same for a seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Time that passes a hundred times as quickly: a word is missed after 50 ms. */
const quick = {
  after(ms: number, action: () => void) {
    const timer = setTimeout(action, ms / 100);
    return () => clearTimeout(timer);
  },
  random: () => 0,
};

/** A server whose agent asks one question after the other, and the answers that counted. */
async function asking() {
  const answers: unknown[] = [];
  const server = createServer({
    agent: {
      async run(turn) {
        for (let count = 0; ; count += 1) {
          const request = new QuestionRequest({
            tool_call_id: turn.id,
            questions: [{ question: `Number ${count}?` }],
          });
          wireSend(request);
          answers.push(Object.values(await request.wait())[0]);
        }
      },
    },
  });
  const gateway = await listenWebSocket(server);
  const session = server.createSession();
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  return { answers, address: gateway.address(session) };
}

/** A person at a client, whose list is what they see. */
async function person(name: string, address: string) {
  const requests = openRequests();
  const session = await connectWebSocket(address, {
    ...{ client: { name }, shows: cardAbilities, handlers: requests.handlers, timing: quick },
  });
  onTestFinished(() => session.close());
  const shown = () => requests.current();
  const open = () =>
    shown().find(({ delivery, settled }) => delivery.is === "draft" && settled === undefined);
  return { session, requests, shown, open };
}

function answer(one: OpenRequest | undefined, own_text: string): void {
  if (one?.kind !== "question") throw new Error("no question is shown");
  one.onReply({ items: [{ question_id: one.request.questions[0]?.id ?? "", selected: [], own_text }] });
}

/** Resolves once the store is as wanted. */
function until(
  { current, subscribe }: ReturnType<typeof openRequests>,
  is: (list: readonly OpenRequest[]) => boolean,
) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (!is(current())) return;
      end();
      resolve();
    };
    const end = subscribe(look);
    look();
  });
}

test(`one of two simultaneous answers counts, and the other person is told who was first and keeps their words: ${COUNT} times`, async () => {
  const { answers, address } = await asking();
  const people = [await person("left", address), await person("right", address)];
  people[0]?.session.prompt("go").result.catch(() => {});
  const random = chance(SEED);
  const lost = { left: 0, right: 0 };
  for (let count = 0; count < COUNT; count += 1) {
    for (const { requests } of people)
      await until(requests, (list) => list.some(({ delivery }) => delivery.is === "draft"));
    const order = random() < 0.5 ? [0, 1] : [1, 0];
    for (const at of order) answer(people[at]?.open(), `${at === 0 ? "left" : "right"} ${count}`);
    await Promise.all(
      people.map(({ requests }) =>
        until(requests, (list) => list.every(({ delivery: { is } }) => is === "draft" || is === "late")),
      ),
    );
    const [winner] = String(answers[count]).split(" ");
    const loser = winner === "left" ? 1 : 0;
    const told = people.map(({ shown }) => shown().filter(({ settled }) => settled !== undefined));
    expect(told[1 - loser]).toEqual([]);
    expect(told[loser]).toMatchObject([
      {
        delivery: { is: "late", outcome: { client: { name: winner } } },
        settled: { outcome: { client: { name: winner } } },
        reply: { items: [{ own_text: `${loser === 0 ? "left" : "right"} ${count}` }] },
      },
    ]);
    told[loser]?.[0]?.onDismiss();
    lost[loser === 0 ? "left" : "right"] += 1;
  }
  expect([answers.length, lost.left + lost.right]).toEqual([COUNT, COUNT]);
}, 600_000);

test(`an answer is taken or shown as not delivered, however its connection is cut: ${COUNT} times`, async () => {
  const { answers, address } = await asking();
  const way = await wayTo(address);
  const { session, requests, open, shown } = await person("one", way.address);
  session.prompt("go").result.catch(() => {});
  const random = chance(SEED);
  const figures = { undelivered: 0, taken: 0 };
  let isUndelivered = false;
  requests.subscribe(() => {
    isUndelivered ||= shown().some(({ delivery }) => delivery.is === "undelivered");
  });
  for (let count = 0; count < COUNT; count += 1) {
    await until(requests, (list) => list.some(({ delivery }) => delivery.is === "draft"));
    const one = open();
    isUndelivered = false;
    const how = (["cut", "hold server", "hold client", "hold both"] as const)[Math.floor(random() * 4)];
    const strike = () => {
      if (how === "cut") way.cut();
      else if (how === "hold both") way.hold("server", "client");
      else way.hold(how === "hold server" ? "server" : "client");
    };
    const moment = Math.floor(random() * 4);
    if (moment === 0) strike();
    answer(one, `answer ${count}`);
    if (moment === 1) strike();
    if (moment === 2) setImmediate(strike);
    const struck =
      moment < 3
        ? undefined
        : new Promise<void>((resolve) => setTimeout(() => resolve(strike()), random() * 8));
    await until(requests, (list) => !list.some(({ id }) => id === one?.id) || isUndelivered);
    if (isUndelivered) {
      figures.undelivered += 1;
    } else {
      figures.taken += 1;
      expect(answers[count]).toBe(`answer ${count}`);
    }
    await struck;
    await new Promise(setImmediate);
    way.mend();
    session.reconnect();
    await until(requests, (list) => !list.some(({ id }) => id === one?.id));
    expect(answers).toHaveLength(count + 1);
    expect(answers[count]).toBe(`answer ${count}`);
  }
  expect(figures.undelivered + figures.taken).toBe(COUNT);
  if (process.env.ASKWIRE_RACES !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
}, 600_000);
