// Who was sent what, who was told what and in which order, who was refused with which code, and what was lost: for
// two and three clients of every mix of profiles on one session. What each kind of client sees is in golden-kinds.ts.

import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { currentToolCall, defineTool, QuestionRequest, wireSend } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import type { Message } from "../raw-client.js";
import { approvedTool, callLine, scenario } from "../scenario.js";
import { extended } from "./extended-client.js";
import { type Kind, type KindName, kindNames, kinds, richQuestion } from "./golden-kinds.js";

/** Every mix of so many clients, in the order of the table of kinds. */
function mixes(count: number, from: readonly KindName[] = kindNames): KindName[][] {
  if (count === 0) return [[]];
  return from.flatMap((first, index) => mixes(count - 1, from.slice(index)).map((rest) => [first, ...rest]));
}

interface Row {
  readonly mix: readonly KindName[];
  /** Which of them answers the question; undefined where none can show it. */
  readonly answers: number | undefined;
  /** Which of them answers the approval. */
  readonly approves: number;
}

/** A row for each mix and each client of it that can answer the question; the next one answers the approval. */
const rows: Row[] = [...mixes(2), ...mixes(3)].flatMap((mix) => {
  const able = mix.flatMap((name, index) => (kinds[name].question === undefined ? [] : [index]));
  const answering = able.length === 0 ? [undefined] : able;
  return answering.map((answers) => ({ mix, answers, approves: ((answers ?? 0) + 1) % mix.length }));
});

const titleOf = ({ mix, answers, approves }: Row) => {
  const who = mix.map((name, index) => {
    const does = [...(index === answers ? ["answers"] : []), ...(index === approves ? ["approves"] : [])];
    return does.length === 0 ? name : `${name} (${does.join(" and ")})`;
  });
  return `${who.join(" | ")}${answers === undefined ? ": nobody can show the question" : ""}`;
};

const losses: unknown[] = [];

/** A tool that asks the question which has everything, and gives its outcome's losses as its extras. */
const ask = defineTool({
  name: "Ask",
  description: "asks",
  parameters: z.object({}),
  async run() {
    const request = new QuestionRequest({
      tool_call_id: currentToolCall().id,
      questions: [richQuestion as never],
      deadline: { ms: 60_000, on_expiry: "cancel" },
    });
    wireSend(request);
    const answers = await request.wait().catch((error) => ({ error: String(error.name) }));
    losses.push(request.outcome?.degraded);
    return { output: JSON.stringify(answers) };
  },
});

const scripts = [callLine("Ask", {}, "tc-1"), callLine("Shell", {}, "tc-2"), "text: done"];

const wanted = new Set([
  "TurnBegin",
  "TurnEnd",
  "ToolResult",
  "InteractionOpened",
  "InteractionSettled",
  "InteractionUpdated",
  "ApprovalResponse",
  "QuestionRequest",
  "ApprovalRequest",
]);

/** What a client was sent of requests and settlements, as words in their order, with the state that rides along. */
const wordsOf = (received: readonly Message[]) =>
  received
    .filter(({ method, params }) => method !== "event" || wanted.has(params?.type ?? ""))
    .filter(({ method }) => method !== undefined)
    .map(({ method, params }) => {
      const { type, state } = params as { type: string; state?: string };
      const word = state === undefined ? type : `${type}: ${state}`;
      return method === "event" ? word : `${method} ${word}`;
    });

/** The order between an approval's two events is not said. */
const sorted = (words: unknown[]) => {
  const settled = "InteractionSettled: running";
  const response = words.indexOf("ApprovalResponse");
  if (response < 0 || !words.includes(settled)) return words;
  const rest = words.toSpliced(response, 1);
  return rest.toSpliced(rest.lastIndexOf(settled), 0, "ApprovalResponse");
};

const requestOf = (client: { received: readonly Message[] }, type: string) =>
  client.received.filter(({ params }) => params?.type === type);

async function play({ mix, answers, approves }: Row) {
  const set = scenario(scripts, { tools: [ask, approvedTool("Shell")], clock: drivenClock() });
  const session = set.server.createSession();
  const clients = await Promise.all(
    mix.map(async (name) => {
      const client = extended(set.connect({ session }).client);
      await client.call("initialize", kinds[name].params);
      return Object.assign(client, { kind: kinds[name] as Kind, from: client.received.length });
    }),
  );
  type Client = (typeof clients)[number];
  const prompter = clients[0] as Client;
  const prompt = prompter.call("prompt", { user_input: "go" });
  const early: (number | undefined)[] = [];
  const late: (number | undefined)[] = [];
  const items = [{ question_id: "finish", selected: ["gloss"] }];
  const answering = answers === undefined ? undefined : (clients[answers] as Client);
  let question: string | undefined;
  if (answering !== undefined) {
    const request = await answering.seen("QuestionRequest");
    question = request.params?.payload.id as string;
    for (const client of clients) {
      const asked = client.kind.question !== undefined;
      early.push(asked ? undefined : (await client.answer({ id: question }, { items })).error?.code);
    }
    if (answering.kind.profile === "base") {
      answering.reply(request, { request_id: request.id, answers: { "Which finish?": "Gloss" } });
    } else expect((await answering.answer({ id: question }, { items })).error).toBeUndefined();
  }
  const approving = clients[approves] as Client;
  const { id: wireId, params } = await approving.seen("ApprovalRequest");
  const action = params?.payload.id as string;
  for (const client of clients) {
    if (question !== undefined) late.push((await client.answer({ id: question }, { items })).error?.code);
  }
  if (approving.kind.profile === "base") {
    approving.reply({ id: wireId as string }, { request_id: action, response: "approve", feedback: "" });
  } else expect((await approving.answer({ id: action }, { response: "approve" })).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  for (const client of clients) await client.settled();
  return { clients, early, late, question, action };
}

describe("two and three clients of every mix of profiles on one session (P-INT-3, P-XQS-1 to P-XQS-3, P-XAN-3, P-XST-1, P-XST-2, P-XNG-5)", () => {
  test("there is a row for each mix, and each client of it that can answer", () => {
    expect([mixes(2).length, mixes(3).length, rows.length]).toEqual([21, 56, 147]);
  });

  test.each(rows.map((row) => [titleOf(row), row] as const))(
    "two and three clients of a mix of profiles share one session: %s",
    async (_, row) => {
      const { clients, early, late, question, action } = await play(row);
      const answering = row.answers === undefined ? undefined : clients[row.answers];
      const degraded = answering?.kind.degraded;
      const outcome = (index = 0, lost?: readonly object[]) => ({
        status: "answered",
        by: "human",
        client: {
          name: row.mix[index],
          connection: expect.any(String),
        },
        at: expect.any(String),
        ...(lost !== undefined && { degraded: lost }),
      });

      for (const client of clients) {
        const { kind } = client;
        const isExtended = kind.profile === "extended";

        // The messages of each client, exactly.
        const sentQuestions = requestOf(client, "QuestionRequest");
        const envelope = (id: string | undefined) =>
          isExtended ? { jsonrpc: "2.0", method: "event" } : { jsonrpc: "2.0", id, method: "request" };
        const marks = isExtended ? { seq: expect.any(Number), state: "waiting" } : {};
        expect(sentQuestions).toEqual(
          question === undefined || kind.question === undefined
            ? []
            : [
                {
                  ...envelope(question),
                  params: {
                    type: "QuestionRequest",
                    payload: { id: question, tool_call_id: "tc-1", ...kind.question },
                    ...marks,
                  },
                },
              ],
        );
        expect(requestOf(client, "ApprovalRequest")).toEqual([
          {
            ...envelope(action),
            params: {
              type: "ApprovalRequest",
              payload: {
                id: action,
                tool_call_id: "tc-2",
                sender: "Shell",
                action: "run command",
                description: "ls",
                source_kind: "foreground_turn",
                source_id: expect.stringMatching(/^[0-9a-f]{32}$/),
                agent_id: null,
                subagent_type: null,
                source_description: null,
                display: [],
              },
              ...marks,
            },
          },
        ]);

        // The events of each client, in their order.
        const [begin, end] = kind.toldOfTurn;
        expect(sorted(wordsOf(client.received.slice(client.from)))).toEqual([
          ...begin,
          ...(sentQuestions.length > 0
            ? [isExtended ? "QuestionRequest: waiting" : "request QuestionRequest"]
            : []),
          ...(isExtended && question !== undefined && kind.question === undefined
            ? ["InteractionOpened: waiting"]
            : []),
          ...(question === undefined ? [] : kind.toldOfQuestion),
          "ToolResult",
          isExtended ? "ApprovalRequest: waiting" : "request ApprovalRequest",
          ...kind.toldOfApproval,
          "ToolResult",
          ...end,
        ]);
        const settled = client.events("InteractionSettled").map(({ payload }) => payload);
        const items = [{ question_id: "finish", selected: ["gloss"] }];
        expect(settled).toEqual(
          !isExtended
            ? []
            : [
                ...(question === undefined
                  ? []
                  : [
                      {
                        request_id: question,
                        kind: "question",
                        outcome: outcome(row.answers, degraded),
                        response: { answers: { "Which finish?": "Gloss" }, items },
                      },
                    ]),
                {
                  request_id: action,
                  kind: "approval",
                  outcome: outcome(row.approves),
                  response: { response: "approve", feedback: "" },
                },
              ],
        );
      }

      // The refused clients, with the code of each.
      if (question !== undefined) {
        expect(early).toEqual(
          clients.map(({ kind }) => (kind.question === undefined ? kind.unasked : undefined)),
        );
        expect(late).toEqual(clients.map(({ kind }) => kind.late));
      }

      // What the tool was told of it.
      expect(losses.at(-1)).toEqual(degraded);
    },
  );
});
