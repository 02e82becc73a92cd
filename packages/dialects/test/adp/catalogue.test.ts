import { describe, expect, test } from "vitest";
import { boundedTime } from "../../../server/src/runtime/bounded-time.js";
import { scenario } from "../../../server/test/scenario.js";
import { readCatalogue } from "../../src/adp/catalogue.js";
import { type AdpSettings, adp, type Service } from "../../src/index.js";
import { adpScenario, echo, twoServices } from "./adp-scene.js";

const anything = { type: "object" };
const service = (
  id: string,
  actions: readonly string[],
  schema: Record<string, unknown> = anything,
): Service => ({
  id,
  description: id,
  actions: actions.map((name) => ({ tool: echo(name, schema) })),
});
const read = (services: readonly Service[]) => readCatalogue(services, boundedTime(250));

describe("a catalogue", () => {
  test.each<[string, Service[], string]>([
    [
      "two services of one name",
      [service("a_b", ["c"]), service("A-B", ["d"])],
      '"A-B": "A-B" is the name of another',
    ],
    [
      "an alias that another service has",
      [service("a", ["c"]), { ...service("b", ["d"]), aliases: ["A"] }],
      '"b": "A" is the name of another',
    ],
    ["two actions of one name", [service("a", ["c_d", "cd"])], '"a": "cd": "cd" is the name of another'],
    [
      "an action that two services have",
      [service("a", ["c"]), service("b", ["c"])],
      '"b": "c": "a" has an action',
    ],
    [
      "a service with a name that is no tag",
      [service("a b", ["c"])],
      'expected a name, a letter first, not "a b"',
    ],
    ["a service without a name", [service("__", ["c"])], 'not "__"'],
    ["an action with a name that is no tag", [service("a", ["1c"])], '"a": "1c": expected a name'],
    [
      "a service that would be read as a query",
      [service("Tool-Param", ["c"])],
      "Tool-Param means something else",
    ],
    ["an action that has the name of the query", [service("a", ["param_query"])], "the dialect has a tool"],
    [
      "a schema that is none",
      [service("a", ["c"], { type: "object", properties: { x: { type: "text" } } })],
      'services: "a": "c": parameters.properties.x.type: expected one of',
    ],
    [
      "a schema that is no object's",
      [service("a", ["c"], { type: "array" })],
      '"c": parameters: expected the schema of',
    ],
  ])("a catalogue with %s is refused, and the fault is named (P-ADP-1)", (_, services, problem) => {
    expect(() => read(services)).toThrow(TypeError);
    expect(() => read(services)).toThrow(problem);
  });

  test("no session is made with a wrong catalogue (P-ADP-1)", () => {
    const { server } = adpScenario([], { services: () => [service("a", ["c", "C"])] });
    expect(() => server.createSession()).toThrow('services: "a": "C"');
  });

  test("a catalogue is read anew for each session, so that its tools may keep state (P-ADP-1)", () => {
    let begun = 0;
    const { server } = adpScenario([], {
      services: () => {
        begun += 1;
        return twoServices().services;
      },
    });
    server.createSession();
    server.createSession();
    expect(begun).toBe(2);
  });

  test("a catalogue's tool cannot have the name of a tool of the agent", () => {
    const { services } = twoServices();
    const own = echo("browser_click", anything);
    const { server } = scenario([], { dialects: [adp({ services: () => services })], tools: [own] });
    expect(() => server.createSession()).toThrow('"browser_click"');
  });

  test("an unknown name is answered with the nearest names first, and not with all of many", () => {
    const many = read(Array.from({ length: 40 }, (_, n) => service(`service_${n}`, [`act_${n}`])));
    const found = many.find("Service-17x", "act");
    expect(found).toMatchObject({ unknown: "tool", candidates: expect.arrayContaining(["service_17"]) });
    if (!("unknown" in found)) throw new Error("it is there");
    expect(found.candidates[0]).toBe("service_17");
    expect(found.candidates).toHaveLength(8);
  });

  test("a query is answered with type, required and description of each parameter, then with what else its schema says", () => {
    const schema = {
      type: "object",
      properties: {
        colour: { enum: ["red", "blue"], description: "Which?", default: "red" },
        size: { type: ["integer", "null"], minimum: 1 },
        where: { $ref: "#/$defs/place" },
        many: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        free: true,
        pin: { type: "string", description: "The PIN", askUser: true },
      },
      required: ["where", "pin"],
      $defs: { place: { type: "string", description: "A place" } },
    };
    const found = read([service("a", ["c"], schema)]).find("a", "c");
    if ("unknown" in found) throw new Error("not there");
    const table = Object.fromEntries(found.action.parameters.table);
    expect(table).toEqual({
      colour: {
        type: "string",
        required: false,
        description: "Which?",
        enum: ["red", "blue"],
        default: "red",
      },
      size: { type: "integer | null", required: false, description: "", minimum: 1 },
      where: { type: "string", required: true, description: "A place" },
      many: {
        type: "string | array",
        required: false,
        description: "",
        anyOf: schema.properties.many.anyOf,
      },
      free: { type: "any", required: false, description: "" },
      pin: { type: "string", required: false, description: "The PIN", askUser: true },
    });
    expect(Object.keys(table.where ?? {})).toEqual(["type", "required", "description"]);
  });
});

describe("a setting", () => {
  const services = () => twoServices().services;
  test.each<[string, object]>([
    ["services", { services: [] }],
    ["form", { services, form: "xml" }],
    ["errors", { services, errors: "xml" }],
    ["queryPolicy", { services, queryPolicy: "never" }],
    ["maxQueriesPerTurn", { services, maxQueriesPerTurn: 0 }],
  ])("a wrong setting of %s is refused (P-ADP-1)", (name, settings) => {
    expect(() => adp(settings as AdpSettings)).toThrow(new RegExp(`^adp: ${name}: expected`));
  });
});
