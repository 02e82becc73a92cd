import { atLevel } from "../../contract/levels.js";
import { type Suite, suite } from "../../run/suite.js";
import { initialize } from "../conversation.js";
import { extendedIntroduction } from "../extended.js";
import { isExtended } from "../wire.js";
import { withEnvelope } from "../with-envelope.js";
import { gatewayApprovalChecks } from "./checks/approvals.js";
import { attachChecks } from "./checks/attach.js";
import { baseClientChecks } from "./checks/base-clients.js";
import { doorChecks } from "./checks/door.js";
import { entryChecks } from "./checks/entry.js";
import { requestChecks } from "./checks/requests.js";
import { resumeChecks } from "./checks/resume.js";
import { sessionChecks } from "./checks/sessions.js";
import { severalClientsChecks } from "./checks/several-clients.js";
import { slowClientChecks } from "./checks/slow-clients.js";
import { openGatewayContext } from "./gateway-context.js";

/**
 * The checks of a server that listens for WebSockets. The command gets `--script` and `--work-dir`. Its standard output
 * must print the address of a session, `ws://<host>:<port>/wire/<id>#<token>`.
 */
export const gatewaySuite: Suite = suite({
  subject: "gateway",
  checks: [
    ...atLevel("security", doorChecks, "askwire"),
    ...atLevel("security", entryChecks, "askwire"),
    ...atLevel("questions", baseClientChecks, "askwire"),
    ...atLevel("approvals", gatewayApprovalChecks, "askwire"),
    ...atLevel("resilience", slowClientChecks, "askwire"),
    ...atLevel("extended", severalClientsChecks, "askwire"),
    ...atLevel("resilience", attachChecks, "askwire"),
    ...atLevel("resilience", resumeChecks, "askwire"),
    ...atLevel("sessions", sessionChecks, "askwire"),
    ...atLevel("sessions", requestChecks, "askwire"),
  ]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((check) => withEnvelope(check)),
  // A gateway of the base profile has the door, and what comes through it.
  defaultClaims:
    (negotiated) =>
    ({ level }) =>
      negotiated || level === "security" || level === "questions",
  exceptions: [],
  probe: {
    async run(context) {
      const client = await (await context.start()).connect();
      return isExtended((await initialize(client, extendedIntroduction())).result);
    },
    advice:
      "start the command by hand with --script and --work-dir: it must print ws://<host>:<port>/wire/<id>#<token> and a line end",
  },
  open: openGatewayContext,
});
