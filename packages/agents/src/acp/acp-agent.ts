import { WireError, wireErrorCodes } from "@askwire/protocol";
import type { Agent, AgentFactory, AgentSession, PastMessage, Turn } from "@askwire/server";
import { openLinks } from "../elicitation/ask-link.js";
import { executableOf } from "../process/executable-of.js";
import { allowedChanges } from "./allowed-changes.js";
import { wireErrorOf } from "./conversation.js";
import { agentNotifications } from "./incoming-notifications.js";
import { agentRequests } from "./incoming-requests.js";
import { agentLife } from "./life.js";
import { loginCommand } from "./login.js";
import { tellEnding, tellStart } from "./notices.js";
import type { AcpAgentOptions, AcpSettings } from "./options.js";
import { planModeLink } from "./plan-mode.js";
import { promptRunner } from "./prompt-runner.js";
import { scenes } from "./scenes.js";
import { agentSettings } from "./settings.js";

/** The times for an agent to open a conversation, and to end a cancelled prompt, in milliseconds. */
const START_MS = 60_000;
const CANCEL_MS = 10_000;

/**
 * Makes an agent of a command that speaks ACP (Agent Client Protocol) on its standard input and output. Each session has
 * a process of its own, in the folder of the session. A process that ends is started again by the next prompt.
 *
 * @param command the executable, looked up in PATH, and its arguments.
 * @throws TypeError for an empty command.
 */
export function acpAgent(command: readonly string[], options: AcpAgentOptions = {}): AgentFactory {
  const settings: AcpSettings = {
    newestVersion: 2,
    startTimeoutMs: START_MS,
    cancelTimeoutMs: CANCEL_MS,
    ...options,
    command: executableOf(command),
  };
  let { introduced } = settings;
  return (session) => {
    const { introduced: _first, ...rest } = settings;
    const own = introduced === undefined ? rest : { ...rest, introduced };
    introduced = undefined;
    return agentOf(session, own);
  };
}

function agentOf(session: AgentSession, settings: AcpSettings): Agent {
  const place = scenes(session);
  const links = openLinks();
  const changes = allowedChanges();
  /** The id of the conversation; undefined before the agent has one. */
  let conversation: string | undefined;
  let past: readonly PastMessage[] = [];
  const stray = (problem: string) => settings.onStray?.(problem);

  const life = agentLife({
    session,
    settings,
    messages: {
      requests: agentRequests({
        session,
        scenes: place,
        links,
        changes,
        conversation: () => conversation,
        say: (words) => runner.say(words),
      }),
      notification: (method, params) => incoming.take(method, params),
      stray,
    },
    connected({ abilities }) {
      if (abilities.logins.length > 0) chosen.add(loginCommand(life.connection));
    },
    opening(id, isRetold) {
      conversation = id;
      place.enterHistory(isRetold);
      incoming.opening(id);
    },
    opened(live, ended) {
      conversation = live.conversation.id;
      // A session that is kept has all of it in its own record from now on.
      const before = place.leaveHistory();
      if (session.memory === undefined) past = before.map((event) => ({ form: "event", ...event }));
      else for (const event of before) session.broadcast(event);
      chosen.take(live.conversation.settings);
      plan.opened();
      incoming.opened(live.conversation.id);
      tellStart(session, live, ended);
    },
  });
  const runner = promptRunner({
    life,
    scenes: place,
    cancelTimeoutMs: settings.cancelTimeoutMs,
    ended: (reason) => tellEnding(session, reason),
  });
  const run = async (turn: Turn) => {
    try {
      return await runner.run(turn);
    } finally {
      changes.clear();
    }
  };
  const ask = async (method: string, params: Record<string, unknown>) => {
    const { connection, conversation } = await life.live();
    const request = connection.request(method, { ...params, sessionId: conversation.id });
    return request.catch((error: unknown) => {
      throw wireErrorOf(error, connection);
    });
  };
  const chosen = agentSettings(session, ask, run, () => plan.agentChanged());
  const plan = planModeLink(session, chosen);
  const incoming = agentNotifications({
    to: {
      session,
      settings: chosen,
      telling: place.telling,
      isHistory: () => place.isHistory,
      said: place.said,
      modeChanged: plan.agentChanged,
      state: runner.state,
    },
    links,
    turn: place.turn,
    stray,
  });
  return {
    takesTools: "never",
    get commands() {
      return chosen.commands;
    },
    get past() {
      return past;
    },
    ready: whenReady(life.live()),
    run,
    async close() {
      plan.close();
      await life.close();
    },
  };
}

/** An agent that wants a login first is ready: its next prompt says so. */
async function whenReady(live: Promise<unknown>): Promise<void> {
  try {
    await live;
  } catch (error) {
    if (!(error instanceof WireError)) {
      throw new WireError("ProviderError", error instanceof Error ? error.message : String(error), {
        cause: error,
      });
    }
    if (error.code !== wireErrorCodes.AuthExpired) throw error;
  }
}
