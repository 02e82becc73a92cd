import {
  allAgentMethods,
  bindPeer,
  clientMethods,
  type Handlers,
  type PeerOptions,
  type RequestPayloadInput,
  type requests,
} from "../src/index.js";
import { linkedPair } from "../src/testing.js";
import { rawChannel, turns } from "./raw-channel.js";

type AgentHandlers = Handlers<typeof allAgentMethods>;
type ClientHandlers = Handlers<typeof clientMethods>;
type Settings = Partial<Pick<PeerOptions<never, never>, "limits" | "onProblem" | "answerMalformed">>;

export const bindAgent = (
  channel: Parameters<typeof bindPeer>[0]["channel"],
  handlers: AgentHandlers,
  more: Settings = {},
) => bindPeer({ channel, local: allAgentMethods, remote: clientMethods, handlers, ...more });
const bindClient = (
  channel: Parameters<typeof bindPeer>[0]["channel"],
  handlers: ClientHandlers,
  more: Settings = {},
) => bindPeer({ channel, local: clientMethods, remote: allAgentMethods, handlers, ...more });

/** An agent and a client, connected. */
export function pair(agentHandlers: AgentHandlers, clientHandlers: ClientHandlers = {}, more: Settings = {}) {
  const { left, right } = linkedPair();
  const agent = bindAgent(left, agentHandlers, more);
  const client = bindClient(right, clientHandlers, more);
  return { agent, client };
}

/** A peer whose other side is typed by the test. */
export function agentAlone(handlers: AgentHandlers = {}, more: Settings = {}) {
  const wire = rawChannel();
  return { wire, agent: bindAgent(wire.channel, handlers, { answerMalformed: true, ...more }) };
}
export function clientAlone(handlers: ClientHandlers = {}) {
  const wire = rawChannel();
  const problems: string[] = [];
  const client = bindClient(wire.channel, handlers, { onProblem: (message) => void problems.push(message) });
  return { wire, client, problems };
}

export async function answersTo(wire: ReturnType<typeof rawChannel>, ...messages: (string | object)[]) {
  wire.receive(...messages);
  await turns(5);
  return wire.messages();
}

/** A question or another request, with its answer as a promise. */
export function ask<K extends keyof typeof requests>(
  agent: ReturnType<typeof bindAgent>,
  type: K,
  payload: RequestPayloadInput<K>,
  id: string,
) {
  let forget = () => {};
  const response = new Promise<unknown>((resolve, reject) => {
    const call = agent.ask("request", type, payload as never, id, (answer) => {
      if (answer.ok) resolve(answer.value);
      else reject(answer.error);
    });
    forget = () => call.forget();
  });
  return { response, forget };
}

export const questionPayload = (id = "q1") => ({
  id,
  tool_call_id: "t1",
  questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
});
export const eventLine = (type: unknown, payload: unknown) => ({
  jsonrpc: "2.0",
  method: "event",
  params: { type, payload },
});
export const requestLine = (id: string, type: unknown, payload: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "request",
  params: { type, payload },
});
