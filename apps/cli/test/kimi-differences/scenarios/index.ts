import type { Scenario } from "../scenario.js";
import { externalTools, hooks } from "./client-offers.js";
import { course, ends, kept } from "./course.js";
import { envelope } from "./envelope.js";
import { flags, handshake } from "./handshake.js";
import { plans, questions } from "./questions.js";
import { approvals, tools } from "./tools.js";
import { turns } from "./turns.js";

export const scenarios: readonly Scenario[] = [
  ...handshake,
  ...envelope,
  ...turns,
  ...tools,
  ...approvals,
  ...questions,
  ...plans,
  ...externalTools,
  ...hooks,
  ...course,
  ...kept,
  ...ends,
  ...flags,
];
