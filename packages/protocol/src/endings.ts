import type { ApprovalKind } from "./messages/events.js";
import type { OutcomeActor, OutcomeReason, OutcomeStatus } from "./outcome.js";

/** Who else has a request: others who may still answer it, the next process of its session, nobody, or a program's own. */
export const standings = ["shared", "kept", "unkept", "asked"] as const;
/**
 * A value of {@link standings}: `shared` where others have the request or the session holds, `kept` where the next
 * process of the session has it, `unkept` where neither is so, and `asked` where a program asks by itself (`askwire
 * ask`, a call of `askwire mcp`).
 */
export type Standing = (typeof standings)[number];

/** What an ending leaves of a request: it stays open, or it is settled so. */
export type EndedAs =
  | "open"
  | {
      readonly status: OutcomeStatus;
      readonly reason?: OutcomeReason;
      readonly by: OutcomeActor;
      /** The answer of an approval. */
      readonly response?: ApprovalKind;
    };

/** One way in which an open request comes to an end, or does not (P-WHO-1). */
export interface Ending {
  /** The way in words. */
  readonly what: string;
  /** True if a person did it, on what was shown. No other ending is by a human. */
  readonly isAct: boolean;
  readonly question: Readonly<Record<Standing, EndedAs>>;
  readonly approval: Readonly<Record<Standing, EndedAs>>;
  /** The exit code of `askwire chat` and `askwire ask`, where it ends them. Absent: they continue, or end as ever. */
  readonly exit?: { readonly chat?: number; readonly ask?: number };
}

const declined = { status: "declined", reason: "dismissed", by: "human" } as const;
const rejected = { status: "answered", by: "human", response: "reject" } as const;
const interrupted = { status: "withdrawn", reason: "interrupted", by: "human" } as const;
const lost = { status: "unavailable", reason: "client_lost", by: "system" } as const;
const stopped = { status: "withdrawn", reason: "shutdown", by: "system" } as const;
const takenBack = { status: "withdrawn", reason: "agent", by: "system" } as const;
const unattended = { status: "unavailable", reason: "unattended", by: "policy" } as const;
const approved = { status: "answered", by: "policy", response: "approve" } as const;
const expired = { status: "expired", reason: "deadline", by: "timer" } as const;

const everywhere = (ended: EndedAs) => ({ shared: ended, kept: ended, unkept: ended, asked: ended });

/** A client that is gone: nothing is settled that somebody else, or the next process, may still answer. */
const gone = (asked: EndedAs) => {
  const ended = { shared: "open", kept: "open", unkept: lost, asked } as const;
  return { isAct: false, question: ended, approval: ended } as const;
};

/** How each ending leaves a request, on every surface (P-WHO-1, P-WHO-2). */
export const endings = {
  escape: {
    what: "Esc",
    isAct: true,
    question: everywhere(declined),
    approval: everywhere(rejected),
    exit: { ask: 3 },
  },
  typed_end: {
    what: "Ctrl-D typed",
    isAct: true,
    question: everywhere(declined),
    approval: everywhere(rejected),
    exit: { ask: 3 },
  },
  interrupt: {
    what: "Ctrl-C",
    isAct: true,
    question: { ...everywhere(declined), asked: interrupted },
    approval: { ...everywhere(rejected), asked: interrupted },
    exit: { ask: 130 },
  },
  cancel: {
    what: "the turn is cancelled, in a client or by its host",
    isAct: true,
    question: { ...everywhere(interrupted), asked: "open" },
    approval: { ...everywhere(interrupted), asked: "open" },
  },
  pipe_end: { what: "the end of a pipe", ...gone(lost), exit: { chat: 4, ask: 4 } },
  terminal_closed: { what: "the terminal is closed", ...gone(lost), exit: { chat: 130, ask: 4 } },
  hangup: { what: "SIGHUP", ...gone(lost), exit: { chat: 130, ask: 4 } },
  terminate: { what: "SIGTERM", ...gone(stopped), exit: { chat: 130, ask: 130 } },
  kill: { what: "SIGKILL", ...gone("open"), exit: { chat: 137, ask: 137 } },
  tab_closed: { what: "the tab is closed", ...gone("open") },
  window_closed: { what: "the window of the editor is closed", ...gone("open") },
  socket_lost: { what: "the connection is lost", ...gone("open") },
  call_cancelled: { what: "a host cancels its call of `askwire mcp`", ...gone("open") },
  taken_back: {
    what: "the agent takes it back",
    isAct: false,
    question: everywhere(takenBack),
    approval: everywhere(takenBack),
  },
  agent_dies: {
    what: "another vendor's agent dies",
    isAct: false,
    question: { ...everywhere(takenBack), asked: "open" },
    approval: { ...everywhere(takenBack), asked: "open" },
  },
  policy: {
    what: "a policy: `--afk` at questions, `--yolo` at approvals",
    isAct: false,
    question: everywhere(unattended),
    approval: everywhere(approved),
  },
  deadline: {
    what: "its deadline; an approval has none",
    isAct: false,
    question: everywhere(expired),
    approval: everywhere("open"),
  },
} as const satisfies Record<string, Ending>;

/** The name of one of the {@link endings}. */
export type EndingName = keyof typeof endings;
