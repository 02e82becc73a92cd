// An agent on the server of this project that obeys its prompt. "deadline MS" asks with a deadline. "until" takes its
// question back when a file `withdraw` is in the folder. "coder" lets a sub-agent ask and act. "plan" puts a plan to
// the person.
import { watch } from "node:fs";
import { modelAgent, planModeTools, scriptedModel } from "@askwire/agent";
import { askUserQuestion } from "@askwire/dialects";
import { createServer, defineTool, requireApproval, serveStdio } from "@askwire/server";
import * as z from "zod/mini";

const callLine = (name, args, id = "1") =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;

const goOn = {
  question: "Go on?",
  options: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
  own_text: false,
};

async function deadline(turn, ms) {
  const deadline = { ms: Number(ms), on_expiry: "cancel" };
  const { answer = "nothing", outcome } = await turn.ask(goOn, { deadline });
  turn.say(`${answer}, ${outcome.status}.`);
}

async function until(turn) {
  const controller = new AbortController();
  const watcher = watch(".", () => controller.abort());
  await turn.ask(goOn, { signal: controller.signal }).catch(() => {});
  watcher.close();
  turn.say("Never mind.");
}

const act = defineTool({
  name: "Act",
  description: "acts",
  parameters: z.looseObject({}),
  async run() {
    await requireApproval({ action: "touch a file", description: "Touch it" });
    return "done";
  },
});

const delegate = defineTool({
  name: "Task",
  description: "delegates",
  parameters: z.looseObject({}),
  async run(_params, { subagent }) {
    const questions = [{ question: "Which colour?", header: "Colour", options: goOn.options }];
    const asking = `${callLine(askUserQuestion.name, { questions }, "2")}\n${callLine("Act", {}, "3")}`;
    const model = scriptedModel([asking, "text: all done"]);
    const { text } = await subagent({
      agent: modelAgent({ model, tools: [askUserQuestion, act] }),
      type: "coder",
      input: "do",
    });
    return text;
  },
});

const lines = Array.from({ length: 40 }, (_, at) => `${at + 1}. Step ${at + 1} of the plan`);
const plan = `# The plan\n\n${lines.join("\n")}\n`;

const scripted = (scripts, tools) => modelAgent({ model: scriptedModel(scripts), tools });
const coder = scripted([callLine("Task", {}), "text: On."], [delegate]);
const planner = scripted(
  [callLine("EnterPlanMode", {}), callLine("ExitPlanMode", { plan }, "2"), "text: On."],
  planModeTools,
);

const prompts = { deadline, until, coder: (turn) => coder.run(turn), plan: (turn) => planner.run(turn) };

const agent = {
  run(turn) {
    const [prompt, ...words] = turn.input.split(" ");
    return prompts[prompt](turn, ...words);
  },
};

await serveStdio(createServer({ agent, subagentQuestions: true }));
