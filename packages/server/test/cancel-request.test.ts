import { expect, test } from "vitest";
import { keepIn, systemClock } from "../src/index.js";
import { temporaryFolder } from "./journal-folder.js";
import type { RawClient } from "./raw-client.js";
import { asks, keptLog, scenario } from "./scenario.js";

const red = { answers: { "Which colour?": "Red" } };

/** The ids of a raw client count its calls, and its first was `initialize`. */
const cancelRequest = (client: RawClient, id: unknown) =>
  client.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } });

test("$/cancelRequest on a prompt ends its turn as cancel does, and the prompt is answered cancelled (P-TRN-7)", async () => {
  const { client } = await scenario([asks(), "text: b"]).meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.story();
  cancelRequest(client, "c2");
  expect((await prompt).result).toEqual({ status: "cancelled" });
  expect(client.story()).toEqual(["TurnEnd", "prompt: cancelled"]);
  client.reply(asked, { request_id: asked.id, ...red });
  expect((await client.call("prompt", { user_input: "again" })).result).toEqual({ status: "finished" });
});

test("$/cancelRequest on a prompt that was refused leaves the turn that runs (P-TRN-7)", async () => {
  const { client } = await scenario([asks(), "text: b"]).meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  const refused = client.call("prompt", { user_input: "again" });
  cancelRequest(client, "c3");
  expect((await refused).error?.code).toBe(-32000);
  client.reply(asked, { request_id: asked.id, ...red });
  expect((await prompt).result).toEqual({ status: "finished" });
});

test("$/cancelRequest of another client leaves the turn, whatever its id (P-TRN-7)", async () => {
  const set = scenario([asks(), "text: b"]);
  const { client, session } = await set.meet();
  const other = await set.meet({ session });
  const { prompt, asked } = await client.begin("QuestionRequest");
  cancelRequest(other.client, "c2");
  await other.client.settled();
  client.reply(asked, { request_id: asked.id, ...red });
  expect((await prompt).result).toEqual({ status: "finished" });
});

test("$/cancelRequest on a replay ends it, with how far it came (P-TRN-7)", async () => {
  const place = { share: temporaryFolder(), workDir: "/", log: keptLog(), clock: systemClock };
  const scripts = Array.from({ length: 40 }, (_, index) => `text: ${index}`);
  const { client } = await scenario(scripts, { keep: keepIn(place) }).meet();
  for (const _ of scripts) await client.call("prompt", { user_input: "go" });
  const replay = client.call("replay");
  cancelRequest(client, `c${scripts.length + 2}`);
  const { result } = await replay;
  expect(result).toMatchObject({ status: "cancelled", requests: 0 });
  expect(result?.events).toBeLessThan(40 * 5);
});
