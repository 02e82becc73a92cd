import { inShort, isObject, want, wantSame } from "../contract/expectations.js";
import type { CheckingAgent } from "./agent.js";
import type { Client, ClientContext, Orders } from "./client-context.js";
import type { ClientLine, ClientMessage } from "./line.js";
import {
  approvalPayload,
  eventMessage,
  goOn,
  type PlayedQuestion,
  questionPayload,
  requestMessage,
  toolCall,
  toolResultMessage,
  welcome,
} from "./server-messages.js";

/** A turn of a client with the agent that a check plays. */
export interface RunTurn {
  readonly client: Client;
  readonly agent: CheckingAgent;
  /** The client's request `prompt`. */
  readonly prompt: ClientMessage;
}

/** The turn of a client whose `initialize` was checked. */
export interface IntroducedTurn extends RunTurn {
  readonly introduced: ClientMessage;
}

/** True for a request of this method. */
export const asksFor = (method: string) => (message: ClientMessage) =>
  message.method === method && message.id !== undefined && message.id !== null;

/** True for a response to this request. */
export const answers = (id: unknown) => (message: ClientMessage) =>
  message.method === undefined && message.id === id;

/** Takes the client's `initialize`. */
export function takeInitialize(agent: ClientLine): Promise<ClientMessage> {
  return agent.take("a request initialize", asksFor("initialize"));
}

/** Takes the client's `prompt`. */
export function takePrompt(agent: ClientLine): Promise<ClientMessage> {
  return agent.take("a request prompt", asksFor("prompt"));
}

/** Starts a client and leads it to the middle of its turn. */
export async function startTurn(
  context: ClientContext,
  orders?: Orders,
  result: object = welcome,
): Promise<IntroducedTurn> {
  const client = await context.start(orders);
  const agent = await client.launched();
  const introduced = await takeInitialize(agent);
  agent.send({ id: introduced.id, result });
  return { ...(await beginTurn(client, agent)), introduced };
}

/** Waits for the prompt and begins its turn. */
export async function beginTurn(client: Client, agent: CheckingAgent): Promise<RunTurn> {
  const prompt = await takePrompt(agent);
  const { user_input } = isObject(prompt.params) ? prompt.params : {};
  agent.send(
    eventMessage("TurnBegin", { user_input: user_input ?? "" }),
    eventMessage("StepBegin", { n: 1 }),
  );
  return { client, agent, prompt };
}

/** Puts questions, and takes the client's answer to their request. */
export async function askClient(
  { agent }: { readonly agent: ClientLine },
  asked: readonly PlayedQuestion[] = [goOn],
) {
  const payload = questionPayload(asked);
  agent.send(toolCall(payload.tool_call_id, "AskUserQuestion"), requestMessage("QuestionRequest", payload));
  const response = await takeResponse(agent, payload.id);
  agent.send(toolResultMessage(payload.tool_call_id, "{}"));
  return { id: payload.id, response };
}

/** Takes the response to a request of the agent. */
export function takeResponse(agent: ClientLine, id: unknown): Promise<ClientMessage> {
  return agent.take(`a response with the id ${inShort(id)}`, answers(id));
}

/** Wants the answers to a question, by its texts. */
export function wantAnswers(
  response: ClientMessage,
  requestId: string,
  expected: Readonly<Record<string, string>>,
): void {
  const { result } = response;
  want(isObject(result), "a result with the answers", response);
  wantSame("request_id", result.request_id, requestId);
  wantSame("answers", result.answers, expected);
}

/** Wants an error with a code and a message, and with this code where one is given. */
export function wantErrorResponse(response: ClientMessage, code?: number): void {
  const { error } = response;
  const whole = isObject(error) && Number.isInteger(error.code) && typeof error.message === "string";
  want(whole, "an error {code: integer, message: text}", response);
  if (code !== undefined) wantSame("the error's code", error.code, code);
}

/** True for a client that declared in its `initialize` that it takes questions. */
export function takesQuestions({ messages }: ClientLine): boolean {
  const params = messages.find(asksFor("initialize"))?.params;
  const { capabilities } = isObject(params) ? params : {};
  return isObject(capabilities) && capabilities.supports_question === true;
}

/** A request whose response shows that the client has read it. */
export interface ClientProbe {
  readonly id: string;
  readonly toolCallId: string;
  readonly message: object;
  /** Wants a response that a client gives which has read every character of the words. */
  wantRead(response: ClientMessage): void;
}

/**
 * Puts words into a request that this client answers: a question, or the id of an approval where it takes no questions.
 *
 * @param more further fields of the payload.
 */
export function probing(agent: ClientLine, words: string, more: object = {}): ClientProbe {
  if (takesQuestions(agent)) {
    const payload = { ...questionPayload([{ question: words, labels: ["Yes", "No"] }]), ...more };
    return {
      id: payload.id,
      toolCallId: payload.tool_call_id,
      message: requestMessage("QuestionRequest", payload),
      wantRead: (response) => wantAnswers(response, payload.id, { [words]: "Yes" }),
    };
  }
  const approval = approvalPayload();
  const payload = { ...approval, id: `${words} ${approval.id}`, ...more };
  return {
    id: payload.id,
    toolCallId: payload.tool_call_id,
    message: requestMessage("ApprovalRequest", payload),
    wantRead: (response) =>
      want("result" in response !== "error" in response, "a result or an error", response),
  };
}

/** Wants the client to be there still: a request gets its answer. */
export async function wantGoesOn({ agent }: { readonly agent: ClientLine }): Promise<void> {
  const probe = probing(agent, goOn.question);
  agent.send(toolCall(probe.toolCallId, "AskUserQuestion"), probe.message);
  probe.wantRead(await takeResponse(agent, probe.id));
  agent.send(toolResultMessage(probe.toolCallId, "{}"));
}

/** Ends the turn, and wants the client to end the agent and itself. */
export async function finish({ client, agent, prompt }: RunTurn): Promise<void> {
  agent.send(eventMessage("TurnEnd", {}), { id: prompt.id, result: { status: "finished" } });
  client.act({ do: "end" });
  await wantEnd(client, agent);
}

/** Wants the client to end the agent and itself, now that its turn is over. */
export async function wantEnd(client: Client, agent: CheckingAgent): Promise<void> {
  await client.ended();
  await client.waits.on(agent.gone, "the agent to be ended with the client");
}

/** The whole of a check that does something to a client in its turn, which then has to go on. */
export async function survives(
  context: ClientContext,
  act: (turn: IntroducedTurn) => void | Promise<void>,
  orders?: Orders,
): Promise<RunTurn> {
  const turn = await startTurn(context, orders);
  await act(turn);
  await wantGoesOn(turn);
  await finish(turn);
  return turn;
}
