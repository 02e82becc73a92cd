import type { Turn } from "@askwire/server";
import { attended, planMode, unattended } from "./prompts.js";

/** The instructions that the state of the session adds to a step, also on the return of a person (K-20). */
export class Reminders {
  #wasUnattended = false;

  forStep(turn: Turn): string[] {
    const isBack = this.#wasUnattended && !turn.unattended;
    this.#wasUnattended = turn.unattended;
    return [turn.planMode ? planMode : "", turn.unattended ? unattended : "", isBack ? attended : ""];
  }
}
