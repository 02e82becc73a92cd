import type { Outcome, QuestionInput } from "@askwire/protocol";
import { getWire, QuestionRequest, type ToolRun, wireSend } from "@askwire/server";
import { nameOf } from "./arguments.js";
import type { Action } from "./catalogue.js";
import { typeOf } from "./parameters.js";

/** The person's values, or the reason for their absence. */
export type Given = { readonly args: Record<string, unknown> } | { readonly wrong: string };

/**
 * Asks the person for the missing parameters that only a person can give (P-31, P-ADP-10). Each is a question of no
 * dialect, all in one request. The model is never asked for them.
 */
export async function askForParameters(
  action: Action,
  args: Record<string, unknown>,
  run: ToolRun,
): Promise<Given> {
  const asked = askedFor(action, args);
  if (asked.length === 0) return { args };
  const names = asked.map(([name]) => name).join(", ");
  const nothing = (why: string): Given => ({
    wrong: `Only the user can give ${names}, and ${why}. ${nameOf(action)} was not executed: go on without it, and do not make the value up.`,
  });
  if (run.unattended || getWire() === undefined) return nothing("nobody is there to ask");
  const request = new QuestionRequest({
    tool_call_id: run.toolCall.id,
    questions: asked.map(([name, schema]) => question(action, name, schema)),
  });
  wireSend(request);
  const answer = await request.waitForAnswer().catch((error) => {
    if (run.signal.aborted) throw error;
    return undefined;
  });
  const { status, reason, note } = request.outcome as Outcome;
  const said = note === undefined || note.trim() === "" ? "" : ` (they said: ${note})`;
  if (status === "declined") return nothing(`they did not want to${said}`);
  if (reason === "do_not_ask") return nothing("they do not want to be asked questions in this session");
  if (answer === undefined) return nothing(`they could not be asked (${why(request.outcome as Outcome)})`);
  const given = Object.create(null) as Record<string, unknown>;
  for (const [index, [name, schema]] of asked.entries()) {
    const { id, options } = request.questions[index] ?? { options: [] };
    const item = answer.items.find((one) => one.question_id === id);
    const chosen = options.find((option) => option.id === item?.selected[0])?.label;
    const text = item?.own_text ?? chosen;
    if (text !== undefined) given[name] = asTyped(schema, text);
  }
  if (Object.keys(given).length === 0) return nothing("they gave no answer");
  const whole = { ...args, ...given };
  const problem = action.whole.problem(whole);
  return problem === undefined ? { args: whole } : nothing(`what they gave does not fit: ${problem}`);
}

/** The parameters that a call leaves to the person. */
export const askedFor = (action: Action, args: Record<string, unknown>) =>
  [...action.parameters.askUser].filter(([name]) => !Object.hasOwn(args, name));

const why = ({ status, reason }: Outcome) => reason ?? status;

/** Makes the question for a parameter. The values that its schema lists are the options. */
function question(action: Action, name: string, schema: Record<string, unknown>): QuestionInput {
  const description = typeof schema.description === "string" ? `: ${schema.description}` : "";
  const values = listed(schema);
  return {
    question: `${nameOf(action)} needs "${name}"${description}`,
    header: name,
    options: values.map((label) => ({ label, description: "" })),
    own_text: values.length === 0,
  };
}

function listed({ type, enum: values }: Record<string, unknown>): string[] {
  if (type === "boolean") return ["true", "false"];
  return Array.isArray(values) ? [...new Set(values.map(String))] : [];
}

/** Converts the person's words to the type of the schema. */
function asTyped(schema: Record<string, unknown>, text: string): unknown {
  const { enum: values } = schema;
  if (Array.isArray(values)) return values.find((value) => String(value) === text) ?? text;
  if (
    typeOf(schema)
      .split(" | ")
      .some((type) => type === "string" || type === "any")
  )
    return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
