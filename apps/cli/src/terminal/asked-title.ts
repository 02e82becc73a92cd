import type { QuestionView } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";

/** The line that says who asks how many questions: the agent, a sub-agent, or a connected program. */
export const askedTitle = (
  { questions, agent, program }: Pick<QuestionView, "questions" | "agent" | "program">,
  words: AskedWords,
): string =>
  program === undefined
    ? words.hasQuestions(questions.length, visibleLine(agent?.type ?? ""))
    : words.programAsks(questions.length, visibleLine(program.name));
