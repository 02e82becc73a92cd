import type { ModelRequest } from "@askwire/server";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { callLine, scenario } from "../../server/test/scenario.js";
import { dialects } from "../src/index.js";

const { redc } = dialects;

/** The model's question here. */
export const region = { question: "Which region?", choices: ["Hong Kong", "Singapore"] };

/** A script in which the model asks the user. */
export const asksUser = (args: object = region, id = "tc-1") => callLine("ask_user", args, id);

export const done = "text: done";

/** A server whose model replays scripts and asks as RedC's does. */
export const redcScenario = (
  scripts: readonly string[] = [asksUser(), done],
  { settings, ...options }: Parameters<typeof scenario>[1] & { settings?: Parameters<typeof redc>[0] } = {},
) => scenario(scripts, { dialects: [redc(settings)], ...options });

/** A client of the base profile before which the question is that a model asks. */
export async function askedOverBase(...made: Parameters<typeof redcScenario>) {
  const set = redcScenario(...made);
  const { client, session } = await set.meet();
  const prompt = client.call("prompt", { user_input: "go" });
  return { ...set, client, session, prompt, asked: await client.seen("QuestionRequest") };
}

/** The same question with a client of the extended profile. */
export async function askedOverExtended(...made: Parameters<typeof redcScenario>) {
  const set = redcScenario(...made);
  const session = set.server.createSession();
  const { client } = await meetExtended(set, { session }, { name: "one" });
  const prompt = client.call("prompt", { user_input: "go" });
  return { ...set, client, session, prompt, asked: await client.asked("QuestionRequest") };
}

/** The model's view of a call's result, in its n-th request from 0. */
export function readByModel(requests: readonly ModelRequest[], n = 1, id = "tc-1") {
  const messages = requests[n]?.messages ?? [];
  const found = messages.findLast((message) => message.role === "tool" && message.tool_call_id === id);
  if (found?.role !== "tool") throw new Error(`request ${n} has no result of ${id}`);
  return found.result;
}
