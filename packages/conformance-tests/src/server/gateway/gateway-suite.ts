import { type Suite, suite } from "../../suite.js";
import { initialize } from "../conversation.js";
import { withEnvelope } from "../with-envelope.js";
import { attachChecks } from "./checks/attach.js";
import { doorChecks } from "./checks/door.js";
import { resumeChecks } from "./checks/resume.js";
import { sessionChecks } from "./checks/sessions.js";
import { severalClientsChecks } from "./checks/several-clients.js";
import { openGatewayContext } from "./gateway-context.js";

/**
 * The checks of a server that listens for WebSockets. The command gets `--script` and `--work-dir`. Its standard output
 * must print the address of a session, `ws://<host>:<port>/wire/<id>#<token>`.
 */
export const gatewaySuite: Suite = suite({
  subject: "gateway",
  checks: [...doorChecks, ...severalClientsChecks, ...attachChecks, ...resumeChecks, ...sessionChecks]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(withEnvelope),
  exceptions: [],
  probe: {
    run: async (context) => initialize(await (await context.start()).connect()),
    advice:
      "start the command by hand with --script and --work-dir: it must print ws://<host>:<port>/wire/<id>#<token> and a line end",
  },
  open: openGatewayContext,
});
