import type { Hooks } from "../hooks/hooks.js";
import type { Journal } from "../journal/journal.js";
import type { InteractionCore } from "../requests/core.js";
import type { HookCall } from "../requests/hook-call.js";
import type { RequestClaims } from "../requests/request-claims.js";
import type { Scope } from "../requests/scope.js";
import type { Activity } from "./activity.js";
import type { AskingRules } from "./asking-rules.js";
import type { ClientHub } from "./client-hub.js";
import type { ExternalTools } from "./external-tools.js";
import type { Listing } from "./listing.js";
import type { SessionAgent } from "./session-agent.js";
import type { SessionEvents } from "./session-events.js";
import type { SessionOptions } from "./session-options.js";
import type { SessionPast } from "./session-past.js";
import type { TurnGate } from "./turn-gate.js";

/** The parts of a session, each for one subject, or for one stretch of its life. */
export interface SessionParts {
  readonly id: string;
  readonly options: SessionOptions;
  readonly journal: Journal | undefined;
  readonly agent: SessionAgent;
  readonly rules: AskingRules;
  readonly core: InteractionCore;
  readonly activity: Activity;
  readonly turns: TurnGate;
  readonly claims: RequestClaims;
  readonly events: SessionEvents;
  readonly clients: ClientHub;
  readonly hooks: Hooks;
  /** Opens a call of a hook that belongs to no turn. */
  readonly openHook: (call: HookCall) => void;
  readonly broughtTools: ExternalTools;
  /** The scope of what connected programs ask, which the next process goes on with. */
  readonly askScope: Scope;
  readonly listing: Listing;
  readonly past: SessionPast;
}
