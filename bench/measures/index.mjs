/** @import { Measure } from "../contract.js" */
import { browser } from "./browser.mjs";
import { chat } from "./chat.mjs";
import { coldStart } from "./cold-start.mjs";
import { connections } from "./connections.mjs";
import { fanOut } from "./fan-out.mjs";
import { inbox } from "./inbox.mjs";
import { journal } from "./journal.mjs";
import { kept } from "./kept.mjs";
import { mcp } from "./mcp.mjs";
import { nodes } from "./nodes.mjs";
import { openQuestions } from "./open-questions.mjs";
import { page } from "./page.mjs";
import { panel } from "./panel.mjs";
import { relay } from "./relay.mjs";
import { resume } from "./resume.mjs";
import { retained } from "./retained.mjs";
import { roundTrips } from "./round-trip.mjs";
import { stored } from "./stored.mjs";
import { streaming } from "./streaming.mjs";

/** In the order of the report. @type {Measure<any>[]} */
export const measures = [
  ...roundTrips,
  retained,
  coldStart,
  browser,
  connections,
  streaming,
  fanOut,
  resume,
  openQuestions,
  journal,
  kept,
  stored,
  nodes,
  inbox,
  relay,
  mcp,
  panel,
  chat,
  page,
];
