import { dynamicTool, jsonSchema, tool, zodSchema } from "ai";
import { describe, expect, test } from "vitest";
import * as classic from "zod";
import * as z from "zod/mini";
import * as z3 from "zod/v3";
import {
  type AiSdkTool,
  defineTool,
  type JsonSchemaObject,
  QuestionRequest,
  type Tool,
  wireSend,
} from "../src/index.js";
import { payload } from "./raw-client.js";
import { callLine, colour, scenario, toolResult } from "./scenario.js";

const go = { user_input: "go" };
const about = { name: "Weather", description: "tells the weather" };

const citySchema = {
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};

/** The result of one call of a tool, with these arguments. */
async function called(made: Tool, args: unknown = { city: "Paris" }): Promise<Record<string, unknown>> {
  const { client } = await scenario([callLine("Weather", args, "call_1"), "text: b"], {
    tools: [made],
  }).meet();
  expect((await client.call("prompt", go)).result).toEqual({ status: "finished" });
  return toolResult(client);
}

const echo = (params: object) => JSON.stringify(params);

describe("a tool of a schema and a function", () => {
  const made: [string, Tool][] = [
    [
      "zod 4",
      defineTool({ ...about, parameters: classic.object({ city: classic.string().min(2) }), run: echo }),
    ],
    [
      "zod/mini",
      defineTool({ ...about, parameters: z.object({ city: z.string().check(z.minLength(2)) }), run: echo }),
    ],
    ["a JSON Schema", defineTool({ ...about, parameters: citySchema, run: echo })],
    [
      "a JSON Schema with a dialect",
      defineTool({
        ...about,
        parameters: { $schema: "https://json-schema.org/draft/2020-12/schema", ...citySchema },
        run: echo,
      }),
    ],
  ];

  test.each(made)(
    "a tool with a schema of %s runs with arguments that fit, and reports others to the model",
    async (_, weather) => {
      expect(await called(weather)).toMatchObject({ is_error: false, output: '{"city":"Paris"}' });
      for (const wrong of [{ city: 7 }, { city: "P" }, {}, ["Paris"]]) {
        const { is_error, message } = await called(weather, wrong);
        expect([is_error, message]).toEqual([
          true,
          expect.stringMatching(/^Invalid arguments: .*Correct them/),
        ]);
      }
    },
  );

  test.each(made)("a tool's schema of %s reaches the model as a JSON Schema", (_, { parameters }) => {
    expect(parameters).toMatchObject({
      type: "object",
      properties: { city: { type: "string", minLength: 2 } },
    });
    expect(parameters).not.toHaveProperty("$schema");
  });

  test("a tool's JSON Schema has the bounds of integers that its author set, and no others", () => {
    const lines = z.array(z.int().check(z.minimum(1)));
    const parameters = z.object({ lines, at: z.optional(z.int()), near: z.int().check(z.maximum(9)) });
    expect(defineTool({ ...about, parameters, run: echo }).parameters.properties).toEqual({
      lines: { type: "array", items: { type: "integer", minimum: 1 } },
      at: { type: "integer" },
      near: { type: "integer", maximum: 9 },
    });
  });

  test("a tool's JSON Schema names the place of what does not fit", async () => {
    const weather = defineTool({ ...about, parameters: citySchema, run: echo });
    expect((await called(weather, { city: "Paris", days: 1.5 })).message).toContain("days: ");
    expect((await called(weather, { city: "Paris", hours: 3 })).message).toContain(
      "hours: not expected here",
    );
  });

  test("the types of a tool's arguments follow its schema", () => {
    defineTool({
      ...about,
      parameters: z.object({ city: z.string() }),
      run: ({ city }) => city satisfies string,
    });
    defineTool({ ...about, parameters: citySchema, run: ({ city }) => String(city satisfies unknown) });
    // @ts-expect-error of zod 3 nothing is inferred.
    expect(() => defineTool({ ...about, parameters: z3.object({}), run: () => "" })).toThrow();
    // @ts-expect-error types that are no schema yet.
    expect(() => defineTool({ ...about, parameters: { city: z.string() }, run: () => "" })).toThrow();
  });
});

describe("a schema that cannot be used", () => {
  const foreign = { "~standard": { version: 1, vendor: "valibot", validate: () => ({ value: 1 }) } };
  test.each<[string, unknown, string]>([
    [
      "zod 3",
      z3.object({ city: z3.string() }),
      'this is a schema of zod 3: make it with zod 4 ("zod" 4, or "zod/v4" of 3.25)',
    ],
    ["another library's", foreign, "this is a schema of valibot: expected one of zod 4, or a JSON Schema"],
    ["none", undefined, "expected a schema of zod 4 or a JSON Schema"],
    ["a list", [], "expected a schema of zod 4 or a JSON Schema"],
  ])(
    "a schema of another library is refused where the tool is defined, by the tool's name: %s",
    (_, parameters, problem) => {
      expect(() => defineTool({ ...about, parameters: parameters as JsonSchemaObject, run: echo })).toThrow(
        new TypeError(`tool "Weather": parameters: ${problem}`),
      );
      const inputSchema = parameters;
      expect(() => defineTool({ ...about, tool: { inputSchema, execute: () => 1 } })).toThrow(
        new TypeError(`tool "Weather": tool.inputSchema: ${problem}`),
      );
    },
  );

  test.each<[string, object, RegExp]>([
    [
      "types that are no schema yet",
      { city: z.string() },
      /parameters\.city: put these types into z\.object/,
    ],
    ["types of zod 3", { city: z3.string() }, /parameters\.city: put these types into z\.object/],
    ["a schema of a list", { type: "array" }, /parameters\.type: expected "object"/],
    [
      "a keyword with a wrong value",
      { type: "object", required: "city" },
      /tool "Weather": parameters: required: /,
    ],
    [
      "a pattern that is none",
      { properties: { a: { pattern: "(" } } },
      /parameters: properties\.a\.pattern: /,
    ],
    ["a reference to nothing", { properties: { a: { $ref: "#/$defs/b" } } }, /there is no #\/\$defs\/b/],
  ])(
    "parameters that are no schema are refused where the tool is defined, by name and place: %s",
    (_, parameters, problem) => {
      const given = parameters as JsonSchemaObject;
      expect(() => defineTool({ ...about, parameters: given, run: echo })).toThrow(problem);
    },
  );

  test.each<[string, AiSdkTool, RegExp]>([
    [
      "no execute",
      tool({ description: "x", inputSchema: jsonSchema(citySchema as object) }),
      /tool\.execute: expected a function/,
    ],
    [
      "a schema that comes later",
      { inputSchema: jsonSchema(Promise.resolve({})), execute: () => 1 },
      /comes later: await it/,
    ],
  ])("a definition by a tool of the AI SDK is refused with %s", (_, given, problem) => {
    expect(() => defineTool({ name: "Weather", description: "x", tool: given })).toThrow(problem);
  });

  test("a definition by a tool of the AI SDK is refused without a description", () => {
    const given = tool({ inputSchema: z.object({}), execute: async () => 1 });
    expect(() => defineTool({ name: "Weather", tool: given })).toThrow(/description: expected a text/);
    expect(defineTool({ name: "Weather", description: "own", tool: given }).description).toBe("own");
  });
});

describe("a tool of the AI SDK", () => {
  const city = z.object({ city: z.string().check(z.minLength(2)) });
  const execute = async ({ city }: { city: string }) => ({ city, degrees: 20 });
  const description = "tells the weather";
  const validate = (value: unknown) => {
    const parsed = city.safeParse(value);
    return parsed.success
      ? { success: true as const, value: parsed.data }
      : { success: false as const, error: new Error("city is too short") };
  };
  test.each<[string, AiSdkTool]>([
    ["zod 4", tool({ description, inputSchema: city, execute })],
    ["zodSchema()", tool({ description, inputSchema: zodSchema(city), execute })],
    [
      "jsonSchema()",
      tool({ description, inputSchema: jsonSchema<{ city: string }>(citySchema as object), execute }),
    ],
    [
      "jsonSchema() that validates",
      tool({
        description,
        inputSchema: jsonSchema<{ city: string }>(citySchema as object, { validate }),
        execute,
      }),
    ],
    [
      "a schema that is made when needed",
      tool({ description, inputSchema: () => jsonSchema<{ city: string }>(citySchema as object), execute }),
    ],
    [
      "dynamicTool()",
      dynamicTool({ description, inputSchema: city, execute: (input) => execute(input as { city: string }) }),
    ],
  ])(
    "a tool of the AI SDK with a schema of %s runs with arguments that fit, and reports others to the model",
    async (_, given) => {
      const weather = defineTool({ name: "Weather", tool: given });
      expect(weather.description).toBe(description);
      expect(weather.parameters).toMatchObject({ type: "object", properties: { city: { type: "string" } } });
      expect(await called(weather)).toMatchObject({
        is_error: false,
        output: '{"city":"Paris","degrees":20}',
      });
      const { is_error, message } = await called(weather, { city: "P" });
      expect([is_error, message]).toEqual([
        true,
        expect.stringMatching(/^Invalid arguments: .*Correct them/),
      ]);
    },
  );

  const running = (more: object): Tool =>
    defineTool({ name: "Weather", description, tool: { inputSchema: city, execute, ...more } });

  test.each<[string, unknown, string]>([
    ["a text", "sunny", "sunny"],
    ["nothing", undefined, ""],
    ["a list", [1, 2], "[1,2]"],
  ])("a tool of the AI SDK gives %s to the model", async (_, output, text) => {
    expect(await called(running({ execute: () => output }))).toMatchObject({ is_error: false, output: text });
  });

  test("a tool of the AI SDK that gives preliminary outputs ends with the last", async () => {
    async function* steps() {
      yield "loading";
      yield "sunny";
    }
    expect(await called(running({ execute: steps }))).toMatchObject({ output: "sunny" });
  });

  test.each<[string, unknown, object]>([
    ["text", { type: "text", value: "warm" }, { is_error: false, output: "warm" }],
    ["json", { type: "json", value: { a: 1 } }, { is_error: false, output: '{"a":1}' }],
    ["error-text", { type: "error-text", value: "no city" }, { is_error: true, message: "no city" }],
    ["error-json", { type: "error-json", value: { no: 1 } }, { is_error: true, message: '{"no":1}' }],
    [
      "execution-denied",
      { type: "execution-denied", reason: "not now" },
      { is_error: true, message: "not now" },
    ],
    [
      "content",
      {
        type: "content",
        value: [
          { type: "text", text: "a map" },
          { type: "image-data", data: "aGk=", mediaType: "image/png" },
          { type: "media", data: "aGk=", mediaType: "audio/wav" },
          { type: "image-url", url: "https://example.org/a.png" },
          { type: "file-data", data: "aGk=", mediaType: "application/pdf" },
        ],
      },
      {
        is_error: false,
        output: [
          { type: "text", text: "a map" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=", id: null } },
          { type: "audio_url", audio_url: { url: "data:audio/wav;base64,aGk=", id: null } },
          { type: "image_url", image_url: { url: "https://example.org/a.png", id: null } },
          { type: "text", text: "<system>The tool gave file-data content, which is left out.</system>" },
        ],
      },
    ],
  ])(
    "a tool of the AI SDK says to the model what its toolModelOutput makes of it: %s",
    async (_, made, told) => {
      const asked: unknown[] = [];
      const toModelOutput = (options: unknown) => {
        asked.push(options);
        return made;
      };
      expect(await called(running({ toModelOutput }))).toMatchObject(told);
      expect(asked).toEqual([
        { toolCallId: "call_1", input: { city: "Paris" }, output: { city: "Paris", degrees: 20 } },
      ]);
    },
  );

  test("a tool of the AI SDK is told of its call, and its signal is aborted when the turn is cancelled", async () => {
    let begun = (_: { toolCallId: string; messages: unknown; abortSignal: AbortSignal }) => {};
    const options = new Promise<Parameters<typeof begun>[0]>((resolve) => {
      begun = resolve;
    });
    const waiting = running({
      execute: (_: unknown, given: Parameters<typeof begun>[0]) => {
        begun(given);
        return new Promise(() => {});
      },
    });
    const { client } = await scenario([callLine("Weather", { city: "Paris" }, "call_1")], {
      tools: [waiting],
    }).meet();
    const prompt = client.call("prompt", go);
    const { toolCallId, messages, abortSignal } = await options;
    expect([toolCallId, messages, abortSignal.aborted]).toEqual(["call_1", [], false]);
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(abortSignal.aborted).toBe(true);
  });

  test("a tool of the AI SDK that throws has failed", async () => {
    const burst = () => {
      throw new Error("pipe burst");
    };
    expect(await called(running({ execute: burst }))).toMatchObject({
      is_error: true,
      message: "The tool failed: pipe burst",
    });
  });

  test("a tool of the AI SDK may ask the person, and what the wait throws is reported to the model (P-OUT-7)", async () => {
    const asks = running({
      async execute() {
        const request = new QuestionRequest({ tool_call_id: "call_1", questions: [colour] });
        wireSend(request);
        return request.wait();
      },
    });
    const { client } = await scenario([callLine("Weather", { city: "Paris" }), "text: b"], {
      tools: [asks],
    }).meet({}, null);
    await client.call("prompt", go);
    expect((await toolResult(client)).message).toContain("no connected client can show questions");
  });

  test.each<[string, unknown, boolean]>([
    ["always", true, true],
    ["for these arguments", ({ city }: { city: string }) => city === "Paris", true],
    ["later decided", async () => true, true],
    ["never", false, false],
    ["not for these arguments", ({ city }: { city: string }) => city === "Rome", false],
  ])(
    "a tool of the AI SDK that needs an approval %s runs only once it is given",
    async (_, needsApproval, asked) => {
      let runs = 0;
      const guarded = running({
        needsApproval,
        execute: () => {
          runs += 1;
          return "done";
        },
      });
      const scripts = [
        callLine("Weather", { city: "Paris" }, "1"),
        callLine("Weather", { city: "Paris" }, "2"),
        "text: b",
      ];
      const { client } = await scenario(scripts, { tools: [guarded] }).meet();
      const prompt = client.call("prompt", go);
      if (asked) {
        const first = await client.seen("ApprovalRequest");
        expect([payload(first), runs]).toMatchObject([
          { sender: "Weather", action: "call Weather", description: 'Weather {"city":"Paris"}' },
          0,
        ]);
        client.reply(first, { request_id: first.id, response: "reject", feedback: "not there" });
        expect((await toolResult(client)).message).toContain("not there");
        expect(runs).toBe(0);
        const second = await client.seen("ApprovalRequest", 2);
        client.reply(second, { request_id: second.id, response: "approve" });
      }
      await prompt;
      expect(runs).toBe(asked ? 1 : 2);
    },
  );
});
