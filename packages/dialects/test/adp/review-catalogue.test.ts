import type { ToolCall } from "@askwire/protocol";
import type { Tool } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { adp } from "../../src/index.js";
import { adpScenario, asks, calls, echo, json, overExtended, resultsRead } from "./adp-scene.js";

const one = (tool: Tool) => () => [{ id: "bank", description: "Pays.", actions: [{ tool }] }];

describe("parameters that only the person can give", () => {
  test.each<[string, object, unknown]>([
    ["text or null", { type: ["string", "null"] }, "007"],
    ["any of text and null", { anyOf: [{ type: "string" }, { type: "null" }] }, "007"],
    ["a number or null", { type: ["integer", "null"] }, 7],
    ["one of a number and null", { oneOf: [{ type: "integer" }, { type: "null" }] }, 7],
  ])(
    "the answer to a question for a parameter has the type that the schema wants: %s (P-ADP-10)",
    async (_, schema, expected) => {
      const ran: ToolCall[] = [];
      const text = typeof expected === "string" ? expected : String(expected);
      const properties = { pin: { ...schema, askUser: true } };
      const tool = echo("pay", { type: "object", properties, required: ["pin"] }, ran);
      const { client, prompt } = await overExtended([calls("{}", "bank", "pay"), "done"], {
        services: one(tool),
      });
      const request = await client.asked("QuestionRequest");
      await client.answer(request, { items: [{ question_id: "q1", selected: [], own_text: text }] });
      await prompt;
      expect(ran.map((call) => JSON.parse(call.function.arguments ?? ""))).toEqual([{ pin: expected }]);
    },
  );

  test("a parameter that only the person can give is found where a reference leads to it by another", async () => {
    const tool = echo("pay", {
      type: "object",
      properties: { pin: { $ref: "#/$defs/a" } },
      $defs: {
        a: { $ref: "#/$defs/b~1c" },
        "b/c": { type: "integer", description: "The PIN", askUser: true },
      },
    });
    const { model, meet } = adpScenario([asks("bank", "pay"), "done"], { services: one(tool) });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(json(resultsRead(model.requests)[0]).parameters).toEqual({
      pin: { type: "integer", required: false, description: "The PIN", askUser: true },
    });
  });
});

test("the instructions list what there is in the session, and no service without it (P-ADP-1)", async () => {
  const planned: Tool = { ...echo("MakePlan", { type: "object" }), offered: ({ canPlan }) => canPlan };
  const services = () => [
    { id: "plan", description: "Plans.", actions: [{ tool: planned }] },
    { id: "bank", description: "Pays.", actions: [{ tool: echo("pay", { type: "object" }) }] },
  ];
  const system = async (capabilities: object) => {
    const { model, meet } = adpScenario(["done"], { services });
    const { client } = await meet({}, capabilities);
    await client.call("prompt", { user_input: "go" });
    return model.requests[0]?.system ?? "";
  };
  const without = await system({ supports_question: true });
  expect(without).not.toMatch(/Service: plan|MakePlan|<plan>/);
  expect(without).toContain("  - pay");
  const both = await system({ supports_question: true, supports_plan_mode: true });
  expect(both).toContain("**Service: plan**\nDescription: Plans.\nTools:\n  - MakePlan");
});

test.each(["result", "execute_tools", "tool_param"])(
  "an action that no text could call, as its tag means something else, is refused: %s (P-ADP-1)",
  (alias) => {
    const tool = echo("pay", { type: "object" });
    const bank = { id: "bank", description: "Pays.", actions: [{ tool, aliases: [alias] }] };
    expect(() => adp({ services: () => [bank] }).begin()).toThrow(`"pay": ${alias} means something else`);
  },
);

const fitting = echo("Pay", { type: "object" });
const expectsService = "expected {id, description, aliases?: […], actions: [{tool}]}";

test.each<[string, unknown, string]>([
  ["a promise", Promise.resolve([]), "services: expected a function that gives an array"],
  ["nothing", [null], `services[0]: ${expectsService}`],
  ["no id", [{ description: "d", actions: [] }], `services[0]: ${expectsService}`],
  ["no actions", [{ id: "bank", description: "d" }], `services[0]: ${expectsService}`],
  ["aliases in a text", [{ id: "bank", aliases: "b", actions: [] }], `services[0]: ${expectsService}`],
  ["a tool for an action", [{ id: "bank", actions: [fitting] }], "services[0].actions[0]: expected {tool,"],
  [
    "a tool that cannot be called",
    [{ id: "bank", actions: [{ tool: { name: "Pay", description: "", parameters: {} } }] }],
    "services[0].actions[0]: expected {tool, aliases?: […]} with a tool of defineTool",
  ],
])("services with %s are refused with the place and what was expected (P-ADP-1)", (_, services, why) => {
  expect(() => adp({ services: () => services as never }).begin()).toThrow(why);
});
