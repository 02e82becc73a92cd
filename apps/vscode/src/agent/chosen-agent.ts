import { basename } from "node:path";
import type { ShownAgent } from "../view-state.js";
import type { AgentSettings } from "./agent-command.js";

/** The agent that the settings choose, as a person knows it: a model without its provider, a program without its folder. */
export function chosenAgent({
  agent,
  command,
  model,
  interview,
  address,
}: Pick<AgentSettings, "agent" | "command" | "model" | "interview"> & {
  readonly address: string;
}): ShownAgent {
  if (address !== "") return { is: "gateway", name: hostOf(address) };
  if (agent === "interview") return { is: "interview", name: basename(interview) };
  if (agent === "model") return { is: "model", name: model.slice(model.indexOf(":") + 1) };
  if (agent === "command") return { is: "program", name: basename(command[0] ?? "") };
  return { is: "named", name: agent };
}

/** The host of an address, or as much of one that cannot be read as has no token. */
const hostOf = (address: string): string =>
  (URL.canParse(address) && new URL(address).host) || address.replace(/[?#].*$/s, "");
