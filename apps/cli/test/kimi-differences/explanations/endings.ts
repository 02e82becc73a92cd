import type { Explanation } from "../explanation.js";

export const endings: readonly Explanation[] = [
  {
    about: "records of our own in the journal",
    kimi: "has none",
    ours: "InteractionOpened and InteractionSettled (P-JRN-5)",
    why: "A replay tells open requests from settled ones. Kimi's readers pass over them.",
    where: [{ message: /^journal Interaction(Opened|Settled)/, path: /^\(added\)$/ }],
  },
  {
    about: "records of a turn that may outlive the process",
    kimi: "has none",
    ours: "SessionOpened, TurnOpened, TurnStopping, TurnSuspended, TurnEnded, CallStarted and InteractionClaimed",
    why: "The next process goes on with the turn that was left. Kimi's readers pass over them.",
    where: [
      {
        message:
          /^journal (SessionOpened|Turn(Opened|Stopping|Suspended|Ended)|CallStarted|InteractionClaimed)/,
        path: /^\(added\)$/,
      },
    ],
  },
  {
    about: "the journal of a turn that the end of input cuts off",
    kimi: "ends with TurnEnd",
    ours: "has no TurnEnd: the next process goes on with the turn (P-RES-1)",
    why: "A question outlives the agent's process.",
    where: [
      { scenario: /^ends\/(at|while) .*, by eof$/, message: /^journal TurnEnd/, path: /^\(missing\)$/ },
    ],
  },
  {
    about: "what is open at the end of input or on a signal",
    kimi: "gets a ToolResult in the journal that says that the person dismissed or rejected it",
    ours: "gets an InteractionSettled that says why, and no ToolResult (P-TRN-6)",
    why: "No person said it.",
    where: [{ scenario: /^ends\/at /, message: /^journal ToolResult/, path: /^\(missing\)$/ }],
  },
  {
    about: "SIGINT and SIGTERM during a turn",
    kimi: "says nothing more: the prompt is never answered",
    ours: "ApprovalResponse, TurnEnd and the prompt's `cancelled` come before the end, in the journal too",
    why: "A client that waits for the prompt does not hang.",
    where: [{ scenario: /^ends\/at (a question|an approval), by SIG/, path: /^\(added\)$/ }],
  },
  {
    about: "SIGTERM",
    kimi: "ends the process by the signal",
    ours: "ends it with status 143, once everything is written",
    why: "The official client hangs when its server dies of a signal in the middle of a turn.",
    where: [{ scenario: /^ends\/.*, by SIGTERM$/, message: /^end 1$/, path: /^(status|signal)$/ }],
  },
  {
    about: "a wrong configuration or flag",
    kimi: "a model that nobody knows in `--model` starts the server without a model; a wrong configuration ends it with status 1",
    ours: "ends with status 2 and a sentence that names the place",
    why: "Wrong use is told before the first prompt, and 2 is the status of wrong use in all of the command.",
    where: [
      { scenario: /^flags\/unknown model$/ },
      { scenario: /^flags\/unknown (default model|provider)$/, message: /^end 1$/, path: /^status$/ },
    ],
  },
  {
    about: "a question that the client cannot show",
    kimi: "is in the journal all the same, and a replay sends it",
    ours: "is in the journal only if it was sent (P-JRN-4)",
    why: "The journal says what clients were told.",
    where: [
      {
        scenario:
          /^(questions\/(client without them|without initialize)|initialize\/capabilities kept or reset)$/,
        message: /^journal QuestionRequest/,
        path: /^\(missing\)$/,
      },
    ],
  },
  {
    about: "`approve_for_session` and `/yolo` in a session that another process goes on with",
    kimi: "hold on: they are in a file beside the journal",
    ours: "are over with the process; plan mode holds on",
    why: "Nothing is approved by what lies in a file.",
    where: [
      {
        scenario: /^kept\/(approvals of the session|yolo of a command)$/,
        message: /Approval/,
        path: /^\(added\)$/,
      },
    ],
  },
  {
    about: "`set_plan_mode` during a turn, in the journal",
    kimi: "is recorded beside the turn, whose records may come later",
    ours: "is recorded where it was told",
    why: "A replay has the order of what was told.",
    sometimes: true,
    where: [
      { scenario: /^initialize\/during a turn$/, message: /^journal /, path: /^\(place\)$/ },
      {
        scenario: /^initialize\/during a turn$/,
        message: /^journal StatusUpdate/,
        path: /^params\.payload\.plan_mode$/,
      },
    ],
  },
];
