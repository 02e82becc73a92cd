import type { LineException } from "../contract/check.js";
import { atLevel, type PlacedCheck } from "../contract/levels.js";
import { type Suite, suite } from "../run/suite.js";
import { answerChecks } from "./checks/answers.js";
import { serverApprovalChecks } from "./checks/approvals.js";
import { commandChecks } from "./checks/command.js";
import { crashChecks } from "./checks/crashes.js";
import { envelopeChecks } from "./checks/envelope.js";
import { envelopeStateChecks } from "./checks/envelope-states.js";
import { serverExtendedAnswerChecks } from "./checks/extended-answers.js";
import { extendedEventChecks } from "./checks/extended-events.js";
import { extendedIssueChecks } from "./checks/extended-issues.js";
import { serverExtendedProfileChecks } from "./checks/extended-profile.js";
import { extendedQuestionChecks } from "./checks/extended-questions.js";
import { extendedTurnChecks } from "./checks/extended-turns.js";
import { externalToolChecks } from "./checks/external-tools.js";
import { fileChecks, hookedFileChecks } from "./checks/files.js";
import { framingChecks } from "./checks/framing.js";
import { handshakeChecks } from "./checks/handshake.js";
import { serverHookChecks } from "./checks/hooks.js";
import { journalChecks } from "./checks/journal.js";
import { planModeChecks } from "./checks/plan-mode.js";
import { serverQuestionChecks } from "./checks/questions.js";
import { recordChecks } from "./checks/records.js";
import { serverResumptionChecks } from "./checks/resumption.js";
import { stepOrderChecks } from "./checks/step-order.js";
import { stepChecks } from "./checks/steps.js";
import { turnChecks } from "./checks/turns.js";
import { openServerContext, type ServerContext } from "./context.js";
import { initialize } from "./conversation.js";
import { extendedIntroduction } from "./extended.js";
import { isExtended } from "./wire.js";
import { withEnvelope } from "./with-envelope.js";

const all: readonly PlacedCheck<ServerContext>[] = [
  ...atLevel("core", handshakeChecks),
  ...atLevel("core", envelopeChecks),
  ...atLevel("core", envelopeStateChecks),
  ...atLevel("core", turnChecks),
  ...atLevel("core", stepChecks),
  ...atLevel("core", stepOrderChecks),
  ...atLevel("core", planModeChecks),
  ...atLevel("core", commandChecks),
  ...atLevel("core", framingChecks, "askwire"),
  ...atLevel("questions", serverQuestionChecks),
  ...atLevel("questions", answerChecks),
  ...atLevel("approvals", serverApprovalChecks),
  ...atLevel("approvals", fileChecks),
  ...atLevel("tools", externalToolChecks),
  ...atLevel("hooks", serverHookChecks),
  ...atLevel("hooks", hookedFileChecks),
  ...atLevel("journal", journalChecks),
  ...atLevel("journal", recordChecks),
  ...atLevel("journal", crashChecks),
  ...atLevel("extended", serverExtendedProfileChecks, "askwire"),
  ...atLevel("extended", extendedQuestionChecks, "askwire"),
  ...atLevel("extended", serverExtendedAnswerChecks, "askwire"),
  ...atLevel("extended", extendedIssueChecks, "askwire"),
  ...atLevel("extended", extendedEventChecks, "askwire"),
  ...atLevel("extended", extendedTurnChecks, "askwire"),
  ...atLevel("resilience", serverResumptionChecks, "askwire"),
];

const exceptions: readonly LineException[] = [
  {
    id: "S77",
    reason: "not visible",
    why: "a command that speaks on its standard streams has no WebSocket; the suite for gateways looks at it",
  },
];

/** The numbered lines first, S before E, F and X, each by its number. */
function inOrder(checks: typeof all): PlacedCheck<ServerContext>[] {
  const key = ({ id }: { id: string }) => (id.startsWith("S") ? id : `T${id}`);
  return checks.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * The checks of a server on its standard input and output. The command gets `--config-file` and `--work-dir`. Some
 * checks add `--session`, `--yolo`, `--afk` or `--max-steps-per-turn`.
 */
export const serverSuite: Suite = suite({
  subject: "server",
  checks: inOrder(all).map((check) => withEnvelope(check)),
  defaultClaims:
    (negotiated) =>
    ({ profile }) =>
      negotiated || profile === "wire-1.10",
  exceptions,
  probe: {
    run: async (context) =>
      isExtended((await initialize(await context.start(), extendedIntroduction())).result),
    advice:
      "start the command by hand with --config-file and --work-dir, and type an initialize: one line must come back",
  },
  open: openServerContext,
});
