import type { QuestionItem } from "@askwire/protocol";
import { wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  onlyQuestion,
  sendPrompt,
  wantNone,
  wantOrder,
  wantResult,
} from "../conversation.js";
import { type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { calls } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

const planMode = (on: boolean) => wantedEvent("StatusUpdate", { plan_mode: on });
const enters = (id = "tc-1") => calls("EnterPlanMode", {}, id);
const exits = (args: object) => calls("ExitPlanMode", args);

interface Asked {
  readonly server: WireServer;
  readonly turn: string;
  readonly question: ServerMessage;
}

/** A turn in which a plan tool asks. */
async function asks(context: ServerContext, script: string, on: boolean): Promise<Asked> {
  const server = await begin(context, { scripts: [script, "text: Well."] });
  if (on) await server.call("set_plan_mode", { enabled: true });
  const turn = sendPrompt(server);
  return { server, turn, question: await server.next(wantedRequest("QuestionRequest")) };
}

const labelsOf = ({ options }: QuestionItem) => options.map(({ label }) => label);

/** F11 to F13: the tools of plan mode. */
export const planModeChecks: readonly ServerCheck[] = [
  {
    id: "F11",
    title: "EnterPlanMode asks Yes or No, switches plan mode on for Yes alone, and fails while it is on",
    rules: ["P-PLN-3", "P-PLN-4"],
    async run(context) {
      const { server, question, turn } = await asks(context, enters(), false);
      const item = onlyQuestion(question);
      wantMembers("the question", item, { question: "Enter plan mode?" });
      wantSame("the labels", labelsOf(item), ["Yes", "No"]);
      answer(server, question, { "Enter plan mode?": "Yes" });
      await server.next(planMode(true));
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });
      await wantResult(server, turn, { status: "finished" });

      const refused = await asks(context, enters("tc-3"), false);
      answer(refused.server, refused.question, { "Enter plan mode?": "No" });
      await wantResult(refused.server, refused.turn, { status: "finished" });
      wantNone(refused.server, planMode(true));

      const again = await begin(context, { scripts: [enters("tc-2"), "text: Well."] });
      await again.call("set_plan_mode", { enabled: true });
      const running = sendPrompt(again);
      wantMembers("the result of the tool", await awaitToolResult(again, "tc-2"), { is_error: true });
      await wantResult(again, running, { status: "finished" });
      wantNone(again, wantedRequest("QuestionRequest"));
    },
  },
  {
    id: "F12",
    title: "ExitPlanMode shows the plan, asks for its approval, and an option of it switches plan mode off",
    rules: ["P-PLN-5", "P-PLN-6"],
    isOurs: true,
    async run(context) {
      const plan = "1. Look\n2. Act";
      const options = [{ label: "Quick", description: "" }];
      const { server, question, turn } = await asks(context, exits({ plan, options }), true);
      const display = await server.next(wantedEvent("PlanDisplay", { content: plan }));
      wantOrder(server, "PlanDisplay, then QuestionRequest", display, question);
      const item = onlyQuestion(question);
      wantMembers("the question", item, { header: "Plan", body: plan, other_label: "Revise" });
      wantSame("the labels", labelsOf(item), ["Quick", "Reject"]);
      answer(server, question, { [item.question]: "Quick" });
      await server.next(planMode(false));
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });
      await wantResult(server, turn, { status: "finished" });

      const kept = await asks(context, exits({ plan }), true);
      answer(kept.server, kept.question, { [onlyQuestion(kept.question).question]: "in another order" });
      await awaitToolResult(kept.server);
      await wantResult(kept.server, kept.turn, { status: "finished" });
      wantNone(kept.server, planMode(false));
    },
  },
  {
    id: "F13",
    title: "cancel with an open question of plan mode: no ToolResult, and plan mode stays as it is",
    rules: ["P-PLN-7"],
    async run(context) {
      const { server, turn } = await asks(context, enters(), false);
      await server.call("cancel");
      await wantResult(server, turn, { status: "cancelled" });
      wantNone(server, wantedEvent("ToolResult"));
      wantNone(server, planMode(true));
    },
  },
];
