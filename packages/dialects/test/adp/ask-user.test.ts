import type { ToolCall } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { payload, questionsOf } from "../../../server/test/raw-client.js";
import type { Service } from "../../src/index.js";
import {
  adpScenario,
  asks,
  calls,
  echo,
  json,
  overExtended,
  resultsRead,
  type Settings,
} from "./adp-scene.js";

const schema = {
  type: "object",
  properties: {
    to: { type: "string" },
    pin: { type: "integer", description: "The PIN of the card", askUser: true, minimum: 1000 },
    speed: { enum: ["slow", "fast"], askUser: true },
  },
  required: ["to", "pin", "speed"],
};
const pay = '{"to": "Ada"}';
const said = (args = pay) => [calls(args, "bank", "pay"), "done"];

function bank() {
  const ran: ToolCall[] = [];
  const service: Service = {
    id: "bank",
    description: "Pays.",
    actions: [{ tool: echo("pay", schema, ran) }],
  };
  return { ran, services: () => [service] };
}

/** A person who is asked by a call. */
async function asked(args?: string, settings: Settings = {}) {
  const { ran, services } = bank();
  const set = await overExtended(said(args), { services, ...settings });
  return { ...set, ran, request: await set.client.asked("QuestionRequest") };
}

describe("parameters that only the person can give", () => {
  test("a parameter that only the person can give is not asked of the model, and is shown to it as such (P-ADP-10)", async () => {
    const { services } = bank();
    const { model, meet } = adpScenario([asks("bank", "pay"), "done"], { services });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(json(resultsRead(model.requests)[0]).parameters).toMatchObject({
      to: { required: true },
      pin: { type: "integer", required: false, askUser: true },
    });
  });

  test("the person is asked for a parameter of theirs when the call is right, by a question of no dialect, and the tool runs with it (P-ADP-10)", async () => {
    const { client, request, prompt, ran, model } = await asked();
    expect(questionsOf(request)).toMatchObject([
      { question: 'bank.pay needs "pin": The PIN of the card', header: "pin", options: [], own_text: true },
      {
        question: 'bank.pay needs "speed"',
        options: [{ label: "slow" }, { label: "fast" }],
        own_text: false,
      },
    ]);
    await client.answer(request, {
      items: [
        { question_id: "q1", selected: [], own_text: "1234" },
        { question_id: "q2", selected: ["q2_o2"] },
      ],
    });
    await prompt;
    expect(ran.map((call) => JSON.parse(call.function.arguments ?? ""))).toEqual([
      { to: "Ada", pin: 1234, speed: "fast" },
    ]);
    expect(resultsRead(model.requests)[0]).toContain("pay ran with");
  });

  test("the person is asked only for the parameters that the call lacks (P-ADP-10)", async () => {
    const { client, request, prompt, ran } = await asked('{"to": "Ada", "speed": "slow"}');
    expect(payload(request).questions).toHaveLength(1);
    await client.answer(request, { items: [{ question_id: "q1", selected: [], own_text: "1234" }] });
    await prompt;
    expect(ran).toHaveLength(1);
  });

  test("the person is asked only once the rest of the call is right", async () => {
    const { services, ran } = bank();
    const { client, prompt, model } = await overExtended(said("{}"), { services });
    await prompt;
    expect(client.events("InteractionOpened")).toEqual([]);
    expect(resultsRead(model.requests)[0]).toContain("缺少必需参数: ['to']");
    expect(ran).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      "did not want to",
      { outcome: { status: "declined", reason: "dismissed" } },
      "and they did not want to.",
    ],
    [
      "would rather talk",
      { outcome: { status: "declined", reason: "discuss", note: "Why?" } },
      "and they did not want to (they said: Why?).",
    ],
    [
      "gave something that does not fit",
      {
        items: [
          { question_id: "q1", selected: [], own_text: "12" },
          { question_id: "q2", selected: ["q2_o1"] },
        ],
      },
      "and what they gave does not fit: pin: ",
    ],
  ])(
    "the model is told when the person %s, and the call is not executed (P-ADP-10)",
    async (_, answer, told) => {
      const { client, request, prompt, ran, model } = await asked();
      await client.answer(request, answer);
      await prompt;
      expect(ran).toEqual([]);
      const [result] = resultsRead(model.requests);
      expect(result).toContain(`Only the user can give pin, speed, ${told}`);
      expect(result).toContain("bank.pay was not executed");
    },
  );

  test("the model is told when no client can show the question for a parameter (P-ADP-10)", async () => {
    const { services, ran } = bank();
    const { prompt, model } = await overExtended(said(), { services }, { question: false });
    await prompt;
    expect(resultsRead(model.requests)[0]).toContain("they could not be asked (unsupported)");
    expect(ran).toEqual([]);
  });

  test("the model is told when nobody is there to give a parameter (P-ADP-10)", async () => {
    const { services, ran } = bank();
    const { meet, model } = adpScenario(said(), { services }, { attendance: "decline" });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(resultsRead(model.requests)[0]).toContain("nobody is there to ask");
    expect(ran).toEqual([]);
  });

  test("a question for a parameter ends with the turn: the model is told nothing, and nothing runs (P-ADP-10)", async () => {
    const { session, prompt, ran, client } = await asked();
    session.cancel();
    expect((await prompt).result).toMatchObject({ status: "cancelled" });
    expect(client.events("ToolResult")).toEqual([]);
    expect(ran).toEqual([]);
  });
});
