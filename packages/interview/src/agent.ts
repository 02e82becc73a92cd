import { planWrites } from "@askwire/agent/internal";
import { applyWrite, type PlannedWrite } from "@askwire/agent/work-folder";
import { askUserQuestion } from "@askwire/dialects/kimi";
import { type AnswerItem, itemsFromAnswers, type ToolReturnValue } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import {
  type Agent,
  defineTool,
  QuestionRequest,
  requireApproval,
  type Turn,
  wireSend,
} from "@askwire/server";
import { brief } from "@askwire/server/internal";
import * as z from "zod/mini";
import { readFacts } from "./facts.js";
import {
  doneText,
  type Interview,
  introText,
  nextQuestion,
  openInterview,
  type ReadyQuestion,
  recordAnswer,
  renderFiles,
} from "./interview.js";
import type { Questionnaire } from "./questionnaire-format.js";

/** The questions of an interview, and the folder to read and write. */
export interface InterviewAgentOptions {
  /** As `parseQuestionnaire` read it. */
  readonly questionnaire: Questionnaire;
  /** The folder of facts and written files. */
  readonly workDir: string;
  /** Another path for the one file that the questionnaire writes. */
  readonly out?: string;
}

const agentRules: OptionRules<InterviewAgentOptions> = {
  questionnaire: option.required({
    ...option.object,
    expected: "a questionnaire, as parseQuestionnaire reads it",
  }),
  workDir: option.required(option.text),
  out: option.text,
};

/** The words for a person who leaves the interview. */
const NOTHING_WRITTEN = "Nothing was written.";

/**
 * Makes an agent without a model. Each turn reads the folder and asks the questionnaire's questions, by the tool and
 * wire of a model. Each file is shown in an approval, and written once approved. In a kept session an interview
 * outlives its process: the next one knows the answers and resumes the open question.
 *
 * @throws TypeError for an option that is unknown or does not fit.
 */
export function interviewAgent(options: InterviewAgentOptions): Agent {
  checkOptions("interviewAgent", options, agentRules);
  const { questionnaire, workDir } = options;
  return {
    resumes: true,
    async run(turn) {
      if (!turn.offer.canAsk) {
        return turn.say(
          `No question would reach anybody here, and an interview is made of questions. ${NOTHING_WRITTEN}`,
        );
      }
      const facts = await turn.once("facts", () => readFacts(questionnaire, workDir), { again: true });
      let interview = openInterview(questionnaire, facts);
      await sayOnce(turn, "intro", introText(interview));
      for (let ready = nextQuestion(interview); ready !== undefined; ready = nextQuestion(interview)) {
        turn.step();
        const item = await askQuestion(turn, ready);
        if (item === undefined) return turn.say(NOTHING_WRITTEN);
        interview = recordAnswer(interview, ready.id, toAnswer(ready, item));
      }
      await write(turn, interview, options);
    },
  };
}

/** Asks a question: by the tool if it fits there, else directly. Undefined: the person declined. */
async function askQuestion(turn: Turn, ready: ReadyQuestion): Promise<AnswerItem | undefined> {
  const question = {
    question: ready.question,
    header: ready.header ?? "",
    multi_select: ready.multi_select,
    options: ready.options.map(({ label, description = "" }) => ({ label, description })),
  };
  const request = new QuestionRequest({ tool_call_id: turn.id, questions: [question] });
  if (question.options.length < 2) {
    wireSend(request);
    return (await request.waitForAnswer()).items[0];
  }
  const call = { questions: [question] };
  const answers = readAnswers(await turn.callTool(askUserQuestion, call, { key: ready.id }));
  return Object.keys(answers).length === 0 ? undefined : itemsFromAnswers(request.questions, answers)[0];
}

const Answers = z.object({ answers: z.record(z.string(), z.string()) });

function readAnswers(value: ToolReturnValue): Record<string, string> {
  if (value.is_error) throw new Error(value.message);
  return Answers.parse(JSON.parse(String(value.output))).answers;
}

function toAnswer(ready: ReadyQuestion, item: AnswerItem): Parameters<typeof recordAnswer>[2] {
  if (item.skipped === true) return "skipped";
  const chosen = ready.options.filter((_, index) => item.selected.includes(`q1_o${index + 1}`));
  const selected = chosen.map((option) => option.label);
  return item.own_text === undefined ? { selected } : { selected, own_text: item.own_text };
}

async function write(
  turn: Turn,
  interview: Interview,
  { workDir, out }: InterviewAgentOptions,
): Promise<void> {
  const files = renderFiles(interview);
  if (out !== undefined && files.length !== 1) {
    throw new Error(`--out names one file, and this interview writes ${files.length}: leave it out`);
  }
  const plans = await planWrites(
    out === undefined ? files : files.map((file) => ({ ...file, path: out })),
    workDir,
  );
  const written: string[] = [];
  for (const plan of plans.filter(({ changed }) => changed)) {
    turn.step();
    const result = await turn.callTool(writeFile(plan), { path: plan.path }, { key: `file ${plan.path}` });
    if (!result.is_error) written.push(plan.path);
  }
  if (written.length > 0)
    return sayOnce(turn, "done", doneText(interview, written) ?? `Wrote ${written.join(", ")}.`);
  const current = plans.length > 0 && plans.every(({ changed }) => !changed);
  turn.say(current ? `Everything is up to date already. ${NOTHING_WRITTEN}` : NOTHING_WRITTEN);
}

/** Writes one planned file once the person has seen the difference and approved it. */
function writeFile(plan: PlannedWrite) {
  return defineTool({
    name: "WriteFile",
    description: "Writes a file of the interview.",
    parameters: z.object({ path: z.string() }),
    restart: "asks-first",
    async run({ path }) {
      const display = { type: "diff" as const, path, old_text: plan.old_text ?? "", new_text: plan.new_text };
      const description = `${path} (${plan.old_text === null ? "new" : "changed"})`;
      await requireApproval({ action: "write a file", description, display: [display] });
      await applyWrite(plan);
      return { output: `Wrote ${path}`, display: brief(`Wrote ${path}`) };
    },
  });
}

/** Says a paragraph, which a turn that runs again does not repeat. */
async function sayOnce(turn: Turn, key: string, text: string | undefined): Promise<void> {
  if (text === undefined || text === "") return;
  await turn.once(key, () => turn.say(`${text}\n`), { again: true });
}
