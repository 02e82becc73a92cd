import { randomUUID } from "node:crypto";
import { CheckSkipped } from "../../contract/check.js";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import { answerById, choosing, sendAnswer, shownRequest, wantRefused, wantSettled } from "../extended.js";
import { type Joined, person, wantClosed } from "../gateway/joined.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { colour } from "../scripts.js";
import type { ClusterCheck, ClusterContext } from "./cluster-context.js";

const question = wantedRequest("QuestionRequest");
const byRed = (asked: ServerMessage) => ({ items: choosing(asked, ["Red"]) });
const byBlue = (asked: ServerMessage) => ({ items: choosing(asked, ["Blue"]) });

/** A program that asks in a session of its own. */
interface Program extends Joined {
  /** The id of its waiting `ask`. */
  readonly reply: string;
  readonly key: string;
}

/** A program that asks at a node, and is not asked itself. */
async function programAt(nodes: ClusterContext, node: number, questions: readonly object[] = [colour]) {
  const key = `conformance-${randomUUID()}`;
  const joined = await nodes.join(node, person("deploy"));
  if (joined.uses.ask !== true)
    throw new CheckSkipped("its askwire has no ask: true, so programs cannot ask");
  // A session in which only the program is attached has nobody to ask (P-XAK-3).
  await nodes.join(node, person("witness"), joined.session.id);
  return { ...joined, key, reply: joined.client.request("ask", { key, questions }) } satisfies Program;
}

/** A person at a node, who is shown the question of a program. */
async function shownAt(nodes: ClusterContext, node: number, { session }: Joined, name = "ann", id?: string) {
  const joined = await nodes.join(node, person(name, {}, id), session.id);
  return { ...joined, asked: await shownRequest(joined.client, question) };
}

/** A person at each node, who is shown the question of a program. */
async function shownAtEach(nodes: ClusterContext, program: Joined) {
  const people: Awaited<ReturnType<typeof shownAt>>[] = [];
  for (let node = 0; node < nodes.size; node += 1) people.push(await shownAt(nodes, node, program));
  return people;
}

async function wantAnswered({ client, reply }: Program, label: string): Promise<void> {
  const result = resultOf(await client.response(reply));
  const outcome = isObject(result) ? result.outcome : undefined;
  wantMembers("the outcome of the ask", outcome, { status: "answered" });
  want(JSON.stringify(result).includes(label), `the answer ${label} in the result`, result);
}

/** N01 to N11: several nodes are one server to whoever comes. */
export const clusterChecks: readonly ClusterCheck[] = [
  {
    id: "N01",
    title: "a question of a program at one node is shown at each other one, under the same id and number",
    rules: ["P-NOD-1", "P-INT-3", "P-XAT-3"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const [first, ...others] = await shownAtEach(nodes, program);
      for (const [index, { asked, session }] of others.entries()) {
        wantSame(`the id at node ${index + 2}`, asked.id, first?.asked.id);
        wantSame(`the stream at node ${index + 2}`, session.stream, first?.session.stream);
        wantSame(`what is pending at node ${index + 2}`, session.pending, [first?.asked.id]);
      }
    },
  },
  {
    id: "N02",
    title:
      "an answer at one node reaches the program at another, and people at every node are told who gave it",
    rules: ["P-XAN-3", "P-INT-2", "P-XST-1"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const people = await shownAtEach(nodes, program);
      const leo = await shownAt(nodes, 1, program, "leo");
      const outcome = await answerById(leo.client, leo.asked, byBlue(leo.asked));
      wantMembers("the outcome", outcome, { status: "answered", client: { name: "leo" } });
      for (const { client, asked } of people) await wantSettled(client, asked.id, outcome);
      await wantAnswered(program, "Blue");
    },
  },
  {
    id: "N03",
    title:
      "an answer that is sent again at another node gets the reply of the first time, and a later one is late",
    rules: ["P-XAN-5", "P-XAN-3"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const id = randomUUID();
      const answer_id = randomUUID();
      const ann = await shownAt(nodes, 1, program, "ann", id);
      const outcome = await answerById(ann.client, ann.asked, { answer_id, ...byRed(ann.asked) });
      ann.client.drop();
      await ann.client.ended();
      const back = await nodes.join(2, person("ann", {}, id), program.session.id);
      const again = await answerById(back.client, ann.asked, { answer_id, ...byRed(ann.asked) });
      wantSame("the outcome of the same answer", again, outcome);
      const late = sendAnswer(back.client, ann.asked, byBlue(ann.asked));
      wantMembers("data of the late answer", await wantRefused(back.client, late, -32010), { outcome });
      await wantAnswered(program, "Red");
    },
  },
  {
    id: "N04",
    title: "of two answers at the same moment at two nodes one counts, and the program gets that one",
    rules: ["P-INT-2", "P-XAN-3"],
    async run(nodes) {
      for (let round = 0; round < 5; round += 1) {
        const program = await programAt(nodes, round);
        const [ann, bob] = await Promise.all([
          shownAt(nodes, 0, program, "ann"),
          shownAt(nodes, 1, program, "bob"),
        ]);
        const sent = [
          [ann.client, sendAnswer(ann.client, ann.asked, byRed(ann.asked)), "Red"],
          [bob.client, sendAnswer(bob.client, bob.asked, byBlue(bob.asked)), "Blue"],
        ] as const;
        const replies = await Promise.all(sent.map(([client, reply]) => client.response(reply)));
        const won = replies.flatMap(({ error }, index) => (error === undefined ? [index] : []));
        want(won.length === 1, "one of two answers to count", replies);
        wantMembers("the other reply", replies[1 - (won[0] ?? 0)], { error: { code: -32010 } });
        await wantAnswered(program, sent[won[0] ?? 0]?.[2] ?? "");
      }
    },
  },
  {
    id: "N05",
    title: "a program that asks again under its key at another node waits for the same question",
    rules: ["P-XAK-4"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const ann = await shownAt(nodes, 0, program);
      const again = await nodes.join(1, person("deploy"), program.session.id);
      const reply = again.client.request("ask", { key: program.key, questions: [colour] });
      await ann.client.next(wantedEvent("InteractionUpdated", { request_id: ann.asked.id, calls: 2 }));
      await answerById(ann.client, ann.asked, byRed(ann.asked));
      await wantAnswered(program, "Red");
      await wantAnswered({ ...again, key: program.key, reply }, "Red");
      want(
        ann.client.messages.filter(question.fits).length === 1,
        "one QuestionRequest",
        ann.client.messages,
      );
    },
  },
  {
    id: "N06",
    title: "a client that goes from one node to another stays in its stream, and is sent what it missed once",
    rules: ["P-NOD-1", "P-XAT-4", "P-XAT-5", "P-XAT-6"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const id = randomUUID();
      const ann = await shownAt(nodes, 1, program, "ann", id);
      const { stream } = ann.session;
      const seen = ann.client.messages.findLast(({ params }) => typeof params?.seq === "number");
      ann.client.drop();
      await ann.client.ended();
      const bob = await shownAt(nodes, 0, program, "bob");
      await answerById(bob.client, bob.asked, byRed(bob.asked));
      await wantAnswered(program, "Red");
      const session = { id: program.session.id, stream, after_seq: seen?.params?.seq ?? ann.session.seq };
      const back = await nodes.join(2, person("ann", { session }, id), program.session.id);
      wantMembers("the session after the way", back.session, { stream, reset: false, pending: [] });
      await wantSettled(back.client, ann.asked.id, { status: "answered" });
      await back.client.quiet();
      const asked = back.client.messages.filter(question.fits);
      wantSame("the questions that are sent again", asked.length, 0);
    },
  },
  {
    id: "N07",
    title: "long texts in any script come through another node as they were sent, both ways",
    rules: ["P-NOD-2", "P-FRM-2"],
    async run(nodes) {
      const body = "Ж語🙂é\u2028".repeat(2_000);
      const program = await programAt(nodes, 0, [{ ...colour, body, own_text: true }]);
      const ann = await shownAt(nodes, 1, program);
      const [item] = payloadOf(ann.asked).questions as readonly { id: string; body?: string }[];
      want(item?.body === body, `the body of ${body.length} characters as it was sent`, item?.body);
      const text = "Größer als 語".repeat(800);
      await answerById(ann.client, ann.asked, {
        items: [{ question_id: item?.id, selected: [], own_text: text }],
      });
      await wantAnswered(program, text);
    },
  },
  {
    id: "N08",
    title:
      "what waits is in the list of every node within ten seconds, and gone from each once it is answered",
    rules: ["P-NOD-5", "P-XRQ-1", "P-XRQ-3"],
    waitsMs: 20_000,
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const ann = await shownAt(nodes, 0, program);
      if (ann.uses.inbox !== true)
        throw new CheckSkipped("its askwire has no inbox: true", { isChoice: true });
      const watchers: Joined["client"][] = [];
      for (let node = 0; node < nodes.size; node += 1) {
        const client = await nodes.connect(node);
        resultOf(await client.call("initialize", person("lea", { lobby: true })));
        const first = resultOf(await client.call("watch_requests", {}));
        if (!hasRow(first, ann.asked.id))
          await client.next({
            name: `requests_changed with the question, at node ${node + 1}`,
            fits: ({ method, params }) => method === "requests_changed" && hasRow(params, ann.asked.id),
          });
        watchers.push(client);
      }
      await answerById(ann.client, ann.asked, byRed(ann.asked));
      for (const [node, client] of watchers.entries())
        await client.next({
          name: `requests_changed without the question, at node ${node + 1}`,
          fits: ({ method, params }) =>
            method === "requests_changed" &&
            (params as { gone?: unknown[] } | undefined)?.gone?.includes(ann.asked.id) === true,
        });
    },
  },
  {
    id: "N09",
    title: "a question that its program withdraws is gone at every node",
    rules: ["P-XAK-5"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const people = await shownAtEach(nodes, program);
      program.client.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: program.reply } });
      for (const { client, asked } of people)
        await wantSettled(client, asked.id, { status: "withdrawn", reason: "agent" });
    },
  },
  {
    id: "N10",
    title: "a wrong token is refused at each node, also for a session that another node has",
    rules: ["P-SEC-1", "P-SEC-3"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      for (let node = 0; node < nodes.size; node += 1) {
        const knocked = await nodes.knock(node, program.session.id, `wrong-${randomUUID()}`);
        if ("status" in knocked)
          want(knocked.status >= 400, "a refusal", `the HTTP status ${knocked.status}`);
        else await wantClosed(knocked, 4401);
      }
      const ann = await shownAt(nodes, 1, program);
      await answerById(ann.client, ann.asked, byRed(ann.asked));
      await wantAnswered(program, "Red");
    },
  },
  {
    id: "N11",
    title:
      "the same client at a second node replaces itself at the first, whose connection is closed with 4409",
    rules: ["P-XAT-1"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const id = randomUUID();
      const ann = await shownAt(nodes, 0, program, "ann", id);
      const next = await shownAt(nodes, 1, program, "ann", id);
      await wantClosed(ann.client, 4409);
      await answerById(next.client, next.asked, byRed(next.asked));
      await wantAnswered(program, "Red");
    },
  },
  {
    id: "N12",
    title:
      "a session that is closed at one node ends for whoever is in it at any, and its own node lets nobody in again",
    rules: ["P-XSE-3", "P-CLO-2"],
    async run(nodes) {
      const program = await programAt(nodes, 0);
      const ann = await shownAt(nodes, 1, program);
      const bob = await shownAt(nodes, 2, program, "bob");
      const closing = ann.client.request("close_session", { session_id: program.session.id });
      await wantSettled(bob.client, ann.asked.id, { status: "withdrawn" });
      await ann.client.response(closing);
      await Promise.all([ann, bob].map(({ client }) => client.ended()));
      const error = await nodes.join(0, person("eve"), program.session.id).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      want(error !== undefined, "nobody to be let into a closed session", "an answer to initialize");
    },
  },
];

const hasRow = (value: unknown, id: unknown): boolean =>
  isObject(value) &&
  Array.isArray(value.requests) &&
  value.requests.some((row) => isObject(row) && row.request_id === id);
