import type { Explanation } from "./explanation.js";
import { endings } from "./explanations/endings.js";
import { handshake } from "./explanations/handshake.js";
import { hooks } from "./explanations/hooks.js";
import { questions } from "./explanations/questions.js";
import { tools } from "./explanations/tools.js";
import { turns } from "./explanations/turns.js";

/** Every difference that stays, by what it is about. The page docs/differences.md is made of it. */
export const explanations: Readonly<Record<string, readonly Explanation[]>> = {
  "The handshake and the envelope": handshake,
  "Turns, steps and plan mode": turns,
  "Approvals and questions": questions,
  "Hooks and tools of the client": hooks,
  "The agent's own tools": tools,
  "Ends, and what is kept": endings,
};
