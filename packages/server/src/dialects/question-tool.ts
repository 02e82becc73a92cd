import type { Outcome, OutcomeReason, ToolCall } from "@askwire/protocol";
import { getToolCall, getWire, wireSend } from "../context.js";
import { outcomeNow } from "../interaction/interaction.js";
import { type QuestionAnswer, QuestionRequest } from "../interaction/question-request.js";
import { runTool, type Tool, ToolError, type ToolRun } from "../tool.js";
import type { Asked, Asking, Dialect, Ended, Ending, Endings, Told } from "./dialect.js";

/** The tool of a dialect for one session: it asks through `wireSend` and tells the model what came of it. */
export function questionTool<A extends Asked>(dialect: Dialect<A>): Tool {
  const { tool, prompt, exclusive, inText, offered = ({ canAsk }) => canAsk } = dialect;
  const asking = dialect.begin();
  return {
    name: tool.name,
    description: tool.description,
    get parameters() {
      return tool.parameters;
    },
    offered,
    keepsResult: true,
    ...(prompt !== undefined && { prompt }),
    ...(exclusive !== undefined && { exclusive }),
    ...(inText !== undefined && { inText }),
    call: (toolCall, run, wire) =>
      runTool(toolCall, run, wire, (whole) => ask(dialect, asking, toolCall, whole)),
  };
}

/** Puts what a call asks before the person, and renders how that ended. */
export async function ask<A extends Asked>(
  dialect: Dialect<A>,
  { read, endings, outside }: Asking<A>,
  toolCall: ToolCall,
  run: ToolRun,
): Promise<Told> {
  const asked = await read(toolCall, run);
  if (!isAsked(asked)) return asked;
  if (run.unattended) return endings.unattended({ asked, outcome: nobodyThere(), answer: none });
  if (getWire() === undefined) return outside("wire");
  if (getToolCall() === undefined) return outside("tool call");
  const { deadline } = dialect;
  const request = new QuestionRequest({
    tool_call_id: toolCall.id,
    questions: asked.questions,
    native: { dialect, input: toolCall.function.arguments },
    ...(deadline !== undefined && { deadline }),
  });
  wireSend(request);
  const answer = await request.waitForAnswer().catch((error) => {
    if (run.signal.aborted) throw error;
    return none;
  });
  const told = render(endings, { asked, outcome: request.outcome as Outcome, answer });
  if (told instanceof ToolError) return told;
  const { stopsTurn = false, ...result } = told;
  if (stopsTurn) run.stopTurn();
  return result;
}

function render<A extends Asked>(endings: Endings<A>, ended: Ended<A>): Told {
  const { outcome, answer } = ended;
  const told = endings[answer.items.length > 0 ? "answered" : endingOf(outcome)](ended);
  if (told instanceof ToolError || outcome.degraded === undefined) return told;
  return { ...told, extras: { ...told.extras, degraded: outcome.degraded } };
}

/** What ends the turn too is not told, so it comes here only where the turn goes on all the same. */
function endingOf({ status, reason }: Outcome): Ending {
  if (status === "answered") return "answered";
  return endsTurn(reason) ? "agent" : reason;
}

const endsTurn = (reason: OutcomeReason): reason is "interrupted" | "session_closed" | "shutdown" =>
  reason === "interrupted" || reason === "session_closed" || reason === "shutdown";

const isAsked = <A extends Asked>(read: A | Told): read is A => "questions" in read;

const nobodyThere = () => outcomeNow("unavailable", { reason: "unattended", by: "policy" });

const none: QuestionAnswer = { answers: Object.create(null), items: [] };
