// @ts-check
// An agent for clients that cannot show questions too: it then asks in plain text, and the next prompt is the answer.
import { createServer, serveStdio } from "@askwire/server";

const question = "Which license?";
const labels = ["MIT", "Apache-2.0"];

// #region unsupported
/** @param {import("@askwire/server").Turn} turn */
async function askForLicense(turn) {
  const { answer = "no license", outcome } = await turn.ask(question, labels);
  if (outcome.reason !== "unsupported") return answer;
  turn.say(`${question} Answer with ${labels.join(" or ")}.`);
  return undefined;
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
