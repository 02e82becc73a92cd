import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import {
  beginTurn,
  finish,
  startTurn,
  survives,
  takeInitialize,
  wantEnd,
  wantGoesOn,
} from "../conversation.js";
import { eventMessage, textMessage, welcome } from "../server-messages.js";

/** A prompt with this reply, after these messages of the agent. */
async function replies(context: ClientContext, reply: object, before: readonly object[] = []): Promise<void> {
  const { client, agent, prompt } = await startTurn(context);
  agent.send(...before, eventMessage("TurnEnd", {}), { id: prompt.id, ...reply });
  await wantEnd(client, agent);
}

const error = (code: number, message: string) => ({ error: { code, message, data: null } });
const FLOOD = 20_000;

/** The server's replies, right and wrong. */
export const replyChecks: readonly ClientCheck[] = [
  check("C60", "A prompt that is answered with an error ends the client", ["P-CLW-5"], async (context) => {
    await replies(context, error(-32001, "LLM is not set"));
    await replies(context, error(-32003, "overloaded"), [eventMessage("StepInterrupted", {})]);
  }),

  check("C61", "An error with id null settles nothing", ["P-CLW-5", "P-ENV-9"], (context) =>
    survives(context, ({ agent }) => agent.send({ id: null, ...error(-32700, "Invalid JSON format") })),
  ),

  ours(
    check(
      "C62",
      "A response to no request, a second one, a malformed one and one with a number for the id settle nothing",
      ["P-CLW-5", "P-ENV-7", "P-ENV-9", "P-ENG-4", "P-ENG-6"],
      async (context) => {
        const client = await context.start();
        const agent = await client.launched();
        const { id } = await takeInitialize(agent);
        agent.send({ id, result: welcome });
        const turn = await beginTurn(client, agent);
        const prompt = turn.prompt.id;
        const finished = { status: "finished" };
        agent.send(
          { id: "nobody", result: finished },
          { id: "nobody", ...error(-32603, "failed") },
          { id, result: welcome },
          { result: finished },
          { id: prompt },
          { id: prompt, error: "failed" },
          { id: prompt, method: "event", result: finished },
          ...(/^\d+$/.test(String(prompt)) ? [{ id: Number(prompt), result: finished }] : []),
        );
        await wantGoesOn(turn);
        await finish(turn);
      },
    ),
  ),

  check(
    "C63",
    "A prompt's result that is null, or has an unknown status, ends the turn all the same",
    ["P-CLW-5"],
    async (context) => {
      await replies(context, { result: null });
      await replies(context, { result: { status: "paused" } });
    },
  ),

  check("C65", `A flood of ${FLOOD} events does not keep the client from answering`, [], (context) =>
    survives(context, ({ agent }) =>
      agent.send(...Array.from({ length: FLOOD }, (_, index) => textMessage(`word ${index} `))),
    ),
  ),
];
