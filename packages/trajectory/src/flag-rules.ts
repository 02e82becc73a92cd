import { PARAM_QUERY } from "@askwire/dialects/internal";
import { textSigns } from "./plain-text.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** Corruptions that no check can find, since the file has nothing else to hold them against (P-TRJ-9). */
export const uncheckedCorruptions = [
  "another result of the same form",
  "another answer in a person's own words",
  "a result that was an error and says otherwise",
  "changed words of a person or a model",
  "a text that was cut in the middle",
  "a missing turn",
  "other arguments of a call",
  "loss of a last message",
  "times and the id of the session",
  "filled_after_query",
  "success that should be true",
] as const;

/** Lists flags and a task that the messages contradict (P-TRJ-9). */
export function brokenFlags({ task, messages, flags }: Trajectory): string[] {
  const problems: string[] = [];
  const first = messages.find(({ role }) => role === "user");
  if (first !== undefined && first.content !== task) problems.push("task: not the words of the first prompt");
  const counted = countedIn(messages);
  for (const key of ["queries", "dropped_calls"] as const) {
    if (flags[key] !== counted[key])
      problems.push(`flags.${key}: expected ${counted[key]}, as the messages have it, found ${flags[key]}`);
  }
  if (flags.validation_errors < counted.refused || flags.validation_errors > counted.results)
    problems.push(
      `flags.validation_errors: expected ${counted.refused}, as the messages have it, found ${flags.validation_errors}`,
    );
  if (flags.filled_after_query > flags.queries)
    problems.push("flags.filled_after_query: more than there are queries");
  if (flags.unanswered_queries !== counted.unanswered)
    problems.push(
      `flags.unanswered_queries: expected ${counted.unanswered}, as the messages have it, found ${flags.unanswered_queries}`,
    );
  if (counted.hallucinated && !flags.hallucinated_result)
    problems.push("flags.hallucinated_result: expected true, as the messages have it");
  if (flags.success && !isAnswered(messages)) problems.push("flags.success: the last message is no answer");
  return problems;
}

const REFUSED = /^(?:<system>ERROR: |<result>\s*)?(?:Parameter Validation Failed|Invalid arguments)\b/;

function countedIn(messages: readonly TrajectoryMessage[]) {
  const counted = {
    queries: 0,
    unanswered: 0,
    dropped_calls: 0,
    refused: 0,
    results: 0,
    hallucinated: false,
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      counted.results += 1;
      if (REFUSED.test(message.content.trim()) || UNREAD.test(message.content)) counted.refused += 1;
      if (message.tool_call_id === undefined) counted.dropped_calls += notExecuted(message.content);
    }
    if (message.role !== "assistant") continue;
    const results = resultIdsAfter(messages, index);
    const signs = textSigns(message.content);
    counted.hallucinated ||= signs.result;
    counted.queries += signs.queries;
    counted.unanswered += Math.max(0, signs.queries - results.filter((id) => id === undefined).length);
    for (const { id, name } of message.tool_calls ?? []) {
      const at = results.indexOf(id);
      if (at !== -1) results.splice(at, 1);
      if (name === PARAM_QUERY) counted.queries += 1;
      if (at === -1) counted[name === PARAM_QUERY ? "unanswered" : "dropped_calls"] += 1;
    }
  }
  return counted;
}

const UNREAD = /"note": "This call could not be read|\nThis call could not be read/;

/** The number of calls that the result of a query names as not executed. */
function notExecuted(content: string): number {
  if (UNREAD.test(content)) return 0;
  try {
    const { not_executed } = JSON.parse(content.replace(/^\s*<result>|<\/result>\s*$/g, ""));
    return Array.isArray(not_executed) ? not_executed.length : 0;
  } catch {
    const [, names] = /\n\nNot executed: (.*)\n/.exec(content) ?? [];
    return names === undefined ? 0 : names.split(", ").length;
  }
}

function resultIdsAfter(messages: readonly TrajectoryMessage[], index: number): (string | undefined)[] {
  const ids: (string | undefined)[] = [];
  for (let at = index + 1; ; at += 1) {
    const message = messages[at];
    if (message?.role !== "tool") return ids;
    ids.push(message.tool_call_id);
  }
}

/** True where the model has the last word, says something and calls nothing. */
function isAnswered(messages: readonly TrajectoryMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || !last.loss || last.tool_calls !== undefined) return false;
  return last.content.replace(/<think>[\s\S]*?<\/think>\n?/g, "").trim() !== "";
}
