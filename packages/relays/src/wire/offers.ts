import type { ClientHook, ClientTool, Offers } from "@askwire/client";
import type { AgentSession, Turn } from "@askwire/server";

/** The offers of all clients of a session, as a client of the agent declares them. */
export function offersOf(session: AgentSession, turn: () => Turn | undefined): Offers {
  const { canAsk, canPlan } = session.offer;
  const tools = session.externalTools.map(
    ({ name, description, parameters }): ClientTool => ({
      name,
      description,
      parameters,
      async run(_args, { toolCallId, argumentsText }) {
        const running = turn();
        const tool = session.externalTools.find((tool) => tool.name === name);
        if (running === undefined || tool === undefined)
          throw new Error("the client that brought it is gone");
        const call = { name, arguments: argumentsText };
        return running.callTool(
          tool,
          { type: "function", id: toolCallId, function: call, extras: null },
          { relayed: true },
        );
      },
    }),
  );
  const hooks = session.clientHooks.map(
    ({ event, matcher, timeoutMs, strict, call }): ClientHook => ({
      event,
      matcher,
      timeout: Math.ceil(timeoutMs / 1_000),
      onFailure: strict ? "block" : "allow",
      async run({ target, input_data }) {
        const verdict = await call(target, input_data);
        return verdict.action === "block" ? { block: verdict.reason } : "allow";
      },
    }),
  );
  return { tools, hooks, questions: canAsk, planMode: canPlan };
}

/** A text that is equal for offers that the agent need not be told again. */
export function offersKey({ tools = [], hooks = [], questions, planMode }: Offers): string {
  const told = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const subscribed = hooks.map(({ event, matcher, timeout, onFailure }) => ({
    event,
    matcher,
    timeout,
    onFailure,
  }));
  return JSON.stringify({ told, subscribed, questions, planMode });
}
