// @ts-check
// An agent for clients that cannot show questions too: it then asks in plain text, and the next prompt is the answer.
import { createServer, QuestionNotSupported, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

const question = "Which license?";
const labels = ["MIT", "Apache-2.0"];

// #region unsupported
/** @param {import("@askwire/server").Turn} turn */
async function askForLicense(turn) {
  const questions = [{ question, options: labels.map((label) => ({ label })) }];
  const request = new QuestionRequest({ tool_call_id: turn.id, questions });
  wireSend(request);
  try {
    return (await request.wait())[question] ?? "no license";
  } catch (error) {
    if (!(error instanceof QuestionNotSupported)) throw error;
    turn.say(`${question} Answer with ${labels.join(" or ")}.`);
    return undefined;
  }
}
// #endregion unsupported

/** @type {import("@askwire/server").AgentFactory} */
const agent = () => {
  let askedInText = false;
  return {
    async run(turn) {
      const license = askedInText ? String(turn.input) : await askForLicense(turn);
      askedInText = license === undefined;
      if (license !== undefined) turn.say(`I add ${license}.`);
    },
  };
};

await serveStdio(createServer({ agent }));
