import type { Outcome, OutcomeReason, ToolCall } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { Tool, ToolRun } from "../agent/agent.js";
import { getToolCall, getWire, wireSend } from "../agent/context.js";
import { runTool } from "../agent/run-tool.js";
import { brief, toReturnValue } from "../agent/tool-result.js";
import { outcomeNow } from "../requests/interaction.js";
import { type QuestionAnswer, QuestionRequest } from "../requests/question-request.js";
import { ToolError } from "../requests/tool-error.js";
import type {
  Asking,
  Dialect,
  DialectEnding,
  Ended,
  Endings,
  QuestionsOfCall,
  Told,
  ToolDialect,
} from "./dialect.js";

/** The tools that a dialect brings to one session. */
export function toolsOf(dialect: Dialect | ToolDialect): readonly Tool[] {
  return "tool" in dialect ? [questionTool(dialect)] : dialect.begin();
}

/** Makes the tool of a dialect for a session. The tool asks through `wireSend` and tells the model the outcome. */
export function questionTool(dialect: Dialect): Tool {
  const { tool, prompt, exclusive, inText, interrupted, offered = ({ canAsk }) => canAsk } = dialect;
  const asking = dialect.begin();
  return {
    name: tool.name,
    description: tool.description,
    get parameters() {
      return tool.parameters;
    },
    offered,
    // The tool asks and renders the answer, and does nothing else.
    restart: "again",
    keepsResult: true,
    ...defined({ prompt, exclusive, inText }),
    ...(interrupted !== undefined && { interrupted: toReturnValue(interrupted) }),
    call: (toolCall, run, wire) =>
      runTool(toolCall, run, wire, (whole) => askByDialect(dialect, asking, toolCall, whole)),
  };
}

/** Asks the person the questions of a call, and renders the ending. */
export async function askByDialect(
  dialect: Dialect,
  { read, outside }: Asking,
  toolCall: ToolCall,
  run: ToolRun,
): Promise<Told> {
  const asked = await read(toolCall, run);
  if (!isAsked(asked)) return asked;
  const { questions, endings, deadline = dialect.deadline } = asked;
  const later = asked.background === true ? run.later : undefined;
  if (run.unattended) return endings.unattended({ outcome: nobodyThere(), answer: none });
  if (getWire() === undefined) return outside("wire");
  if (getToolCall() === undefined) return outside("tool call");
  const request = new QuestionRequest({
    // The result of the call says that it was asked, and takes no question away from a client.
    tool_call_id: later === undefined ? toolCall.id : `${toolCall.id}:background`,
    questions,
    background: later !== undefined,
    native: { dialect, input: toolCall.function.arguments },
    ...defined({ deadline }),
  });
  wireSend(request);
  const told = outcomeOf(request, endings, run);
  // Where nobody could be asked, the model is told so at once.
  if (later === undefined || request.resolved) return told;
  const what = request.questions.map(({ question }) => JSON.stringify(question)).join(", ");
  later({ callId: toolCall.id, what, result: told.then(toReturnValue) });
  return { output: asksMeanwhile, message: asksMeanwhile, display: brief("Asked in the background") };
}

/** The text for the model while its question is open. */
const asksMeanwhile =
  "The question is before the user. Go on with what does not depend on the answer, which comes as a message; do not guess it, and do not ask again.";

/** Waits for the end of a request, and renders it for the model. */
async function outcomeOf(request: QuestionRequest, endings: Endings, run: ToolRun): Promise<Told> {
  const answer = await request.waitForAnswer().catch((error) => {
    if (run.signal.aborted) throw error;
    return none;
  });
  const told = await render(endings, { outcome: request.outcome as Outcome, answer });
  if (told instanceof ToolError) return told;
  const { stopsTurn = false, ...result } = told;
  if (stopsTurn) run.stopTurn();
  return result;
}

async function render(endings: Endings, ended: Ended): Promise<Told> {
  const { outcome, answer } = ended;
  const told = await endings[answer.items.length > 0 ? "answered" : endingOf(outcome)](ended);
  if (told instanceof ToolError || outcome.degraded === undefined) return told;
  return { ...told, extras: { ...told.extras, degraded: outcome.degraded } };
}

/** The ending for the model. An outcome that ends the turn too reaches this only if the turn continues. */
function endingOf({ status, reason }: Outcome): DialectEnding {
  if (status === "answered") return "answered";
  return endsTurn(reason) ? "agent" : reason;
}

const endsTurn = (reason: OutcomeReason): reason is "interrupted" | "session_closed" | "shutdown" =>
  reason === "interrupted" || reason === "session_closed" || reason === "shutdown";

const isAsked = (read: QuestionsOfCall | Told): read is QuestionsOfCall => "questions" in read;

const nobodyThere = () => outcomeNow("unavailable", { reason: "unattended", by: "policy" });

const none: QuestionAnswer = { answers: Object.create(null), items: [] };
