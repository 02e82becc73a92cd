import type { Tool } from "../../agent/agent.js";
import { type JsonSchema, readJsonSchema } from "../../json-schema/json-schema.js";
import { isObject } from "../../json-schema/json-schema-rules.js";
import type { BoundedTime } from "../../runtime/bounded-time.js";
import { isName, nameKey, nearest } from "./names.js";
import { type ActionParameters, actionParameters, withoutAskUser } from "./parameters.js";

/** Actions that a model calls under one name. */
export interface Service {
  /** What the model calls it: a letter first, then letters, digits, `_`, `-` and `.`. */
  readonly id: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** Other names that a model may use. Default: none. */
  readonly aliases?: readonly string[];
  /**
   * What it can do. An action has the name, the parameters and the result of its tool; a property of the parameters with
   * `askUser: true` is one that only the person can give.
   */
  readonly actions: readonly { readonly tool: Tool; readonly aliases?: readonly string[] }[];
}

/** An action as the catalogue knows it. */
export interface Action {
  readonly service: Service;
  readonly tool: Tool;
  readonly parameters: ActionParameters;
  /** What the model must write. */
  readonly written: JsonSchema;
  /** What the tool is given: the same, with what the person was asked for. */
  readonly whole: JsonSchema;
}

/** What is found under two names. `candidates`: what there is instead, the nearest first (P-08). */
export type Found =
  | { readonly action: Action }
  | { readonly unknown: "tool" | "action"; readonly candidates: readonly string[] };

/** Every service and action of a session, and all that is known of them: nothing else says it (P-28). */
export interface Catalogue {
  readonly services: readonly Service[];
  readonly actions: readonly Action[];
  /** The service of this id or alias, in any case and with any separators (P-09). */
  service(id: string): Service | undefined;
  /** The action of this name or alias, likewise (P-10). */
  find(toolId: string, action: string): Found;
}

/** What a model calls the tool that tells parameters. */
export const PARAM_QUERY = "param_query";
/** The other name that its queries may have as tags. */
export const TOOL_PARAM = "tool_param";

/** Tags that mean something else. */
const RESERVED: readonly string[] = [
  PARAM_QUERY,
  TOOL_PARAM,
  "tool_id",
  "action",
  "result",
  "think",
  "execute_tools",
];
const reserved: ReadonlySet<string> = new Set(RESERVED.map(nameKey));
/** Those that do so within a service too. */
const neverActions: ReadonlySet<string> = new Set([PARAM_QUERY, TOOL_PARAM, "result", "execute_tools"]);

/** What a slip of the pen makes of a service, said before anything is read of it. */
function refuseNoService(service: Partial<Service> | null | undefined, at: string): void {
  const { id, aliases = [], actions } = service ?? {};
  if (typeof id !== "string" || !Array.isArray(aliases) || !Array.isArray(actions))
    throw new TypeError(`${at}: expected {id, description, aliases?: […], actions: [{tool}]}`);
  const wrong = actions.findIndex(
    (action) => typeof action?.tool?.call !== "function" || !Array.isArray(action.aliases ?? []),
  );
  if (wrong !== -1)
    throw new TypeError(`${at}.actions[${wrong}]: expected {tool, aliases?: […]} with a tool of defineTool`);
}

/**
 * Reads services.
 *
 * @param within runs the check of what a model wrote, which a schema can make take long.
 * @throws TypeError that names the service, the action and the place that are wrong.
 */
export function readCatalogue(services: readonly Service[], within: BoundedTime): Catalogue {
  const byKey = new Map<string, Service>();
  const actionsOf = new Map<Service, ReadonlyMap<string, Action>>();
  const owners = new Map<string, string>();
  // What the program itself brings is read however long that takes.
  let limited = false;
  const checking: BoundedTime = (work) => {
    if (limited) return within(work);
    work();
    return true;
  };
  if (!Array.isArray(services)) throw new TypeError("services: expected a function that gives an array");
  for (const [index, service] of (services as readonly Service[]).entries()) {
    refuseNoService(service, `services[${index}]`);
    const { id, aliases = [], actions } = service;
    const at = `services: ${JSON.stringify(id)}`;
    for (const name of [id, ...aliases]) {
      if (!isName(name))
        throw new TypeError(`${at}: expected a name, a letter first, not ${JSON.stringify(name)}`);
      if (reserved.has(nameKey(name)))
        throw new TypeError(`${at}: ${name} means something else: call it otherwise`);
      add(byKey, name, service, at);
    }
    const own = new Map<string, Action>();
    for (const { tool, aliases: others = [] } of actions) {
      const place = `${at}: ${JSON.stringify(tool.name)}`;
      if (tool.name === PARAM_QUERY) throw new TypeError(`${place}: the dialect has a tool of that name`);
      const elsewhere = owners.get(tool.name);
      if (elsewhere !== undefined) throw new TypeError(`${place}: ${elsewhere} has an action of that name`);
      owners.set(tool.name, JSON.stringify(id));
      const action = readAction(service, tool, place, checking);
      for (const name of [tool.name, ...others]) {
        if (!isName(name))
          throw new TypeError(`${place}: expected a name, a letter first, not ${JSON.stringify(name)}`);
        if (neverActions.has(name))
          throw new TypeError(`${place}: ${name} means something else: call it otherwise`);
        add(own, name, action, place);
      }
    }
    actionsOf.set(service, own);
  }
  limited = true;

  return {
    services,
    actions: [...actionsOf.values()].flatMap((own) => [...new Set(own.values())]),
    service: (id) => byKey.get(nameKey(id)),
    find(toolId, asked) {
      const service = byKey.get(nameKey(toolId));
      if (service === undefined) {
        const near = nearest(toolId, services, ({ id, aliases = [] }) => [id, ...aliases]);
        return { unknown: "tool", candidates: near.map(({ id }) => id) };
      }
      const action = actionsOf.get(service)?.get(nameKey(asked));
      if (action !== undefined) return { action };
      const near = nearest(asked, service.actions, ({ tool, aliases = [] }) => [tool.name, ...aliases]);
      return { unknown: "action", candidates: near.map(({ tool }) => tool.name) };
    },
  };
}

function add<T>(known: Map<string, T>, name: string, one: T, at: string): void {
  const key = nameKey(name);
  const other = known.get(key);
  if (other !== undefined && other !== one) {
    throw new TypeError(
      `${at}: ${JSON.stringify(name)} is the name of another one (case and separators do not count)`,
    );
  }
  known.set(key, one);
}

function readAction(service: Service, tool: Tool, at: string, within: BoundedTime): Action {
  const { parameters: schema } = tool;
  const whole = readJsonSchema(schema, within);
  if (typeof whole === "string") throw new TypeError(`${at}: ${whole}`);
  if (!isObject(schema) || (schema.type !== undefined && schema.type !== "object")) {
    throw new TypeError(`${at}: parameters: expected the schema of an object`);
  }
  const parameters = actionParameters(schema);
  const written = readJsonSchema(withoutAskUser(schema, parameters), within);
  if (typeof written === "string") throw new TypeError(`${at}: ${written}`);
  return { service, tool, parameters, written, whole };
}
