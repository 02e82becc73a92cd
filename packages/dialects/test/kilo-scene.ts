import type { ToolReturnValue } from "@askwire/protocol";
import type { ModelRequest } from "@askwire/server";
import { drivenClock } from "../../server/test/driven-clock.js";
import { extended, type Introduction } from "../../server/test/extended/extended-client.js";
import { callLine, scenario } from "../../server/test/scenario.js";
import { type KiloSettings, kilo } from "../src/index.js";

export const done = "text: done";

/** The model's question here. */
export const colour = {
  question: "Which colour?",
  follow_up: [
    { text: "Red", mode: null },
    { text: "Blue, like the sea", mode: "code" },
  ],
};

/** The suggestions as elements. */
export const suggests = '<suggest>Red</suggest><suggest mode="code">Blue, like the sea</suggest>';

/** A script in which the model asks as with a provider's tool. */
export const follows = (args: object = colour, id = "tc-1") => callLine("ask_followup_question", args, id);

/** A line of a script in which the model asks in its text. */
export const element = (question = "Which colour?", follow_up = suggests) =>
  `text: <ask_followup_question><question>${question}</question><follow_up>${follow_up}</follow_up></ask_followup_question>`;

/** A picture as a person attaches it. */
export const picture = (data = "iVBORw0KGgo=") => ({
  type: "image_url" as const,
  image_url: { url: `data:image/png;base64,${data}`, id: null },
});

type Options = Omit<NonNullable<Parameters<typeof scenario>[1]>, "dialects">;

/** A server whose model replays scripts and asks as Kilo Code's does. */
export function kiloScenario(
  scripts: readonly string[] = [follows(), done],
  { settings, ...options }: Options & { settings?: KiloSettings } = {},
) {
  const clock = drivenClock();
  return { ...scenario(scripts, { dialects: [kilo(settings)], clock, ...options }), clock };
}
type Made = Parameters<typeof kiloScenario>;

/** A client of the base profile that has prompted. */
export async function overBase(...made: Made) {
  const set = kiloScenario(...made);
  const { client, session } = await set.meet();
  return { ...set, client, session, prompt: client.call("prompt", { user_input: "go" }) };
}

/** A client of the extended profile that has prompted. */
export async function overExtended(scripts?: Made[0], options?: Made[1], said: Introduction = {}) {
  const set = kiloScenario(scripts, options);
  const session = set.server.createSession();
  const client = extended(set.connect({ session, graceMs: 0 }).client);
  await client.introduce({ name: "one", ...said });
  return { ...set, client, session, prompt: client.call("prompt", { user_input: "go" }) };
}

/** An answer by an option, from 1. */
export const option = (n: number) => ({ items: [{ question_id: "q1", selected: [`q1_o${n}`] }] });
/** An answer in own words, with more of the item. */
export const own = (own_text: string, more: object = {}) => ({
  items: [{ question_id: "q1", selected: [], own_text, ...more }],
});

/** The model's view of a call's result, in its n-th request from 0. */
export function readByModel(requests: readonly ModelRequest[], n = 1, id = "tc-1"): ToolReturnValue {
  const messages = requests[n]?.messages ?? [];
  const found = messages.findLast((message) => message.role === "tool" && message.tool_call_id === id);
  if (found?.role !== "tool") throw new Error(`request ${n} has no result of ${id}`);
  return found.result;
}

/** The last thing that the model read as said by the person, in its n-th request from 0. */
export function saidToModel(requests: readonly ModelRequest[], n = 1) {
  const found = requests[n]?.messages.findLast(({ role }) => role === "user");
  if (found?.role !== "user") throw new Error(`request ${n} has nothing of the person`);
  return found;
}

/** The text of a result. */
export const outputOf = ({ output }: ToolReturnValue) =>
  typeof output === "string"
    ? output
    : output.map((part) => (part.type === "text" ? part.text : "")).join("");
