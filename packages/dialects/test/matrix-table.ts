// The text for a model after each ending of a question, by dialect and wire. Written by hand, never taken from the
// code.

/** The result for the model, and its next call in the same turn. */
export interface Read {
  readonly is_error: boolean;
  readonly output: string;
  readonly message: string;
  readonly goesOn: boolean;
}
/** A cell: the result; the end of the turn without a result; or the reason why this never happens. */
export type Cell = Read | "no result" | { readonly never: string };
type Both = Cell | { readonly base: Cell; readonly extended: Cell };

const says = (output: string, message = ""): Read => ({ is_error: false, output, message, goesOn: true });
const fails = (output: string): Read => ({ is_error: true, output, message: "", goesOn: true });
const never = (why: string) => ({ never: why });

/** Kimi's errors are in `message`. */
const kimiFails = (message: string): Read => ({ is_error: true, output: "", message, goesOn: true });
const kimiNote = (note: string, message = note) => says(`{"answers": {}, "note": "${note}"}`, message);
const klaude = (answer: string) => says(`Question: Which colour?\nAnswer: ${answer}`);
const wrapped = (text: string) =>
  fails(`The tool execution failed with the following error:\n<error>\n${text}\n</error>`);

const failed = kimiFails("Failed to get user response.");
const notHere = fails("AskUserQuestion is not available in this context");
const yolo = fails(
  "<error>This tool is not available in yolo mode. Do not ask questions - make your best judgment and proceed with the task.</error>",
);
const cancelled = fails("用户未回答，操作已取消");
const onePending = "Only one user interaction can be pending at a time";
const tooMany = "Too many requests are open. Wait for their results first.";
const closesNothing = never("own text counts in every question of it, so a base client cannot say that");
const queues = never("it has its questions side by side, or refuses the newer one: no older one makes room");

export const dialectNames = ["kimi", "klaude", "kilo", "redc"] as const;
export type DialectColumn = (typeof dialectNames)[number];

interface Row {
  readonly status: string;
  readonly reason?: string;
  readonly by: string;
  readonly told: Readonly<Record<DialectColumn, Both>>;
}
const noResult = { kimi: "no result", klaude: "no result", kilo: "no result", redc: "no result" } as const;

/** The words for the model at its next prompt, where the turn was interrupted while its question was open. */
export const interruptedWords: Readonly<Record<DialectColumn, Omit<Read, "goesOn">>> = {
  kimi: kimiNote("The turn ended before anybody answered the question."),
  klaude: fails("The turn was interrupted before the user answered"),
  kilo: fails("Task was interrupted before this tool call could be completed."),
  redc: cancelled,
};

export const rows = {
  answered: {
    status: "answered",
    by: "human",
    told: {
      kimi: says('{"answers": {"Which colour?": "Blue"}}', "User has answered."),
      klaude: klaude("Blue: like the sea"),
      kilo: says("<answer>\nBlue\n</answer>"),
      redc: says("Blue"),
    },
  },
  dismissed: {
    status: "declined",
    reason: "dismissed",
    by: "human",
    told: {
      kimi: kimiNote("User dismissed the question without answering."),
      klaude: { ...klaude("(User declined to answer questions)"), goesOn: false },
      kilo: says("The user denied this operation."),
      redc: cancelled,
    },
  },
  discuss: {
    status: "declined",
    reason: "discuss",
    by: "human",
    told: {
      kimi: {
        base: closesNothing,
        extended: kimiNote("User wants to talk about the question before answering it. They said: why now?"),
      },
      klaude: {
        base: closesNothing,
        extended: klaude("(User wants to discuss this before answering: why now?)"),
      },
      kilo: {
        base: closesNothing,
        extended: says("The user wants to talk about the question before answering it. They said: why now?"),
      },
      redc: fails("用户想先讨论这个问题：why now?"),
    },
  },
  expired: {
    status: "expired",
    reason: "deadline",
    by: "timer",
    told: {
      kimi: kimiNote("The question expired before anybody answered it."),
      klaude: klaude("(The question expired before the user answered)"),
      kilo: says("The question expired before the user answered it."),
      redc: cancelled,
    },
  },
  "expired, the shown default counts": {
    status: "expired",
    reason: "deadline",
    by: "timer",
    told: {
      kimi: never("its questions have no default"),
      klaude: never("its questions have no default"),
      kilo: {
        base: never("a base client shows no defaults, so none counts"),
        extended: says("<answer>\nRed\n</answer>"),
      },
      redc: never("its questions have no default"),
    },
  },
  interrupted: { status: "withdrawn", reason: "interrupted", by: "human", told: noResult },
  superseded: {
    status: "withdrawn",
    reason: "superseded",
    by: "policy",
    told: {
      kimi: queues,
      klaude: queues,
      kilo: fails("A newer question took the place of this one, which was not answered."),
      redc: queues,
    },
  },
  session_closed: { status: "withdrawn", reason: "session_closed", by: "system", told: noResult },
  shutdown: { status: "withdrawn", reason: "shutdown", by: "system", told: noResult },
  agent: {
    status: "withdrawn",
    reason: "agent",
    by: "system",
    told: {
      kimi: failed,
      klaude: fails("The question was withdrawn before the user answered"),
      kilo: wrapped("The question was withdrawn before the user answered it."),
      redc: cancelled,
    },
  },
  unsupported: {
    status: "unavailable",
    reason: "unsupported",
    by: "system",
    told: {
      kimi: kimiFails(
        "The connected client does not support interactive questions. Do NOT call this tool again. Ask the user directly in your text response instead.",
      ),
      klaude: notHere,
      kilo: yolo,
      redc: fails("当前客户端无法显示问题，请直接在回复中询问用户"),
    },
  },
  "unattended, by policy": {
    status: "unavailable",
    reason: "unattended",
    by: "policy",
    told: {
      kimi: kimiNote(
        "Running in afk mode. No user is present. Make your own decision.",
        "Afk mode, auto-dismissed.",
      ),
      klaude: klaude(
        "Other: No human is available to answer (unattended run). Proceed with your best judgment and state the assumption in your final report.",
      ),
      kilo: yolo,
      redc: fails("当前没有用户可以回答，请自行判断并继续"),
    },
  },
  "unattended, by system": {
    status: "unavailable",
    reason: "unattended",
    by: "system",
    told: {
      kimi: failed,
      klaude: notHere,
      kilo: yolo,
      redc: fails("当前没有用户可以回答，请自行判断并继续"),
    },
  },
  do_not_ask: {
    status: "unavailable",
    reason: "do_not_ask",
    by: "policy",
    told: {
      kimi: kimiNote(
        "The user does not want to be asked questions in this session. Make your own decision.",
        "The user does not want to be asked questions in this session. Make your own decision.",
      ),
      klaude: klaude(
        "Other: The user does not want to be asked questions in this session. Proceed with your best judgment and state the assumption in your final report.",
      ),
      kilo: fails(
        "<error>The user does not want to be asked questions in this session. Do not ask questions - make your best judgment and proceed with the task.</error>",
      ),
      redc: fails("用户不希望在本会话中被提问，请自行判断并继续"),
    },
  },
  client_lost: {
    status: "unavailable",
    reason: "client_lost",
    by: "system",
    told: {
      kimi: failed,
      klaude: fails("Missing AskUserQuestion response payload"),
      kilo: wrapped("Error asking question: the client went away"),
      redc: cancelled,
    },
  },
  subagent: {
    status: "unavailable",
    reason: "subagent",
    by: "policy",
    told: {
      kimi: failed,
      klaude: fails("User interaction is available only for the main agent"),
      kilo: wrapped("Only the main agent can ask the user."),
      redc: fails("子代理不能向用户提问"),
    },
  },
  "limit, by policy": {
    status: "unavailable",
    reason: "limit",
    by: "policy",
    told: {
      kimi: never("its questions are open side by side"),
      klaude: fails(onePending),
      kilo: never("the older question makes room"),
      redc: fails(onePending),
    },
  },
  "limit, by system": {
    status: "unavailable",
    reason: "limit",
    by: "system",
    told: { kimi: failed, klaude: fails(tooMany), kilo: wrapped(tooMany), redc: fails(tooMany) },
  },
  protocol_error: {
    status: "unavailable",
    reason: "protocol_error",
    by: "system",
    told: {
      kimi: failed,
      klaude: fails("Invalid AskUserQuestion response payload"),
      kilo: {
        base: wrapped('Error asking question: malformed result of "request": answers: expected object'),
        extended: wrapped("Error asking question: it broke"),
      },
      redc: cancelled,
    },
  },
  "protocol_error, as an error": {
    status: "unavailable",
    reason: "protocol_error",
    by: "system",
    told: {
      kimi: failed,
      klaude: fails("Invalid AskUserQuestion response payload"),
      kilo: wrapped("Error asking question: it broke"),
      redc: cancelled,
    },
  },
  not_kept: {
    status: "unavailable",
    reason: "not_kept",
    by: "system",
    told: {
      kimi: failed,
      klaude: fails("The question could not be saved and was not asked"),
      kilo: wrapped("Error asking question: the question could not be saved"),
      redc: cancelled,
    },
  },
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof rows;
export type Wire = "base" | "extended";

/** The least that programs are told beside a result; null without extras. */
export function extrasOf(row: RowName, dialect: DialectColumn, isError: boolean): object | null {
  switch (dialect) {
    case "kimi":
      return null;
    case "klaude":
      if (isError) return { status: "error" };
      return {
        status: "success",
        ...(row === "dismissed" && { continue_agent: false }),
        ui_extra: { type: "ask_user_question_summary", items: [{ answered: row === "answered" }] },
      };
    case "kilo":
      return row === "answered" ? { user_feedback: { text: "Blue" } } : null;
    case "redc":
      return { success: !isError };
  }
}

/** The cell of a dialect on a wire. */
export function cellOf(row: RowName, dialect: DialectColumn, wire: Wire): Cell {
  const cell: Both = rows[row].told[dialect];
  return typeof cell === "object" && "base" in cell ? cell[wire] : cell;
}

/** The cells that never happen, each once for both wires. */
export function exceptions(): { row: RowName; dialect: DialectColumn; why: string }[] {
  return (Object.keys(rows) as RowName[]).flatMap((row) =>
    dialectNames.flatMap((dialect) => {
      const why = (["base", "extended"] as const).flatMap((wire) => {
        const cell = cellOf(row, dialect, wire);
        return typeof cell === "object" && "never" in cell ? [cell.never] : [];
      });
      return why[0] === undefined ? [] : [{ row, dialect, why: why[0] }];
    }),
  );
}
