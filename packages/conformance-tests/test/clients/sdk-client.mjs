// @ts-check
// The client of the official SDK, driven as `askwire conformance client` asks.
import { createSession } from "@moonshot-ai/kimi-agent-sdk";

const {
  ASKWIRE_CONFORMANCE_AGENT: executable = "",
  ASKWIRE_CONFORMANCE_PROMPT: prompt = "",
  ASKWIRE_CONFORMANCE_ANSWER: answer = "{}",
} = process.env;
const { choose, own_text, dismiss = false, approve = "reject" } = JSON.parse(answer);

const session = createSession({ workDir: process.cwd(), executable });
const turn = session.prompt(prompt);
try {
  for await (const { type, payload } of turn) {
    if (type === "ApprovalRequest") await turn.approve(payload.id, approve);
    if (type === "QuestionRequest") await turn.respondQuestion(payload.id, payload.id, answers(payload));
  }
} finally {
  await session.close();
}

/** @param {{ questions: { question: string, options: { label: string }[] }[] }} request */
function answers({ questions }) {
  if (dismiss) return {};
  const entries = questions.flatMap(({ question, options }, index) => {
    const labels = options.map(({ label }) => label).filter((label) => choose[index]?.includes(label));
    if (index === 0 && own_text !== undefined) labels.push(own_text);
    return labels.length === 0 ? [] : [[question, labels.join(", ")]];
  });
  return Object.fromEntries(entries);
}
