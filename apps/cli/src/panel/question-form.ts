import type { QuestionReply, QuestionView, RequestContext } from "@askwire/client";
import { type FormState, questionForm } from "@askwire/client/form";
import type { AskedWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import { askedTitle, originLines } from "../terminal/asked-title.js";
import { dueFrom } from "./deadline.js";
import type { PanelRequest } from "./request.js";
import { questionSummary } from "./summary.js";

/** A question for a panel. */
export function questionRequest(
  view: QuestionView,
  context: RequestContext,
  {
    paint,
    words,
    clock,
    options,
  }: { paint: Paint; words: AskedWords; clock: Clock; options: FormState["options"] },
  byLines: () => PromiseLike<QuestionReply> | QuestionReply,
): PanelRequest<QuestionReply> {
  const { id, tool_call_id, questions, agent, program, deadline } = view;
  const title = askedTitle(view, words);
  const origin = originLines(view, paint, words);
  return {
    kind: "question",
    id,
    tool_call_id,
    title,
    heading: (agent ?? program) === undefined ? "" : title,
    told: questions[0]?.question ?? "",
    subject: origin,
    subjectInFull: origin,
    questions,
    form: () => questionForm(questions, options),
    due: dueFrom(deadline, clock),
    issues: context.issues,
    signal: context.signal,
    touch: () => context.touch(),
    summary: (result) => ({
      lines: questionSummary(
        questions,
        result !== "declined" && "items" in result ? result.items : result,
        paint,
        words,
      ),
    }),
    allows: () => false,
    tellsAll: () => true,
    reply: (result) => result,
    byLines,
  };
}
