import type { ApprovalView, QuestionView } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";

/** The line that says who asks how many questions: the agent, a sub-agent, or a connected program. */
export const askedTitle = (
  { questions, agent, program }: Pick<QuestionView, "questions" | "agent" | "program">,
  words: AskedWords,
): string =>
  program === undefined
    ? words.hasQuestions(questions.length, visibleLine(agent?.type ?? ""))
    : words.programAsks(questions.length, visibleLine(program.name));

/** The lines about the origin of a connected program's ask (P-XAK-12), and about how many people must approve. */
export function originLines(
  { program, quorum }: Pick<ApprovalView | QuestionView, "program"> & { readonly quorum?: unknown },
  paint: Paint,
  words: AskedWords,
): string[] {
  const origin = visibleLine(words.origin(program?.origin));
  const needed = typeof quorum === "number" ? words.mustApprove(quorum) : "";
  return [origin, needed].filter((line) => line !== "").map((line) => paint("dim", line));
}

/** The one who asks for an approval, with the name of its connected program where that is another. */
export const senderOf = ({ sender, program }: Pick<ApprovalView, "sender" | "program">): string =>
  visibleLine(program === undefined || program.name === sender ? sender : `${sender} (${program.name})`);
