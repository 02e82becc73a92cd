import type { Activity } from "./activity.js";
import type { AskingRules } from "./asking-rules.js";
import type { ExternalTools } from "./external-tools.js";
import type { EndedParts, SessionEnd } from "./session-end.js";
import type { SessionEvents } from "./session-events.js";
import type { SessionOptions } from "./session-options.js";

/** The parts of a session, each for one subject, or for one stretch of its life. */
export interface SessionParts extends EndedParts {
  readonly id: string;
  readonly options: SessionOptions;
  readonly rules: AskingRules;
  readonly activity: Activity;
  readonly events: SessionEvents;
  readonly broughtTools: ExternalTools;
  readonly end: SessionEnd;
}
