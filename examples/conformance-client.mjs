// @ts-check
// A client that `askwire conformance client` can check: it launches the agent that it is told to, sends one prompt,
// answers as it is told to, and ends.
// #region conformance-client
import { connectProcess } from "@askwire/client/stdio";

const {
  ASKWIRE_CONFORMANCE_AGENT: agent = "",
  ASKWIRE_CONFORMANCE_PROMPT: prompt = "",
  ASKWIRE_CONFORMANCE_ANSWER: answer = "{}",
} = process.env;
const { choose = [], own_text, dismiss = false, approve = "reject" } = JSON.parse(answer);

/** @type {import("@askwire/client").ClientHandlers} */
const handlers = {
  question({ questions }) {
    if (dismiss) return "declined";
    const items = questions.map(({ id, options }, index) => ({
      question_id: id,
      selected: options.filter(({ label }) => choose[index]?.includes(label)).map((option) => option.id),
      ...(index === 0 && own_text !== undefined ? { own_text } : {}),
    }));
    return { items };
  },
  approval: () => ({
    response: approve,
    ...(approve === "reject" && own_text ? { feedback: own_text } : {}),
  }),
};

const session = await connectProcess(agent, ["--wire", "--work-dir", process.cwd()], {
  handlers,
  initializeTimeoutMs: 5_000,
  closeTimeoutMs: 1_000,
});
await session.prompt(prompt).result.finally(() => session.close());
// #endregion conformance-client
