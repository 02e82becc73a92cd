import { want } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import { finish, probing, type RunTurn, startTurn, wantEnd } from "../conversation.js";
import { eventMessage, goOn } from "../server-messages.js";

/** The agent's end in the middle of a turn, which has to be the client's end too. */
const ends = (end: (turn: RunTurn) => void) => async (context: ClientContext) => {
  const turn = await startTurn(context);
  end(turn);
  await turn.client.ended();
};

/** Checks of the end of agents and clients. */
export const endChecks: readonly ClientCheck[] = [
  check(
    "C54",
    "An agent that ends with status 0 in a turn ends the client as well",
    ["P-CLW-5", "P-ENG-7"],
    ends(({ agent }) => agent.exit(0)),
  ),

  check(
    "C55",
    "An agent that a signal ends in a turn ends the client as well",
    ["P-CLW-5", "P-ENG-7"],
    ends(({ agent }) => agent.die()),
  ),

  check(
    "C56",
    "An agent that fails in a turn, with a request open, ends the client as well",
    ["P-CLW-5", "P-ENG-7"],
    ends(({ agent }) => {
      agent.send(probing(agent, goOn.question).message);
      agent.exit(3);
    }),
  ),

  check("C57", "An executable that is not there ends the client", [], async (context) => {
    const client = await context.start({ executable: { file: "/nowhere/to/be/found/kimi", words: [] } });
    await client.ended();
  }),

  ours(
    check(
      "C58",
      "An agent that closes its input while it is answered ends the client as well",
      [],
      async (context) => {
        const { client, agent, prompt } = await startTurn(context);
        agent.closeInput();
        agent.send(probing(agent, goOn.question).message);
        agent.send(eventMessage("TurnEnd", {}), { id: prompt.id, result: { status: "finished" } });
        await client.ended();
      },
    ),
  ),

  ours(
    check(
      "C59",
      "After its turn a client ends its agent by the end of its input or SIGTERM, and then by force",
      ["P-CLW-6"],
      async (context) => {
        await endsKindly(context);
        await endsByForce(context);
      },
    ),
  ),
];

async function endsKindly(context: ClientContext): Promise<void> {
  const turn = await startTurn(context);
  await finish(turn);
  want(
    turn.agent.askedToEnd.length > 0,
    "the end of the agent's input, or a signal",
    "the agent's death without a word",
  );
}

async function endsByForce(context: ClientContext): Promise<void> {
  const { client, agent, prompt } = await startTurn(context);
  agent.ignoreEnd();
  agent.send(eventMessage("TurnEnd", {}), { id: prompt.id, result: { status: "finished" } });
  await wantEnd(client, agent);
}
