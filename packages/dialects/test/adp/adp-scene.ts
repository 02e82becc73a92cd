import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { Model, ModelPart, ModelRequest, Tool } from "@askwire/server";
import { extended, type Introduction } from "../../../server/test/extended/extended-client.js";
import { scenario } from "../../../server/test/scenario.js";
import { type AdpSettings, adp, type Service } from "../../src/index.js";

const value = (output: string): ToolReturnValue => ({
  is_error: false,
  output,
  message: "",
  display: [],
  extras: null,
});

/** A tool that says what it was given, and keeps it. */
export function echo(name: string, schema: Record<string, unknown>, ran: ToolCall[] = []): Tool {
  return {
    name,
    description: name,
    parameters: schema,
    async call(call) {
      ran.push(call);
      return value(`${name} ran with ${call.function.arguments}`);
    },
  };
}

/** The parameters of the seed's tool. */
export const codeSchema = {
  type: "object",
  properties: {
    code: { type: "string", description: "要执行的Python代码" },
    session_id: { type: "string", description: "会话标识符" },
    timeout: { type: "integer", description: "超时时间（秒）" },
  },
  required: ["code"],
};
export const codeParameters = {
  code: { type: "string", required: true, description: "要执行的Python代码" },
  session_id: { type: "string", required: false, description: "会话标识符" },
  timeout: { type: "integer", required: false, description: "超时时间（秒）" },
};

/** Two services, and the calls that ran. */
export function twoServices() {
  const ran: ToolCall[] = [];
  const services: Service[] = [
    {
      id: "microsandbox",
      description: "Runs Python.",
      aliases: ["sandbox"],
      actions: [
        { tool: echo("microsandbox_execute", codeSchema, ran), aliases: ["run_code"] },
        { tool: echo("list_sessions", { type: "object", properties: {} }, ran) },
      ],
    },
    {
      id: "browser_use",
      description: "Looks at pages.",
      actions: [
        {
          tool: echo(
            "browser_click",
            {
              type: "object",
              properties: { index: { type: "integer" }, page: { type: "string" } },
              required: ["index", "page"],
            },
            ran,
          ),
        },
      ],
    },
  ];
  return { services, ran };
}

export const asks = (tool_id = "microsandbox", action = "microsandbox_execute", tag = "tool_param") =>
  `<${tag}>\n  <tool_id>${tool_id}</tool_id>\n  <action>${action}</action>\n</${tag}>`;
export const calls = (args: string, service = "microsandbox", action = "microsandbox_execute") =>
  `<${service}>\n  <${action}>\n    ${args}\n  </${action}>\n</${service}>`;
export const execute = "\n<execute_tools />";

/** A model that says one text after the other, in pieces, and keeps what it was given. */
export function speaking(texts: readonly (string | readonly ModelPart[])[]) {
  const requests: ModelRequest[] = [];
  /** The pieces of each text that were read. */
  const read: number[] = [];
  const stream: Model["stream"] = async function* (request) {
    requests.push({ ...request, messages: [...request.messages] });
    const nth = requests.length - 1;
    const text = texts[nth] ?? "";
    read[nth] = 0;
    const parts =
      typeof text === "string"
        ? (text.match(/[\s\S]{1,16}/g) ?? []).map(
            (piece): ModelPart => ({ type: "content", part: { type: "text", text: piece } }),
          )
        : text;
    for (const part of parts) {
      read[nth] = (read[nth] ?? 0) + 1;
      yield part;
    }
  };
  return { requests, read, stream };
}

type Options = Omit<NonNullable<Parameters<typeof scenario>[1]>, "dialects" | "model">;
type Said = Parameters<typeof speaking>[0];
export type Settings = Partial<AdpSettings>;

/** A server whose model says these texts and calls the services. */
export function adpScenario(said: Said, settings: Settings = {}, options: Options = {}) {
  const { services, ran } = twoServices();
  const model = speaking(said);
  const dialects = [adp({ services: () => services, ...settings })];
  return { ...scenario([], { dialects, model, ...options }), model, ran };
}

/** A client of the base profile that has prompted, once the turn is over. */
export async function spoken(said: Said, settings?: Settings, options?: Options) {
  const set = adpScenario(said, settings, options);
  const { client, session } = await set.meet();
  const reply = await client.call("prompt", { user_input: "go" });
  return { ...set, client, session, reply };
}

/** A client of the extended profile that has prompted. */
export async function overExtended(said: Said, settings?: Settings, introduced: Introduction = {}) {
  const set = adpScenario(said, settings);
  const session = set.server.createSession();
  const client = extended(set.connect({ session, graceMs: 0 }).client);
  await client.introduce({ name: "one", ...introduced });
  return { ...set, client, session, prompt: client.call("prompt", { user_input: "go" }) };
}

/** The texts that the model read of the results of a step, in its n-th request from 0. */
export function resultsRead(requests: readonly ModelRequest[], n = 1): string[] {
  const last = requests[n]?.messages.findLast(({ role }) => role === "user");
  if (last === undefined || !("content" in last) || typeof last.content === "string") return [];
  return last.content.map((part) => (part.type === "text" ? part.text : part.type));
}

/** The JSON inside a `<result>`. */
export function json(result: string | undefined): Record<string, unknown> {
  const found = /^<result>\n([\s\S]*)\n<\/result>$/.exec(result ?? "");
  if (found?.[1] === undefined) throw new Error(`no result: ${result}`);
  return JSON.parse(found[1]) as Record<string, unknown>;
}

/** The model's own words in its n-th request, from 0. */
export function remembered(requests: readonly ModelRequest[], n = 1): string {
  const own = requests[n]?.messages.findLast(({ role }) => role === "assistant");
  if (own?.role !== "assistant") return "";
  return own.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
}
