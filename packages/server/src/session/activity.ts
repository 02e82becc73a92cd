import type { SessionState } from "@askwire/protocol";
import type { WaitingEntry } from "../requests/core.js";

/** The activity of a session: the core and the turns write it, and events tell its state. */
export class Activity implements WaitingEntry {
  persons = 0;
  /** True while a turn is under way. */
  running = false;

  get state(): SessionState {
    if (this.persons > 0) return "waiting";
    return this.running ? "running" : "idle";
  }
}
