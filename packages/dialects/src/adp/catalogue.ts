import { nameKey, nearest } from "@askwire/protocol/internal";
import type { Tool } from "@askwire/server";
import { type BoundedTime, isObject, type JsonSchema, readJsonSchema } from "@askwire/server/internal";
import { isName } from "./names.js";
import { type ActionParameters, actionParameters, withoutAskUser } from "./parameters.js";

/** Actions that a model calls under one name. */
export interface Service {
  /** The name for the model: a letter first, then letters, digits, `_`, `-` and `.`. */
  readonly id: string;
  /** Tells the model the purpose of the service. */
  readonly description: string;
  /** Other names that a model may use. Default: none. */
  readonly aliases?: readonly string[];
  /**
   * The actions of the service. An action has the name, the parameters and the result of its tool. Only the person can
   * give a property of the parameters with `askUser: true`.
   */
  readonly actions: readonly { readonly tool: Tool; readonly aliases?: readonly string[] }[];
}

/** An action as the catalogue knows it. */
export interface Action {
  readonly service: Service;
  readonly tool: Tool;
  readonly parameters: ActionParameters;
  /** The schema of the arguments that the model must write. */
  readonly written: JsonSchema;
  /** The schema of the tool's arguments: the model's and the person's. */
  readonly whole: JsonSchema;
}

/** The result of a search by two names. `candidates` are existing names instead, the nearest first (P-08). */
export type ActionLookup =
  | { readonly action: Action }
  | { readonly unknown: "tool" | "action"; readonly candidates: readonly string[] };

/** Every service and action of a session, and all that is known of them: nothing else says it (P-28). */
export interface Catalogue {
  readonly services: readonly Service[];
  readonly actions: readonly Action[];
  /** The service of this id or alias, in any case and with any separators (P-09). */
  service(id: string): Service | undefined;
  /** Finds the action of this name or alias, or candidates (P-10). */
  find(toolId: string, action: string): ActionLookup;
}

/** The model's name for the tool that describes parameters. */
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
/** Names with another meaning, also within a service. */
const neverActions: ReadonlySet<string> = new Set([PARAM_QUERY, TOOL_PARAM, "result", "execute_tools"]);

/** Refuses a value that is no service, before any of its members is read. */
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
 * @param within limits the check of a model's text, which a schema can make slow.
 * @throws TypeError that names the wrong service, action and place.
 */
export function readCatalogue(services: readonly Service[], within: BoundedTime): Catalogue {
  const byKey = new Map<string, Service>();
  const actionsOf = new Map<Service, ReadonlyMap<string, Action>>();
  const owners = new Map<string, string>();
  // The program's own values are read without a time limit.
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
