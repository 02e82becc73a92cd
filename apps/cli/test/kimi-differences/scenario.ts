/** A conversation for both commands, as data. */
export interface Scenario {
  /** `topic/what`: differences are named by it. */
  readonly name: string;
  /** Files of the work folder before the start: contents by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Members of the configuration, over the default ones. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The inputs that the model can take. Default: everything. */
  readonly capabilities?: readonly string[];
  /** The journal of the session before the start: lines as JSON or as text. */
  readonly journal?: readonly (object | string)[];
  /** The time limit of a wait, for a wait in vain. Default: longer than anything takes. */
  readonly patienceMs?: number;
  /** The processes, in turn, over the same folders. */
  readonly launches: readonly Launch[];
}

export interface Launch {
  /** The model's scripts, a text of the scripted provider's format for each call. */
  readonly scripts?: readonly string[];
  /** Flags after `--wire`, the configuration and the folder. `$work` in one of them is the work folder. */
  readonly args?: readonly string[];
  /** The acts of the client. */
  readonly steps: readonly Step[];
}

/** A scenario of one launch. */
export function scenario(
  name: string,
  { scripts, args, steps, ...rest }: Launch & Omit<Scenario, "name" | "launches">,
): Scenario {
  return { name, ...rest, launches: [{ scripts: scripts ?? [], args: args ?? [], steps }] };
}

export type Step =
  /** Writes a line: an object as JSON, a text as it is. */
  | { readonly do: "send"; readonly line: object | string }
  /** Waits for the next message of this key, as `keyOf` names them, or for the `nth` from there. Responses count from the start. */
  | { readonly do: "see"; readonly key: string; readonly nth?: number }
  /** Waits until the session's journal has a record of this type. */
  | { readonly do: "record"; readonly type: string }
  /** Answers the oldest unanswered request of a type; `$id` in the response is the request's id. */
  | { readonly do: "answer"; readonly type: string; readonly response: object }
  /** Waits until every message that was sent before has been read. */
  | { readonly do: "settle" }
  /** Ends the input, or the process by a signal, and waits for its end. Without such a step the input ends. */
  | { readonly do: "end"; readonly how: "eof" | "SIGTERM" | "SIGINT" };

/** The session of scenarios that name one. */
export const sessionId = "6f5902ac-237a-4c1c-bf7d-1f3d0e2b5c11";

export const send = (line: object | string): Step => ({ do: "send", line });
export const see = (key: string, nth?: number): Step =>
  nth === undefined ? { do: "see", key } : { do: "see", key, nth };
export const recorded = (type: string): Step => ({ do: "record", type });
export const settle: Step = { do: "settle" };
export const end = (how: "eof" | "SIGTERM" | "SIGINT"): Step => ({ do: "end", how });

/** A request of the client's, without waiting for its response. */
export const request = (id: string, method: string, params?: unknown): Step =>
  send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });

/** A request of the client's and its response. */
export const call = (id: string, method: string, params?: unknown): Step[] => [
  request(id, method, params),
  see(`response ${id}`),
];

export const prompt = (id: string, user_input: unknown): Step => request(id, "prompt", { user_input });

/** A prompt and its response. */
export const turn = (id: string, user_input: unknown = "go"): Step[] => [
  prompt(id, user_input),
  see(`response ${id}`),
];

/** A prompt, the steps while its turn runs, and its response. */
export const during = (id: string, ...steps: readonly Step[]): Step[] => [
  prompt(id, "go"),
  ...steps,
  see(`response ${id}`),
];

export const answer = (type: string, result: unknown): Step => ({
  do: "answer",
  type,
  response: { result },
});
export const answerError = (type: string, error: unknown): Step => ({
  do: "answer",
  type,
  response: { error },
});

export const approve = (response: string, feedback?: string): Step =>
  answer("ApprovalRequest", {
    request_id: "$id",
    response,
    ...(feedback === undefined ? {} : { feedback }),
  });

export const capable = { supports_question: true, supports_plan_mode: true };

export const initialize = (more: object = {}, id = "init"): Step[] =>
  call(id, "initialize", {
    protocol_version: "1.10",
    client: { name: "differences", version: "1" },
    capabilities: capable,
    ...more,
  });

/** A line of a script that calls a tool. */
export const calls = (name: string, args: unknown, id = "tc-1"): string =>
  `tool_call: ${JSON.stringify({ id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) })}`;

export const shell = (command: string, id?: string): string => calls("Shell", { command }, id);

/** A question whose answer does not matter to the scenario, and that answer. */
export const plainQuestion = (id?: string): string =>
  calls(
    "AskUserQuestion",
    { questions: [{ question: "Q?", options: [{ label: "A" }, { label: "B" }] }] },
    id,
  );
export const plainAnswer = answer("QuestionRequest", { request_id: "$id", answers: { "Q?": "A" } });

export const lines = (...all: string[]): string => all.join("\n");
