import { describe, expect, test } from "vitest";
import { payload } from "../../../server/test/raw-client.js";
import { callLine, scenario } from "../../../server/test/scenario.js";
import { adp } from "../../src/index.js";
import {
  asks,
  calls,
  codeParameters,
  execute,
  json,
  overExtended,
  remembered,
  resultsRead,
  spoken,
  twoServices,
} from "./adp-scene.js";

const args = '{"code": "print(1)"}';
const success = {
  status: "success",
  tool_id: "microsandbox",
  action: "microsandbox_execute",
  parameters: codeParameters,
};
const done = "It prints 1.";

describe("the two steps", () => {
  test("a query is answered first, then a call runs and gives the answer (P-ADP-1, P-ADP-2)", async () => {
    const { client, model, ran, reply } = await spoken([
      `Let me see.\n${asks()}`,
      `${calls(args)}${execute}`,
      done,
    ]);
    expect(reply.result).toMatchObject({ status: "finished" });
    expect(resultsRead(model.requests, 1)).toEqual([
      `<result>\n${JSON.stringify(success, null, 2)}\n</result>`,
    ]);
    expect(remembered(model.requests, 1)).toBe(`Let me see.\n${asks()}`);
    expect(ran.map((call) => call.function)).toEqual([
      { name: "microsandbox_execute", arguments: JSON.stringify(JSON.parse(args)) },
    ]);
    expect(resultsRead(model.requests, 2)).toEqual([
      `<result>\nmicrosandbox_execute ran with {"code":"print(1)"}\n</result>`,
    ]);
    expect(remembered(model.requests, 2)).toBe(`${calls(args)}${execute}`);
    const said = client.received.filter(({ params }) => params?.type === "ContentPart");
    expect(said.map((part) => payload(part).text).join("")).toBe(`Let me see.\n${done}`);
    const told = client.received.filter(({ params }) => params?.type === "ToolCall").map(payload);
    expect(told).toMatchObject([
      { function: { name: "param_query" }, extras: { written: asks() } },
      { function: { name: "microsandbox_execute" }, extras: { written: `${calls(args)}${execute}` } },
    ]);
  });

  test("a query asks nobody: it is no request, and needs no tag that executes it (P-ADP-2)", async () => {
    const { client, prompt } = await overExtended([asks(), done]);
    await prompt;
    expect(client.events("InteractionOpened")).toEqual([]);
    expect(client.events("ToolResult")).toHaveLength(1);
  });

  test("queries and calls are answered where nobody is there, too (P-ADP-2)", async () => {
    const { model } = await spoken([asks(), done], {}, { attendance: "decline" });
    expect(json(resultsRead(model.requests)[0])).toEqual(success);
  });

  test("a query about an action without parameters is answered with none", async () => {
    const { model, ran } = await spoken([
      asks("microsandbox", "list_sessions"),
      calls("", "microsandbox", "list_sessions"),
      done,
    ]);
    expect(json(resultsRead(model.requests)[0])).toMatchObject({ status: "success", parameters: {} });
    expect(ran.map((call) => call.function.arguments)).toEqual(["{}"]);
  });

  test.each(["tool_param", "param_query"])("both steps are the same under the name %s", async (tag) => {
    const { model } = await spoken([asks(undefined, undefined, tag), done]);
    expect(json(resultsRead(model.requests)[0])).toEqual(success);
  });

  test("several queries are answered in their order, with one result each", async () => {
    const { model } = await spoken([`${asks()}\n${asks("browser_use", "browser_click")}`, done]);
    expect(resultsRead(model.requests).map(json)).toMatchObject([
      { tool_id: "microsandbox" },
      { tool_id: "browser_use", parameters: { index: { type: "integer", required: true } } },
    ]);
  });
});

describe("names", () => {
  test.each<[string, string, string]>([
    ["Micro-Sandbox", "microsandbox execute", "another case, other separators"],
    ["sandbox", "run_code", "aliases"],
  ])("the names %s and %s are known, and answered with the canonical ones: %s", async (id, action) => {
    const { model } = await spoken([asks(id, action), done]);
    expect(json(resultsRead(model.requests)[0])).toEqual({
      status: "success",
      tool_id: id,
      action,
      canonical_tool_id: "microsandbox",
      canonical_action: "microsandbox_execute",
      parameters: codeParameters,
    });
  });

  test("an alias runs its action with checked arguments", async () => {
    const { ran, model } = await spoken([
      calls(args, "sandbox", "run_code"),
      calls("{}", "sandbox", "run_code"),
      done,
    ]);
    expect(ran.map((call) => call.function.name)).toEqual(["microsandbox_execute"]);
    expect(resultsRead(model.requests, 2)[0]).toContain("缺少必需参数: ['code']");
  });

  test("the answer to an unknown name lists the nearest known ones (P-ADP-2)", async () => {
    const { model, ran } = await spoken([
      `${asks("browser")}${asks("microsandbox", "execute")}`,
      calls(args, "microsandbox", "excute"),
      done,
    ]);
    expect(resultsRead(model.requests).map(json)).toEqual([
      {
        status: "error",
        tool_id: "browser",
        action: "microsandbox_execute",
        error: "unknown_tool",
        message: "There is no service browser.",
        candidates: ["browser_use", "microsandbox"],
      },
      {
        status: "error",
        tool_id: "microsandbox",
        action: "execute",
        error: "unknown_action",
        message: "The service microsandbox has no action execute.",
        candidates: ["microsandbox_execute", "list_sessions"],
      },
    ]);
    expect(json(resultsRead(model.requests, 2)[0])).toMatchObject({
      error: "unknown_action",
      not_executed: ["microsandbox.excute"],
      note: expect.stringContaining("was not executed"),
    });
    expect(ran).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["a service", asks("b"), "Error: 未知的工具ID: b\n可用的工具ID: ['microsandbox', 'browser_use']"],
    ["an action", asks("browser_use", "b"), "Error: 工具 browser_use 不支持动作 b"],
    [
      "a malformed query",
      "<tool_param></tool_param>",
      "Error: Invalid <tool_param> format. Missing <tool_id> or <action> tag.",
    ],
  ])("%s that is not known is reported in the native words where that is set", async (_, said, told) => {
    const { model } = await spoken([said, done], { errors: "text" });
    expect(resultsRead(model.requests)).toEqual([`<result>\n${told}\n</result>`]);
  });
});

describe("a query and a call in one message", () => {
  test.each<[string, string]>([
    ["the call after the query", `${asks()}\n${calls(args)}${execute}\nThe results indicate 1.`],
    ["the call before the query", `${calls(args)}\n${asks()}`],
  ])(
    "a message with a query and a call has only its query answered, and is told so: %s (P-ADP-6)",
    async (_, said) => {
      const { model, ran, client } = await spoken([said, done]);
      expect(ran).toEqual([]);
      const [result, ...others] = resultsRead(model.requests);
      expect(others).toEqual([]);
      expect(json(result)).toEqual({
        ...success,
        not_executed: ["microsandbox.microsandbox_execute"],
        note: expect.stringContaining("not executed"),
      });
      expect(JSON.stringify(client.received)).not.toContain("indicate");
      expect(remembered(model.requests)).not.toContain("indicate");
    },
  );

  test("a message with a query and a call is told so in plain words too, where those are set", async () => {
    const said = `<tool_param/>${calls(args)}`;
    const { model } = await spoken([said, done], { errors: "text" });
    expect(resultsRead(model.requests)[0]).toContain("Not executed: microsandbox.microsandbox_execute\n");
  });

  test("a result that the model wrote is neither shown nor remembered, and nothing more of it is read (P-ADP-7)", async () => {
    const fake = `${asks()}\n<result>\n{"status": "made up"}\n</result>\n${"And so on. ".repeat(40)}`;
    const { client, model } = await spoken([fake, done]);
    expect(JSON.stringify(client.received)).not.toContain("made up");
    expect(remembered(model.requests)).toBe(asks());
    expect(json(resultsRead(model.requests)[0])).toEqual(success);
    expect((model.read[0] ?? 0) * 16).toBeLessThan(fake.length / 2);
  });
});

describe("too many queries", () => {
  test("too many queries in a turn are answered with an error, and the next turn counts anew (P-ADP-2)", async () => {
    const two = `${asks()}${asks("browser_use", "browser_click")}`;
    const { client, model } = await spoken([two, done, asks(), done], { maxQueriesPerTurn: 1 });
    expect(resultsRead(model.requests).map((one) => json(one).error)).toEqual([
      undefined,
      "too_many_queries",
    ]);
    await client.call("prompt", { user_input: "again" });
    expect(json(resultsRead(model.requests, 3)[0])).toMatchObject({ status: "success" });
  });

  test("each query takes one of the steps that a turn may have, as anything that the model says does", async () => {
    const said = [asks(), asks("browser_use", "browser_click"), calls(args), done];
    expect((await spoken(said, {}, { maxStepsPerTurn: 4 })).reply.result).toMatchObject({
      status: "finished",
    });
    const { reply, ran } = await spoken(said, {}, { maxStepsPerTurn: 3 });
    expect(reply.result).toMatchObject({ status: "max_steps_reached" });
    expect(ran).toHaveLength(1);
  });

  test("repeated queries about one action, under whatever names, are answered with a warning of a loop (P-ADP-2)", async () => {
    const { model } = await spoken([asks(), asks("sandbox"), asks(), asks("Micro-sandbox"), done]);
    const told = [1, 2, 3, 4].map((n) => json(resultsRead(model.requests, n)[0]));
    expect(told.map(({ error }) => error)).toEqual([undefined, undefined, undefined, "repeated_query"]);
    expect(told[3]?.message).toContain("4 times");
  });
});

describe("as tools of the provider", () => {
  const settings = { form: "native" as const };

  test("queries and calls are calls of the provider's tools where they are set so, with the same answers (P-ADP-11)", async () => {
    const { services, ran } = twoServices();
    const { meet, model } = scenario(
      [
        callLine("param_query", { tool_id: "sandbox", action: "run_code" }, "q"),
        callLine("microsandbox_execute", { code: "print(1)" }, "c"),
        "text: done",
      ],
      { dialects: [adp({ services: () => services, ...settings })] },
    );
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.tools.map(({ name, parameters }) => [name, parameters])).toEqual([
      ["param_query", expect.objectContaining({ required: ["tool_id", "action"] })],
      ["microsandbox_execute", { type: "object" }],
      ["list_sessions", { type: "object" }],
      ["browser_click", { type: "object" }],
    ]);
    expect(model.requests[0]?.system).toContain('param_query {"tool_id": "microsandbox"');
    expect(model.requests[0]?.system).not.toContain("<tool_param>");
    const results = model.requests[2]?.messages.flatMap((one) =>
      one.role === "tool" ? [one.result.output] : [],
    );
    expect(JSON.parse(String(results?.[0]))).toMatchObject({ status: "success", parameters: codeParameters });
    expect(results?.[1]).toBe('microsandbox_execute ran with {"code":"print(1)"}');
    expect(ran).toHaveLength(1);
  });

  test("tags in the text stay text where queries and calls are tools of the provider", async () => {
    const { client, ran } = await spoken([asks()], settings);
    const said = client.received.filter(({ params }) => params?.type === "ContentPart");
    expect(said.map((part) => payload(part).text).join("")).toBe(asks());
    expect(ran).toEqual([]);
  });
});
