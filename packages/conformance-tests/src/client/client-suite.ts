import { type Suite, suite } from "../suite.js";
import { approvalChecks } from "./checks/approvals.js";
import { endChecks } from "./checks/ends.js";
import { lineChecks } from "./checks/lines.js";
import { messageChecks } from "./checks/messages.js";
import { questionChecks } from "./checks/questions.js";
import { replyChecks } from "./checks/replies.js";
import { startChecks } from "./checks/start.js";
import { toolChecks } from "./checks/tools.js";
import { openClient } from "./client-context.js";
import { clientExceptions } from "./exceptions.js";

/**
 * Every check of a client. The command is started with three variables: `ASKWIRE_CONFORMANCE_AGENT`, an executable to
 * launch as it would launch `kimi`; `ASKWIRE_CONFORMANCE_PROMPT`, the one prompt to send; and
 * `ASKWIRE_CONFORMANCE_ANSWER`, what to answer. It ends when its turn ends. Only what its agent sees is judged, and
 * that it ends.
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
  ],
  exceptions: clientExceptions,
  open: ({ command }) => openClient(command),
});
