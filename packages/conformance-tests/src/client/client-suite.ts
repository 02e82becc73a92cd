import { atLevel } from "../contract/levels.js";
import { type Suite, suite } from "../run/suite.js";
import { actChecks, extendedActChecks } from "./checks/acts.js";
import { clientApprovalChecks } from "./checks/approvals.js";
import { endChecks } from "./checks/ends.js";
import { clientExtendedAnswerChecks } from "./checks/extended-answers.js";
import { clientExtendedProfileChecks } from "./checks/extended-profile.js";
import { lineChecks } from "./checks/lines.js";
import { messageChecks } from "./checks/messages.js";
import { clientQuestionChecks } from "./checks/questions.js";
import { reconnectionChecks } from "./checks/reconnection.js";
import { replyChecks } from "./checks/replies.js";
import { clientResumptionChecks } from "./checks/resumption.js";
import { approvalSilenceChecks, questionSilenceChecks, silenceChecks } from "./checks/silence.js";
import { startChecks } from "./checks/start.js";
import { clientHookChecks, toolChecks } from "./checks/tools.js";
import { webSocketChecks } from "./checks/web-sockets.js";
import { type ClientContext, openClient } from "./client-context.js";
import { takeInitialize } from "./conversation.js";
import { clientExceptions } from "./exceptions.js";
import { askwireOf } from "./extended-turn.js";

/**
 * Every check of a client. The command is started with up to four variables. `ASKWIRE_CONFORMANCE_AGENT` is an
 * executable to launch in the place of `kimi`. `ASKWIRE_CONFORMANCE_PROMPT` is the one prompt to send.
 * `ASKWIRE_CONFORMANCE_ANSWER` has the answers to give. `ASKWIRE_CONFORMANCE_TOOL` is the name of a tool to offer. An
 * argument may contain `{url}`. In some checks the address of a WebSocket replaces it, and without it they are skipped.
 * The client ends with its turn. Judged are only its messages to the agent, and its end.
 */
export const clientSuite: Suite = suite({
  subject: "client",
  checks: [
    ...atLevel("core", startChecks),
    ...atLevel("core", lineChecks),
    ...atLevel("core", messageChecks),
    ...atLevel("core", silenceChecks),
    ...atLevel("questions", clientQuestionChecks),
    ...atLevel("questions", questionSilenceChecks),
    ...atLevel("approvals", clientApprovalChecks),
    ...atLevel("approvals", approvalSilenceChecks),
    ...atLevel("tools", toolChecks),
    ...atLevel("hooks", clientHookChecks),
    ...atLevel("core", endChecks),
    ...atLevel("core", replyChecks),
    ...atLevel("core", actChecks),
    ...atLevel("extended", clientExtendedProfileChecks, "askwire"),
    ...atLevel("extended", clientExtendedAnswerChecks, "askwire"),
    ...atLevel("extended", extendedActChecks, "askwire"),
    ...atLevel("resilience", webSocketChecks, "askwire"),
    ...atLevel("resilience", reconnectionChecks, "askwire"),
    ...atLevel("resilience", clientResumptionChecks, "askwire"),
  ],
  defaultClaims:
    (negotiated) =>
    ({ profile }) =>
      negotiated || profile === "wire-1.10",
  exceptions: clientExceptions,
  probe: {
    run: (context) => Promise.any([launches(context), connects(context)]).catch(firstFailure),
    advice:
      "the command must launch the program in ASKWIRE_CONFORMANCE_AGENT with --wire and write an initialize to it, or connect to the address in the place of {url}",
  },
  open: openClient,
});

async function launches(context: ClientContext): Promise<boolean> {
  const client = await context.start();
  return askwireOf(await takeInitialize(await client.launched())) !== undefined;
}

/** Waits for a WebSocket, where an argument of the command takes an address. */
async function connects(context: ClientContext): Promise<boolean> {
  const line = (await (await context.startRemote()).knocked()).accept();
  return askwireOf(await takeInitialize(line)) !== undefined;
}

function firstFailure(error: unknown): never {
  throw error instanceof AggregateError ? error.errors[0] : error;
}
