import { isRedcFailure, PARAM_QUERY } from "@askwire/dialects/internal";
import { type QuerySubject, queriesIn } from "./plain-text.js";
import type { TrajectoryMessage } from "./trajectory.js";

type Assistant = Extract<TrajectoryMessage, { role: "assistant" }>;
type ToolMessage = Extract<TrajectoryMessage, { role: "tool" }>;
type Call = NonNullable<Assistant["tool_calls"]>[number];

/** Lists misfits between calls of the model and what their results say (P-TRJ-9). */
export function brokenResults(message: Assistant, results: readonly ToolMessage[]): string[] {
  const { tool_calls: calls = [] } = message;
  const open = results.filter(({ tool_call_id }) => tool_call_id !== undefined);
  const inText = results.filter(({ tool_call_id }) => tool_call_id === undefined);
  const native = calls.flatMap((call) => {
    const at = open.findIndex(({ tool_call_id }) => tool_call_id === call.id);
    const [result] = at === -1 ? [] : open.splice(at, 1);
    return result === undefined ? [] : brokenCall(call, result.content);
  });
  const queries = queriesIn(message.content);
  const written = queries.flatMap((asked, index) => {
    const told = inText[index]?.content;
    return told === undefined ? [] : brokenQuery(asked, withoutFrame(told));
  });
  return [...native, ...written, ...outOfOrder(calls, results), ...results.flatMap(emptyResult)];
}

/** The results of calls come in the order of the calls, and before those of calls in the text (P-TRJ-4). */
function outOfOrder(calls: readonly Call[], results: readonly ToolMessage[]): string[] {
  const ids = results.map(({ tool_call_id }) => tool_call_id);
  const told = new Set(ids);
  const due = calls.flatMap(({ id }) => (told.has(id) ? [id] : []));
  const first = ids.indexOf(undefined);
  const native = ids.filter((id) => id !== undefined);
  const mixed = first !== -1 && ids.slice(first).some((id) => id !== undefined);
  const same = native.length !== due.length || native.every((id, index) => id === due[index]);
  return mixed || !same ? [": the results are not in the order of the calls"] : [];
}

const emptyResult = ({ content }: ToolMessage): string[] =>
  withoutFrame(content).trim() === "" ? [": an empty result"] : [];

const withoutFrame = (told: string) => told.trim().replace(/^<result>|<\/result>$/g, "");

function brokenCall({ name, arguments: text }: Call, told: string): string[] {
  const args = objectIn(text);
  if (args === undefined) {
    const isRefused = /\b(?:error|invalid|failed|unknown)\b|JSON/i.test(told);
    return isRefused
      ? []
      : [`: arguments of ${shown(name)} that are no JSON object, and a result without an error`];
  }
  if (name === PARAM_QUERY) return brokenQuery(args, told);
  if (name === "AskUserQuestion") return brokenAnswers(args, told);
  return name === "ask_user" ? brokenChoice(args, told) : [];
}

/** A query is told of the action that it asked for, with its parameters. */
function brokenQuery(asked: QuerySubject, told: string): string[] {
  const answer = objectIn(told);
  if (answer === undefined) return [];
  const problems = (["tool_id", "action"] as const).flatMap((key) => {
    const [wanted, found] = [asked[key], answer[key]];
    const differs = typeof wanted === "string" && typeof found === "string" && wanted.trim() !== found.trim();
    return differs ? [`: a query of ${key} ${shown(wanted)}, and a result for ${shown(found)}`] : [];
  });
  const isBare = answer.status === "success" && objectOf(answer.parameters) === undefined;
  return isBare ? [...problems, ": a result of a query without parameters"] : problems;
}

/** The answers of a person are to the questions of the call. */
function brokenAnswers({ questions }: Record<string, unknown>, told: string): string[] {
  const line = told.split("\n").find((text) => text.startsWith('{"answers":'));
  const answers = objectOf(objectIn(line ?? "")?.answers);
  if (answers === undefined || !Array.isArray(questions)) return [];
  const asked = new Set(questions.map((item) => String(objectOf(item)?.question).trim()));
  return Object.keys(answers).flatMap((question) =>
    asked.has(question.trim()) ? [] : [`: an answer to ${shown(question)}, which its call does not ask`],
  );
}

/** An answer is one of the choices, where own words were off. */
function brokenChoice({ choices, allow_freeform }: Record<string, unknown>, told: string): string[] {
  if (!Array.isArray(choices) || choices.length === 0 || String(allow_freeform) !== "false") return [];
  const labels = choices.flatMap((choice) => {
    const item = objectOf(choice);
    const said = item === undefined ? choice : (item.label ?? item.text ?? item.value);
    return said === undefined ? [] : [String(said).trim()];
  });
  const answer = told.trim();
  const fits = labels.some((label) => answer === label || answer.startsWith(`${label}\n`));
  return fits || isRedcFailure(answer) ? [] : [`: the answer ${shown(answer)}, which is none of the choices`];
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return text.trim() === "" ? {} : objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

/** Foreign text in a line of a report. */
const shown = (text: unknown) => JSON.stringify(String(text).slice(0, 100));
