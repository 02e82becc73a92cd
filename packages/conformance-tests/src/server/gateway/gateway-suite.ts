import { type Suite, suite } from "../../suite.js";
import { withEnvelope } from "../with-envelope.js";
import { attachChecks } from "./checks/attach.js";
import { doorChecks } from "./checks/door.js";
import { resumeChecks } from "./checks/resume.js";
import { sessionChecks } from "./checks/sessions.js";
import { severalClientsChecks } from "./checks/several-clients.js";
import { openGatewayContext } from "./gateway-context.js";

/**
 * The checks of a server that listens for WebSockets: a command to which `--script` and `--work-dir` are added, and
 * which prints the address of a session, `ws://<host>:<port>/wire/<id>#<token>`, on its standard output.
 */
export const gatewaySuite: Suite = suite({
  subject: "gateway",
  checks: [...doorChecks, ...severalClientsChecks, ...attachChecks, ...resumeChecks, ...sessionChecks]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(withEnvelope),
  exceptions: [],
  open: ({ command }) => openGatewayContext(command),
});
