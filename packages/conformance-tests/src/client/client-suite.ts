import { type Suite, suite } from "../suite.js";
import { approvalChecks } from "./checks/approvals.js";
import { endChecks } from "./checks/ends.js";
import { extendedAnswerChecks } from "./checks/extended-answers.js";
import { extendedProfileChecks } from "./checks/extended-profile.js";
import { lineChecks } from "./checks/lines.js";
import { messageChecks } from "./checks/messages.js";
import { questionChecks } from "./checks/questions.js";
import { reconnectionChecks } from "./checks/reconnection.js";
import { replyChecks } from "./checks/replies.js";
import { resumptionChecks } from "./checks/resumption.js";
import { startChecks } from "./checks/start.js";
import { toolChecks } from "./checks/tools.js";
import { webSocketChecks } from "./checks/web-sockets.js";
import { openClient } from "./client-context.js";
import { clientExceptions } from "./exceptions.js";

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
    ...startChecks,
    ...lineChecks,
    ...messageChecks,
    ...questionChecks,
    ...approvalChecks,
    ...toolChecks,
    ...endChecks,
    ...replyChecks,
    ...extendedProfileChecks,
    ...extendedAnswerChecks,
    ...webSocketChecks,
    ...reconnectionChecks,
    ...resumptionChecks,
  ],
  exceptions: clientExceptions,
  open: ({ command }) => openClient(command),
});
