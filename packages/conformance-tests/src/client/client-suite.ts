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
 * Every check of a client. The command is started with up to four variables: `ASKWIRE_CONFORMANCE_AGENT`, an executable
 * to launch as it would launch `kimi`; `ASKWIRE_CONFORMANCE_PROMPT`, the one prompt to send;
 * `ASKWIRE_CONFORMANCE_ANSWER`, what to answer; and `ASKWIRE_CONFORMANCE_TOOL`, the name of a tool to offer. In the place
 * of `{url}` in its arguments it is given the address of a WebSocket in some checks, which are skipped where there is
 * none. It ends when its turn ends. Only what its agent sees is judged, and that it ends.
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
