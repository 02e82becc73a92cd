import { hooksIn, noHooks } from "../hooks/session-hooks.js";
import type { TurnHost } from "../turn/turn-init.js";
import type { ServedSession } from "./served-session.js";
import type { SessionParts } from "./session-parts.js";
import type { TurnPlace } from "./session-turn.js";
import { turnMemory } from "./turn-memory.js";

/** Makes the surroundings of each turn of a session. */
export function turnPlaces(session: ServedSession, parts: SessionParts): (over: () => void) => TurnPlace {
  /** Made with the first turn. */
  let host: TurnHost | undefined;
  return (over) => {
    host ??= hostOf(session, parts);
    const { id, options, journal, agent, events, hooks, listing, past } = parts;
    const { log, rawErrors = false } = options;
    return {
      events,
      agent: agent.now,
      host,
      sessionId: id,
      log,
      rawErrors,
      over,
      memoryOf: (turn) => journal && turnMemory(journal, turn.id, turn.left),
      hooksIn: (turn) =>
        agent.relays ? noHooks : hooksIn(hooks, (call) => turn.open(call, turn.scope), turn.signal),
      journal,
      beforeEnd: (ended) => past.turnEnds(ended),
      ended: () => {
        past.turnEndTold();
        listing.act();
        session.tellIfUnused();
      },
    };
  };
}

function hostOf(session: ServedSession, { options, agent, rules, clients }: SessionParts): TurnHost {
  const { maxSteps, subagentQuestions } = options;
  return {
    broadcast: (event) => session.broadcast(event),
    offer: () => session.offer,
    dialectTools: agent.dialectTools,
    externalTools: () => session.externalTools,
    planMode: () => session.planMode,
    setPlanMode: (enabled) => {
      session.planMode = enabled;
    },
    unattended: () => rules.attendance === "decline",
    drained: async () => {
      await Promise.all([...clients.connections()].map((connection) => connection.drained()));
    },
    output: {
      printed: (callId, text) => session.output.printed(callId, text),
      become: (callId, printed) => session.output.become(callId, printed),
      ended: (callId) => session.callEnded(callId),
    },
    maxSteps,
    subagentQuestions,
  };
}
