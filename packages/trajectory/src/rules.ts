import { brokenFlags } from "./flag-rules.js";
import { textSigns } from "./plain-text.js";
import { brokenResults } from "./result-rules.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

type Assistant = Extract<TrajectoryMessage, { role: "assistant" }>;
type ToolMessage = Extract<TrajectoryMessage, { role: "tool" }>;

/** Lists breaches of the rules that a schema cannot express, with their places (P-TRJ-7). */
export function brokenRules(trajectory: Trajectory): string[] {
  const { messages } = trajectory;
  const problems: string[] = [];
  const at = (index: number, problem: string) => problems.push(`messages[${index}]${problem}`);
  const rest = messages[0]?.role === "system" ? 1 : 0;
  if (messages.length === rest) problems.push("messages: expected a person's and a model's");
  for (let index = rest; index < messages.length; index += 1) {
    const message = messages[index] as TrajectoryMessage;
    const before = index === rest ? undefined : messages[index - 1]?.role;
    if (message.role === "system") at(index, ".role: a system message may only be the first");
    else if (before === undefined && message.role !== "user")
      at(index, ".role: expected a person's words first");
    else if (message.role === "tool") at(index, ".role: the result of no call");
    else if (message.role === "assistant") {
      if (before === "assistant") at(index, ".role: two messages of the model in a row");
      const results = resultsAfter(messages, index);
      const problems = brokenInStep(message, results);
      const found = problems.length > 0 ? problems : brokenResults(message, results);
      for (const problem of found) at(index, problem);
      if (message.content === "" && message.tool_calls === undefined)
        at(index, ": it says and calls nothing");
      index += results.length;
      if (!message.loss && messages[index + 1]?.role === "assistant")
        at(index - results.length, ".loss: expected true, since the model went on");
    }
  }
  // Flags of messages that are wrong say nothing.
  return problems.length > 0 ? problems : brokenFlags(trajectory);
}

function resultsAfter(messages: readonly TrajectoryMessage[], index: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let at = index + 1; messages[at]?.role === "tool"; at += 1) results.push(messages[at] as ToolMessage);
  return results;
}

/** The forms in which a model reads the result of a call in its text: that of queries and actions, and that of Kilo. */
const inFrame = /^(?:<result>[\s\S]*<\/result>|\[\w+ for '[\s\S]*'\] Result:[\s\S]*)$/;

/** Lists misfits between a message of the model and its results. */
function brokenInStep({ content, tool_calls = [] }: Assistant, results: readonly ToolMessage[]): string[] {
  const problems: string[] = [];
  const signs = textSigns(content);
  if (signs.result) problems.push(".content: a <result> that the model wrote");
  const missing = tool_calls.map(({ id }) => id);
  let inText = 0;
  for (const { tool_call_id: id, content: told } of results) {
    if (id === undefined) {
      inText += 1;
      if (!inFrame.test(told.trim())) problems.push(": the result of a call in its text is not in <result>");
    } else if (missing.includes(id)) missing.splice(missing.indexOf(id), 1);
    else problems.push(`: a result for ${shown(id)}, which is none of its calls`);
  }
  for (const id of missing) {
    const { name } = tool_calls.find((call) => call.id === id) as { name: string };
    problems.push(`: the call ${shown(id)} of ${shown(name)} has no tool message`);
  }
  const { queries, executes, possibleCalls } = signs;
  // In a message with queries no call runs (P-ADP-6).
  if (queries > 0) {
    if (inText !== queries) problems.push(`: ${queries} queries, and ${inText} results after it`);
  } else if (executes && inText === 0) problems.push(": calls in its text, and no result after it");
  else if (inText > possibleCalls) problems.push(`: ${inText} results, and fewer calls in its text`);
  return problems;
}

/** Foreign text in a line of a report. */
const shown = (text: string) => JSON.stringify(text.slice(0, 100));
