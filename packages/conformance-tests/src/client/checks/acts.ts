import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import { accept, questionById, show, takeAnswer, takeReceipt } from "../answers-by-id.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import { silent } from "../client-context.js";
import {
  answers,
  asksFor,
  beginTurn,
  finish,
  startTurn,
  takeInitialize,
  takeResponse,
  wantAnswers,
  wantEnd,
  wantErrorResponse,
} from "../conversation.js";
import { finishExtended, greetAgain, startConnected, startExtended, untilRead } from "../extended-turn.js";
import { eventMessage, goOn, questionPayload, requestMessage, welcome } from "../server-messages.js";

const yes = (id: string) => ({ do: "answer", request_id: id, choose: [["Yes"]] }) as const;
const shown = [goOn.question];

/** Checks of a client whose person is told what to do and when, which the variables cannot say. */
export const actChecks: readonly ClientCheck[] = [
  check(
    "C31",
    "A question that the person answers twice is answered once, with the first answer",
    ["P-CLW-2"],
    async (context) => {
      const turn = await startTurn(context, { answer: silent });
      const payload = questionPayload([goOn]);
      turn.agent.send(requestMessage("QuestionRequest", payload));
      turn.client.act(yes(payload.id), shown);
      const response = await takeResponse(turn.agent, payload.id);
      wantAnswers(response, payload.id, { [goOn.question]: "Yes" });
      turn.client.act({ do: "answer", request_id: payload.id, choose: [["No"]] }, shown);
      const next = questionPayload([goOn]);
      turn.agent.send(requestMessage("QuestionRequest", next));
      turn.client.act(yes(next.id), shown);
      await takeResponse(turn.agent, next.id);
      // No request has two responses (line-rules.ts).
      await finish(turn);
    },
  ),

  check(
    "C49",
    "A person who cancels has cancel sent once, and the turn goes on to its prompt's result",
    ["P-CLW-5"],
    async (context) => {
      const { client, agent, prompt } = await startTurn(context, { answer: silent });
      const payload = questionPayload([goOn]);
      agent.send(requestMessage("QuestionRequest", payload));
      await untilRead(agent);
      client.act({ do: "cancel" });
      await agent.take("a request cancel", asksFor("cancel"));
      agent.send(eventMessage("TurnEnd", {}), { id: prompt.id, result: { status: "cancelled" } });
      await wantEnd(client, agent);
      wantSame("the number of requests cancel", agent.messages.filter(asksFor("cancel")).length, 1);
      const chosen = agent.messages.find((message) => answers(payload.id)(message) && hasAnswers(message));
      want(chosen === undefined, "no answers from a person who gave none", chosen);
    },
  ),

  check(
    "C52",
    "What a person says during a turn is sent as steer, and answers no question",
    ["P-CLI-7", "P-CLW-2"],
    async (context) => {
      const turn = await startTurn(context, { answer: silent });
      const payload = questionPayload([goOn]);
      turn.agent.send(requestMessage("QuestionRequest", payload));
      await untilRead(turn.agent);
      turn.client.act({ do: "steer", text: "be quick" });
      const { params } = await turn.agent.take("a request steer", asksFor("steer"));
      const { user_input } = isObject(params) ? params : {};
      const said = Array.isArray(user_input) ? user_input : [{ type: "text", text: user_input }];
      wantSame("user_input", said, [{ type: "text", text: "be quick" }]);
      turn.client.act(yes(payload.id), shown);
      wantAnswers(await takeResponse(turn.agent, payload.id), payload.id, { [goOn.question]: "Yes" });
      await finish(turn);
    },
  ),

  ours(
    check(
      "C53",
      "A question between replay and its result is answered with -32601, and put to nobody",
      ["P-CLI-9"],
      async (context) => {
        const client = await context.start({ prompt: silent, answer: silent, takes: ["replay"] });
        const agent = await client.launched();
        const { id } = await takeInitialize(agent);
        agent.send({ id, result: welcome });
        client.act({ do: "replay" });
        const replay = await agent.take("a request replay", asksFor("replay"));
        const old = questionPayload([goOn]);
        agent.send(
          eventMessage("TurnBegin", { user_input: "hello" }),
          eventMessage("StepBegin", { n: 1 }),
          requestMessage("QuestionRequest", old),
          eventMessage("TurnEnd", {}),
        );
        wantErrorResponse(await takeResponse(agent, old.id), -32601);
        agent.send({ id: replay.id, result: { status: "finished", events: 3, requests: 1 } });
        client.act({ do: "prompt", text: "Set up the project" });
        const turn = await beginTurn(client, agent);
        const payload = questionPayload([goOn]);
        agent.send(requestMessage("QuestionRequest", payload));
        client.act(yes(payload.id), shown);
        wantAnswers(await takeResponse(agent, payload.id), payload.id, { [goOn.question]: "Yes" });
        await finish(turn);
      },
    ),
  ),
];

const hasAnswers = ({ result }: { readonly result?: unknown }) =>
  Object.keys((result as { answers?: object } | undefined)?.answers ?? {}).length > 0;

/** The same for clients of the extended profile. */
export const extendedActChecks: readonly ClientCheck[] = [
  check(
    "CX33",
    "A person who would rather discuss declines with the reason discuss",
    ["P-XAN-2"],
    async (context) => {
      const turn = await startExtended(context, { answer: silent });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      await takeReceipt(turn.line, payload.id);
      turn.client.act({ do: "discuss", request_id: payload.id }, shown);
      const said = await takeAnswer(turn.line, payload.id);
      wantMembers("outcome", said.params.outcome, { status: "declined", reason: "discuss" });
      accept(turn, said);
      await finishExtended(turn);
    },
  ),

  check(
    "CX34",
    "A person who disconnects leaves the question open, and answers it once they are connected again",
    ["P-XAT-5", "P-XAN-1"],
    async (context) => {
      const turn = await startConnected(context, { answer: silent });
      const { client, session } = turn;
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      await takeReceipt(turn.line, payload.id);
      client.act({ do: "disconnect" });
      await client.waits.on(turn.line.closed, "the end of the connection");
      client.act({ do: "connect" });
      const line = (await client.knocked()).accept();
      const again = await greetAgain({ ...turn, line });
      again.line.send(session.again("QuestionRequest", payload));
      client.act(yes(payload.id), shown);
      const said = await takeAnswer(again.line, payload.id);
      wantMembers("outcome", said.params.outcome, { status: "answered" });
      accept(again, said);
      const later = again.line.messages.find(asksFor("prompt"));
      await finishExtended({ ...again, prompt: later ?? turn.prompt });
    },
  ),
];
