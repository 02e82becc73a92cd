import type { Outcome, QuestionInput } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import {
  currentToolCall,
  defineTool,
  QuestionRequest,
  QuestionUnavailable,
  QuestionWithdrawn,
  type Tool,
  ToolError,
  type ToolOffer,
  type ToolReturn,
  wireSend,
} from "@askwire/server";
import { brief } from "@askwire/server/internal";
import { enterPlanMode as enterDescription, exitPlanMode as exitDescription } from "./prose.js";

/** The rows of the question on every plan. */
const APPROVE = "Approve";
const REJECT = "Reject";
const REVISE = "Revise";

const Option = z.looseObject({
  label: z.string().check(z.describe("What is chosen, in 1-5 words.")),
  description: z._default(z.string().check(z.describe("What choosing it leads to.")), ""),
});

const ExitParams = z.looseObject({
  plan: z.string().check(
    z.describe("The whole plan, in Markdown."),
    z.refine((plan) => plan.trim() !== "", "a plan that is not empty"),
  ),
  options: z.optional(
    z.nullable(
      z.array(Option).check(
        z.maxLength(3),
        z.refine(distinctLabels, "labels that differ from each other"),
        z.refine(
          (options) => options.every(({ label }) => ![REJECT, REVISE, ""].includes(label.trim())),
          `labels that are neither empty nor ${REJECT} or ${REVISE}, which the person is offered besides`,
        ),
      ),
    ),
  ),
});

function distinctLabels(options: readonly { label: string }[]): boolean {
  return new Set(options.map(({ label }) => label.trim())).size === options.length;
}

/** Both ask, so they are offered where a question reaches somebody and a client shows plans (P-PLN-3). */
const offered = ({ canPlan, canAsk }: ToolOffer) => canPlan && canAsk;

const enterPlanMode: Tool = defineTool({
  name: "EnterPlanMode",
  description: enterDescription,
  parameters: z.looseObject({}),
  offered,
  restart: "again",
  async run(_, run) {
    if (run.planMode) {
      return new ToolError({
        message: "Plan mode is on already. Finish the plan and call ExitPlanMode with it.",
        brief: "Already in plan mode",
      });
    }
    const reply = await ask({
      header: "Plan Mode",
      question: "Enter plan mode?",
      options: [
        { label: "Yes", description: "Look and plan first; nothing is changed before you approve the plan" },
        { label: "No", description: "Start with the work" },
      ],
    });
    if (reply.said === "Yes") {
      run.setPlanMode(true);
      return {
        output:
          "Plan mode is on. Look around with the tools that change nothing, ask what only the user can decide, then call ExitPlanMode with the whole plan.",
        display: brief("Plan mode on"),
      };
    }
    return {
      output: `Plan mode stays off: ${why(reply, "No")} Go on without it, and do not ask for it again.`,
      display: brief("Plan mode stays off"),
    };
  },
});

const exitPlanMode: Tool = defineTool({
  name: "ExitPlanMode",
  description: exitDescription,
  parameters: ExitParams,
  offered,
  restart: "again",
  async run({ plan, options }, run) {
    if (!run.planMode) {
      return new ToolError({
        message: "Plan mode is off, so there is no plan to approve. Go on with the work.",
        brief: "Not in plan mode",
      });
    }
    run.emit({ type: "PlanDisplay", payload: { content: plan, file_path: "" } });
    const variants = options ?? [];
    const approvals =
      variants.length > 0 ? variants : [{ label: APPROVE, description: "Carry the plan out as it is" }];
    const reply = await ask({
      header: "Plan",
      question: "Approve this plan",
      body: plan,
      other_label: REVISE,
      other_description: "Say what to change; the plan is shown again",
      options: [...approvals, { label: REJECT, description: "Do not carry it out, and keep planning" }],
    });
    const chosen = approvals.find(({ label }) => label === reply.said);
    if (chosen === undefined) return notApproved(reply);
    run.setPlanMode(false);
    const variant =
      variants.length === 0 ? "" : ` in this variant: ${[chosen.label, chosen.description].join(" - ")}`;
    return {
      output: `The user approved the plan${variant}\nPlan mode is off: carry it out.\n\nThe approved plan:\n\n${plan}`,
      display: brief("Plan approved"),
    };
  },
});

/** The two tools by which a model plans before it changes anything: EnterPlanMode and ExitPlanMode (P-PLN-3 to P-PLN-7). */
export const planModeTools: readonly Tool[] = [enterPlanMode, exitPlanMode];

/** The result of the question: the person's word, or the reason for its absence. */
type Reply = { readonly said: string } | { readonly said?: undefined; readonly silent: string };

/** Asks one question and takes the first value of its answer, under whichever key it comes (P-PLN-6). */
async function ask(question: QuestionInput): Promise<Reply> {
  const request = new QuestionRequest({ tool_call_id: currentToolCall().id, questions: [question] });
  wireSend(request);
  try {
    const said = Object.values(await request.wait()).find((value) => value.trim() !== "");
    return said === undefined ? { silent: silence(request.outcome as Outcome) } : { said: said.trim() };
  } catch (error) {
    if (error instanceof QuestionWithdrawn || !(error instanceof QuestionUnavailable)) throw error;
    return { silent: `nobody could be asked (${error.message}).` };
  }
}

function silence({ reason, note }: Outcome): string {
  const said = note === undefined ? "" : ` They said: ${note}`;
  const what =
    reason === "discuss" ? "wants to talk about it first" : "closed the question without an answer";
  return `the user ${what}.${said}`;
}

function why(reply: Reply, plainNo: string): string {
  if (reply.said === undefined) return reply.silent;
  return reply.said === plainNo ? "the user said no." : `the user said: ${reply.said}\n`;
}

function notApproved(reply: Reply): ToolReturn {
  const stays = "Plan mode stays on and nothing may be changed";
  if (reply.said === undefined) {
    return {
      output: `The plan was not approved: ${reply.silent} ${stays}; end your turn with what you know, and wait.`,
      display: brief("Plan not approved"),
    };
  }
  if (reply.said === REJECT) {
    return {
      output: `The user rejected the plan. ${stays}; end your turn and ask in your text what they want instead.`,
      display: brief("Plan rejected"),
    };
  }
  const words = reply.said === REVISE ? "They did not say how: ask them." : `They said: ${reply.said}`;
  return {
    output: `The user wants the plan revised. ${stays}; change the plan and call ExitPlanMode again. ${words}`,
    display: brief("Plan to be revised"),
  };
}
