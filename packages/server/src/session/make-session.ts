import { defaultLimits } from "@askwire/protocol";
import { Hooks } from "../hooks/hooks.js";
import type { Journal } from "../journal/journal.js";
import { questionMessage } from "../journal/record-interaction.js";
import type { LeftTurns } from "../journal/unfinished.js";
import { InteractionCore, isForClient } from "../requests/core.js";
import { outcomeNow } from "../requests/interaction.js";
import { RequestClaims } from "../requests/request-claims.js";
import { Scope } from "../requests/scope.js";
import { newSessionId } from "../runtime/uuid.js";
import { Activity } from "./activity.js";
import { AskingRules } from "./asking-rules.js";
import { ClientHub } from "./client-hub.js";
import { defaultEventLogLimits } from "./event-log.js";
import { ExternalTools } from "./external-tools.js";
import { keeperOf, requestKeeper } from "./keeper.js";
import { Listing } from "./listing.js";
import { restOfDeadline, restoredAsk } from "./restored-request.js";
import { endedTurn, endLeftTurn, resumable } from "./resumable.js";
import { ServedSession } from "./served-session.js";
import { SessionAgent } from "./session-agent.js";
import { SessionEnd } from "./session-end.js";
import { SessionEvents } from "./session-events.js";
import type { SessionOptions } from "./session-options.js";
import type { SessionParts } from "./session-parts.js";
import { SessionPast } from "./session-past.js";
import { requestSettled } from "./settled-request.js";
import { TurnGate } from "./turn-gate.js";
import { turnPlaces } from "./turn-places.js";

/** The time for which a question of an earlier process waits for a client that shows it, in milliseconds (P-RES-12). */
const RESTART_GRACE_MS = 600_000;

/**
 * Makes a session, which goes on with what earlier processes left of it.
 *
 * @throws TypeError for two tools of one name, any exception of the agent's factory. The kept part is released then.
 */
export function makeSession(options: SessionOptions): ServedSession {
  try {
    return wired(options);
  } catch (error) {
    void options.kept?.journal.close();
    throw error;
  }
}

function wired(options: SessionOptions): ServedSession {
  const { id = newSessionId(), workDir, clock, log, kept } = options;
  const { eventLog: limits = defaultEventLogLimits, maxText = defaultLimits.outboundLength } = options;
  const journal = kept?.journal;
  const scope = new Scope();
  const askScope = new Scope(scope);
  const rules = new AskingRules(options, journal);
  const agent = new SessionAgent(id, options);
  const broughtTools = new ExternalTools();
  const activity = new Activity();
  const claims = new RequestClaims(clock, (requestId) => {
    const request = core.find(requestId);
    if ("code" in request || isForClient(request)) return;
    events.updated(request, core.answering(requestId) ?? []);
    options.onAnswering?.();
  });
  const core: InteractionCore = new InteractionCore({
    policy: rules,
    maxOpen: options.maxOpenRequests,
    clock,
    waiting: activity,
    keep: journal && keeperOf(journal, clock),
    onOpened: (request) => {
      events.opened(request);
      listing.act();
    },
    onUpdated: (request, answering) => {
      events.updated(request, answering);
      options.onAnswering?.();
    },
    onEscalated(request) {
      const { escalated: step = 0, steps = [] } = request.addressing ?? {};
      const to = steps[step - 1]?.to;
      if (to !== undefined) journal?.escalated({ request_id: request.id, step, to });
      events.updated(request, core.answering(request.id));
      listing.changed();
      options.onAnswering?.();
    },
    onSettled(request, settlement, sent) {
      const wasTaken = claims.forget(request.id);
      requestSettled(parts, request, settlement, sent);
      if (wasTaken) options.onAnswering?.();
    },
    observation: options.observation,
  });
  const openHook: SessionParts["openHook"] = (call) => core.open(call, scope);
  const hooks = new Hooks({ sessionId: id, workDir, emit: (event) => events.broadcast(event), clock, log });
  const clients = new ClientHub({ clock, core, onGone: (client) => session.gone(client) });
  const turns = new TurnGate(core, scope, activity, (over) => placeOf(over));
  turns.owner = options.parked?.owner;
  const events: SessionEvents = new SessionEvents({
    ...{ clients, journal, limits, maxText, activity, claims, clock, log },
  });
  const listing = new Listing(options, { journal, core, turns });
  const past = new SessionPast({ journal, events, agent, turns, clock });
  const parts: SessionParts = {
    id,
    options,
    journal,
    agent,
    rules,
    core,
    activity,
    turns,
    claims,
    events,
    clients,
    hooks,
    openHook,
    broughtTools,
    askScope,
    listing,
    past,
  };
  const end = new SessionEnd(parts);
  const session: ServedSession = new ServedSession(parts, end);
  const placeOf = turnPlaces(session, parts);
  agent.make(session);
  if (agent.relays) rules.subagentQuestions = true;
  if (journal !== undefined) takeOver(journal, session, parts);
  return session;
}

/** Goes on with what earlier processes left: their turn, and what they remembered of earlier ones (P-RES-2). */
function takeOver(journal: Journal, session: ServedSession, parts: SessionParts): void {
  const { core, rules, options } = parts;
  remember(parts, journal.left);
  const isOpen = [takeOverTurn(journal, parts), takeOverAsks(journal, session, parts)];
  // Nobody is waited for where it was parked.
  const wasParked = options.parked !== undefined && options.parked.hasTurn !== true;
  if (!isOpen.includes(true) || wasParked) return;
  rules.isAwaiting = true;
  core.awaitSomebody(options.restartGraceMs ?? RESTART_GRACE_MS, () => {
    rules.isAwaiting = false;
    if (journal.openAsks.length > 0) session.asks.giveUpLeft();
  });
}

/** Puts the questions and approvals of programs again that earlier processes left open (P-XAK-8). Returns whether any is open. */
function takeOverAsks(journal: Journal, session: ServedSession, parts: SessionParts): boolean {
  const { id, core, askScope } = parts;
  const { resume = true, parked, clock, log } = parts.options;
  for (const left of journal.openAsks) {
    const { request_id } = left.asked;
    try {
      if (resume === false) throw new TypeError("nothing of earlier processes is resumed here");
      const request = restoredAsk(left);
      request.keeper = requestKeeper(journal, request);
      if (request.kind === "approval") askScope.source = request.source ?? askScope.source;
      else if (!left.isWhole) journal.record(questionMessage(request));
      const end = parked?.deadlines.get(request_id);
      const rest =
        end === undefined
          ? restOfDeadline(left.opened, left.touched, clock.now())
          : Math.max(0, Date.parse(end) - clock.now());
      core.restore(request, askScope, left.since, rest);
      session.asks.restore(request, left.asked.digest);
    } catch (error) {
      log.info({ session: id, request: request_id, why: String(error) }, "an ask does not go on");
      const outcome = outcomeNow("withdrawn", { reason: "shutdown", by: "system" });
      journal.settled({ request_id, kind: left.opened.kind, outcome });
    }
  }
  return core.size > 0;
}

/** Goes on with a turn (P-RES-2). Returns whether a request of it is open. */
function takeOverTurn(journal: Journal, parts: SessionParts): boolean {
  const { turn } = journal.left;
  if (turn === undefined) return false;
  const { core, turns, rules, agent } = parts;
  const { resume = true, dialects, log, clock } = parts.options;
  const now = clock.now();
  const place = { dialects, journal, log, now, allowed: resume !== false };
  const found = resumable({ turn, agent: agent.now, ...place });
  if ("why" in found) {
    remember(parts, endLeftTurn(journal, turn, found));
    return false;
  }
  const { requests } = found;
  const { scope } = turns.resume(found);
  for (const approval of requests.approvals) rules.decided(...approval, []);
  requests.restore(core, scope, now);
  // A request that ended since nobody was there has no word of a person.
  if (found.waits) requests.onSettled(({ status }) => status !== "unavailable" && turns.start());
  if (resume === "now" && !requests.isOpen && requests.isAnswered) turns.start();
  return requests.isOpen;
}

function remember(
  { core, turns }: SessionParts,
  { settled, ended }: Pick<LeftTurns, "settled" | "ended">,
): void {
  for (const { request_id, outcome } of settled) core.remember(request_id as string, outcome);
  for (const end of ended) turns.remember(end.turn_id, endedTurn(end));
}
