import type { ToolCall } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { callLine, scenario } from "../../../server/test/scenario.js";
import { adp, type Service } from "../../src/index.js";
import { calls, echo, resultsRead, spoken, twoServices } from "./adp-scene.js";

const one = {
  type: "object",
  properties: { code: { type: "string" } },
  required: ["code"],
};
const number = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };
const loose = { type: "object", properties: {}, additionalProperties: { type: "integer" } };

function services(ran: ToolCall[]): Service[] {
  const tools = [echo("run", one, ran), echo("count", number, ran), echo("tag", loose, ran)];
  return [
    ...twoServices().services,
    { id: "lab", description: "Tries things.", actions: tools.map((tool) => ({ tool })) },
  ];
}

/** The model's result of a call with this text, and the calls that ran. */
async function called(action: string, text: string, service = "lab") {
  const ran: ToolCall[] = [];
  const { model } = await spoken([calls(text, service, action), "done"], { services: () => services(ran) });
  return { told: resultsRead(model.requests)[0] ?? "", ran: ran.map((call) => call.function.arguments) };
}

/** A call of the provider's tool, told likewise. */
async function calledNative(action: string, args: unknown) {
  const ran: ToolCall[] = [];
  const { meet, model } = scenario([callLine(action, args), "text: done"], {
    dialects: [adp({ services: () => services(ran), form: "native" })],
  });
  const { client } = await meet();
  await client.call("prompt", { user_input: "go" });
  const result = model.requests[1]?.messages.find(({ role }) => role === "tool");
  const told = result?.role === "tool" ? String(result.result.output) : "";
  return { told, ran: ran.map((call) => call.function.arguments) };
}

describe("arguments", () => {
  test.each<[string, string, string, string]>([
    ["a JSON object", "run", '{"code": "1"}', '{"code":"1"}'],
    [
      "text, as the only parameter that must be there",
      "run",
      "print(1)\nprint(2)",
      '{"code":"print(1)\\nprint(2)"}',
    ],
    ["text that looks like a list, likewise", "run", "[x for x in y]", '{"code":"[x for x in y]"}'],
    ["a number, likewise", "count", "5", '{"n":5}'],
    ["digits as text, where it is text", "run", "5", '{"code":"5"}'],
    ["nothing, where nothing must be there", "tag", "", "{}"],
    ["more, where the schema lets them", "tag", '{"a": 1, "__proto__": 2}', '{"a":1,"__proto__":2}'],
  ])("arguments may be %s (P-ADP-9)", async (_, action, text, args) => {
    expect((await called(action, text)).ran).toEqual([args]);
  });

  test.each<[string, string, string, string]>([
    ["an array", "run", "[1]", "参数必须是JSON对象格式"],
    ["bad JSON", "run", '{"code": ', "JSON格式错误: "],
    [
      "text for several parameters",
      "browser_click",
      "3",
      "工具 browser_use.browser_click 需要多个参数，请使用JSON格式",
    ],
  ])(
    "arguments that are %s are reported to the model, with an example (P-ADP-9)",
    async (_, action, text, problem) => {
      const { told, ran } = await called(action, text, action === "run" ? "lab" : "browser_use");
      expect(ran).toEqual([]);
      expect(told).toContain(problem);
      expect(told).toMatch(/建议JSON格式: \{"/);
    },
  );

  test.each<[unknown, string]>([
    [5, "不支持的参数类型: number"],
    [null, "不支持的参数类型: null"],
    [["a"], "参数必须是JSON对象格式"],
  ])("arguments of a provider's tool that are %j are reported to the model", async (args, problem) => {
    const { told, ran } = await calledNative("run", args);
    expect(ran).toEqual([]);
    expect(told).toContain(problem);
  });

  test("arguments of a provider's tool may be text", async () => {
    expect((await calledNative("run", "print(1)")).ran).toEqual(['{"code":"print(1)"}']);
  });
});

describe("a call that does not fit", () => {
  test.each<[string, string, string, string]>([
    ["missing", "browser_click", '{"page": "a"}', "缺少必需参数: ['index']"],
    [
      "too much",
      "browser_click",
      '{"page": "a", "index": 1, "colour": 2}',
      "无效参数: ['colour']，有效参数: ['index', 'page']",
    ],
    ["both", "browser_click", '{"colour": 2}', "缺少必需参数: ['index', 'page']\n无效参数: ['colour']"],
  ])(
    "a call with wrong parameters (%s) is answered with the query for the right ones, in the native words",
    async (_, action, text, problem) => {
      const { told, ran } = await called(action, text, "browser_use");
      expect(ran).toEqual([]);
      expect(told).toContain(`Error Details: ${problem}`);
    },
  );

  test.each<[string, string, string]>([
    ["another type", "run", '{"code": 1}'],
    ["too small", "count", '{"n": 0}'],
    ["another type of what may be there", "tag", '{"a": "b"}'],
  ])(
    "a call with wrong parameters (%s) is answered with the query for the right ones, as the schema has it",
    async (_, action, text) => {
      const { told, ran } = await called(action, text);
      expect(ran).toEqual([]);
      expect(told).toMatch(/Error Details: (code|n|a): /);
    },
  );

  test("a call with wrong parameters is answered with the query in the native form (P-ADP-9)", async () => {
    const { told } = await called("browser_click", '{"page": "a"}', "Browser-Use");
    expect(told).toBe(
      [
        "<result>\nParameter Validation Failed ",
        "Tool Call: browser_use.browser_click\nError Details: 缺少必需参数: ['index']",
        'Your Input: {"page": "a"}',
        "Correction Suggestions: Use <tool_param><tool_id>browser_use</tool_id><action>browser_click</action></tool_param> to get the correct parameters",
        "Please retry with the correct parameters.\n</result>",
      ].join("\n\n"),
    );
  });

  test("a call with wrong parameters is answered with param_query, where that is a provider's tool", async () => {
    expect((await calledNative("count", {})).told).toContain(
      'Use param_query {"tool_id":"lab","action":"count"} to',
    );
  });

  test("the answer to a long call with wrong parameters quotes only its beginning", async () => {
    const { told } = await called("run", `{"code": 1, "x": "${"y".repeat(50_000)}"}`);
    expect(told.length).toBeLessThan(4000);
  });
});

describe("a tool of a service", () => {
  const failing = (name: string, fails: () => Promise<never>): Service => ({
    id: name,
    description: name,
    actions: [{ tool: { ...echo(`${name}_it`, { type: "object" }), call: fails } }],
  });

  test("a tool's failure is a result, and the turn continues (P-ADP-8)", async () => {
    const broken = failing("broken", () => Promise.reject(new Error("no disk")));
    const { model, reply } = await spoken([calls("", "broken", "broken_it"), "done"], {
      services: () => [broken],
    });
    expect(reply.result).toMatchObject({ status: "finished" });
    expect(resultsRead(model.requests)).toEqual(["<result>\nThe tool failed: no disk\n</result>"]);
  });

  test.each<[string, string, string]>([
    ["nothing", "", "No action was performed or no result was returned."],
    ["blanks", " \n", "No action was performed or no result was returned."],
    ["the end of a result", "a</result>b", "a<\\/result>b"],
  ])("a tool's output is one result, also with %s (P-ADP-8)", async (_, output, told) => {
    const tool = echo("say", { type: "object" });
    const service: Service = {
      id: "lab",
      description: "",
      actions: [
        {
          tool: {
            ...tool,
            call: async () => ({ is_error: false, output, message: "", display: [], extras: null }),
          },
        },
      ],
    };
    const { model } = await spoken([calls("", "lab", "say"), "done"], { services: () => [service] });
    expect(resultsRead(model.requests)).toEqual([`<result>\n${told}\n</result>`]);
  });

  test("a tool's images come after the text of its result (P-ADP-8)", async () => {
    const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,aaaa", id: null } };
    const tool = echo("look", { type: "object" });
    const output = [{ type: "text" as const, text: "here" }, image];
    const service: Service = {
      id: "lab",
      description: "",
      actions: [
        {
          tool: {
            ...tool,
            call: async () => ({ is_error: false, output, message: "", display: [], extras: null }),
          },
        },
      ],
    };
    const { model } = await spoken([calls("", "lab", "look"), "done"], { services: () => [service] });
    expect(resultsRead(model.requests)).toEqual(["<result>\nhere\n</result>", "image_url"]);
  });
});
