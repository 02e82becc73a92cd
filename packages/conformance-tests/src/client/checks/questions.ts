import { isObject, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import {
  askClient,
  beginTurn,
  finish,
  startTurn,
  survives,
  takeInitialize,
  takeResponse,
  wantAnswers,
  wantEnd,
  wantErrorResponse,
} from "../conversation.js";
import type { PersonAnswer } from "../person/reactions.js";
import {
  approvalPayload,
  eventMessage,
  goOn,
  type PlayedQuestion,
  questionPayload,
  requestMessage,
  welcome,
} from "../server-messages.js";

const database: PlayedQuestion = { question: "Which database?", labels: ["SQLite", "PostgreSQL"] };
const license: PlayedQuestion = { question: "Which license?", labels: ["MIT", "Apache-2.0"] };
const parts: PlayedQuestion = {
  question: "Which parts?",
  labels: ["Tests", "Docs", "CI, nightly"],
  multi_select: true,
};

/** The person's time where several requests are open. */
const takesTime = { choose: [["Yes"]], after_ms: 200 } as const;

/** A turn with one request, whose questions are answered as told and must give this map. */
async function answered(
  context: ClientContext,
  asked: readonly PlayedQuestion[],
  answer: PersonAnswer,
  expected: Readonly<Record<string, string>>,
) {
  const turn = await startTurn(context, { answer });
  const { id, response } = await askClient(turn, asked);
  wantAnswers(response, id, expected);
  await finish(turn);
}

/** Checks of answers to questions. */
export const clientQuestionChecks: readonly ClientCheck[] = [
  check(
    "C24",
    "A question is answered once, by its JSON-RPC id, with its payload's id as request_id",
    ["P-CLW-2"],
    async (context) => {
      const answer = { choose: [["PostgreSQL"], ["MIT"]] };
      // No request has two responses (line-rules.ts).
      await answered(context, [database, license], answer, {
        [database.question]: "PostgreSQL",
        [license.question]: "MIT",
      });
    },
  ),

  ours(
    check(
      "C25",
      "Where the JSON-RPC id is not the payload's id, each goes where it belongs",
      ["P-CLW-2"],
      async (context) => {
        const turn = await startTurn(context);
        const payload = questionPayload([goOn]);
        turn.agent.send(requestMessage("QuestionRequest", payload, "rpc-7"));
        wantAnswers(await takeResponse(turn.agent, "rpc-7"), payload.id, { [goOn.question]: "Yes" });
        await finish(turn);
      },
    ),
  ),

  check("C26", "Several requests that are open at once are all answered", ["P-CLW-2"], async (context) => {
    const turn = await startTurn(context, { answer: { ...takesTime, approve: "approve" } });
    const first = questionPayload([goOn]);
    const second = questionPayload([{ question: "Really?", labels: ["Yes", "No"] }]);
    const approval = approvalPayload();
    turn.agent.send(
      requestMessage("QuestionRequest", first),
      requestMessage("ApprovalRequest", approval),
      requestMessage("QuestionRequest", second),
    );
    wantAnswers(await takeResponse(turn.agent, second.id), second.id, { "Really?": "Yes" });
    wantAnswers(await takeResponse(turn.agent, first.id), first.id, { [goOn.question]: "Yes" });
    const { result } = await takeResponse(turn.agent, approval.id);
    wantSame("request_id", isObject(result) ? result.request_id : result, approval.id);
    await finish(turn);
  }),

  check("C27", "A question that the person closes is answered with an empty map", ["P-ANS-1"], (context) =>
    answered(context, [database, license], { choose: [[], []], dismiss: true }, {}),
  ),

  check(
    "C28",
    'An answer to a multi-select question is its labels in the order of the options, own text last, joined with ", "',
    ["P-ANS-6"],
    (context) =>
      answered(
        context,
        [parts],
        { choose: [["CI, nightly", "Tests"]], own_text: "a logo" },
        { [parts.question]: "Tests, CI, nightly, a logo" },
      ),
  ),

  check(
    "C29",
    "Two questions with the same text do no harm, and their request is answered once",
    ["P-CLW-2"],
    async (context) => {
      await survives(context, async (turn) => {
        await askClient(turn, [goOn, goOn]);
      });
    },
  ),

  check("C30", "A question that the person leaves out is not in the map", ["P-ANS-6"], (context) =>
    answered(context, [database, license], { choose: [[], ["MIT"]] }, { [license.question]: "MIT" }),
  ),

  check(
    "C75",
    "A question that the person answers in their own words alone has them as its answer",
    ["P-ANS-6"],
    (context) =>
      answered(
        context,
        [database, license],
        { choose: [[], ["MIT"]], own_text: "a text file" },
        { [database.question]: "a text file", [license.question]: "MIT" },
      ),
  ),

  check("C76", "A label is written as it is, with its blanks and capitals", ["P-ANS-6"], (context) => {
    const labels = ["  Two  Words ", "two words"];
    const padded = { ...database, labels };
    const [first = ""] = labels;
    return answered(context, [padded], { choose: [[first]] }, { [padded.question]: first });
  }),

  check(
    "C33",
    "A turn that ends while its question is open ends the client as well",
    ["P-CLW-5"],
    async (context) => {
      const { client, agent, prompt } = await startTurn(context);
      agent.send(requestMessage("QuestionRequest", questionPayload([goOn])), eventMessage("TurnEnd", {}), {
        id: prompt.id,
        result: { status: "cancelled" },
      });
      await wantEnd(client, agent);
    },
  ),

  check(
    "C34",
    "A client that declares supports_question answers; one that does not says -32601 when it is asked all the same",
    ["P-CAP-1", "P-CLI-2"],
    async (context) => {
      const client = await context.start();
      const agent = await client.launched();
      const { id, params } = await takeInitialize(agent);
      const { capabilities } = isObject(params) ? params : {};
      const declared = isObject(capabilities) && capabilities.supports_question === true;
      agent.send({ id, result: welcome });
      const turn = await beginTurn(client, agent);
      const { id: asked, response } = await askClient(turn);
      if (declared) wantAnswers(response, asked, { [goOn.question]: "Yes" });
      else wantErrorResponse(response, -32601);
      await finish(turn);
    },
  ),
];
