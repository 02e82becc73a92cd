import { type ClientHandlers, connect } from "@askwire/client";
import { terminalWords } from "@askwire/client/words";
import { answerIssues, linkedPair, type Outcome } from "@askwire/protocol";
import { type Attendance, QuestionRequest, QuestionUnavailable, wireSend } from "@askwire/server";
import { commandServer } from "../agents/agent-server.js";
import { addressingIn } from "../ask/addressing.js";
import { answersOfFile } from "../ask/answers.js";
import { askConnected } from "../ask/connected.js";
import { questionsFrom } from "../ask/questions.js";
import { type AskReport, askExitCodes, report } from "../ask/report.js";
import type { AskOptions } from "../command-line/ask.js";
import { type ControllingTerminal, openControllingTerminal } from "../device/controlling-terminal.js";
import { paintFor } from "../device/paint.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { languageOf } from "../input/language.js";
import { readOptionFile } from "../input/read-file.js";
import { openLines } from "../lines/lines.js";
import { personAtTerminal } from "../panel/person-at-terminal.js";
import { TerminalTranscript } from "../terminal/transcript.js";

/** Puts one request to the person and prints its outcome. */
export async function runAsk(options: AskOptions): Promise<void> {
  const withdrawal = new AbortController();
  const departure = new AbortController();
  const signal = AbortSignal.any([withdrawal.signal, departure.signal]);
  checkOptions(options);
  const leave = (end: End) => (end === "interrupted" ? withdrawal : departure).abort(end);
  onSignals(leave);

  const questions = await questionsFrom(options, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (questions === undefined) return report({ outcome: unasked(signal.reason), ...nothing }, [], options);
  if (questions.length > 1 && options.print !== "json")
    throw usageFailure(`ask: --print ${options.print} prints one answer: ask one question, or print json`);
  const told = (end: AskReport) => report(end, questions, options);
  const stopWatch = timeLimit(options, () => leave("late"));
  const { connect } = options;
  if (connect !== undefined) {
    const leaving = { withdrawal: withdrawal.signal, departure: departure.signal };
    const asked = await askConnected(questions, { ...options, connect }, leaving).finally(stopWatch);
    const late = signal.reason === "late" && asked?.outcome?.status === "withdrawn";
    const outcome = late ? unasked("late") : asked?.outcome;
    return told({
      ...(asked ?? nothing),
      outcome: outcome ?? (asked === undefined ? unasked(signal.reason) : null),
    });
  }
  const request = new QuestionRequest({ tool_call_id: "ask", questions });
  try {
    await settle(request, options, signal, leave).finally(stopWatch);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const note = (error as Error).message;
    request.settle({
      outcome: { status: "unavailable", reason: "protocol_error", by: "system", at: now(), note },
    });
    await told({ outcome: request.outcome as Outcome, ...(await answerOf(request)) });
    throw error;
  }
  await told({ outcome: request.outcome as Outcome, ...(await answerOf(request)) });
}

/** Calls back once the time of `--timeout` is over. Returns what stops the clock. */
function timeLimit({ timeout }: AskOptions, late: () => void): () => void {
  if (timeout === undefined) return () => {};
  const timer = setTimeout(late, timeout * 1_000);
  return () => clearTimeout(timer);
}

/**
 * Why the command ends before an answer: a person pressed Ctrl-C, another program ended the command, its terminal is
 * gone, or its time is over. Only the first one is an act of a person.
 */
type End = "interrupted" | "terminated" | "gone" | "late";

const endOf = { SIGINT: "interrupted", SIGTERM: "terminated", SIGHUP: "gone" } as const;

/**
 * Calls `leave` at the first signal of each kind; the second ends the command. A terminal that is closed may say so
 * more than once.
 */
function onSignals(leave: (end: End) => void): void {
  const heard = new Set<string>();
  for (const [name, end] of Object.entries(endOf)) {
    process.on(name, () => {
      if (heard.has(name) && end !== "gone") process.exit(askExitCodes.withdrawn);
      heard.add(name);
      leave(end);
    });
  }
}

/** @throws Failure for options that do not belong together. */
function checkOptions(options: AskOptions): void {
  const { connect, answers, key, name, deadline, wait, tokenFile } = options;
  checkForms(options);
  if (connect !== undefined && answers !== undefined) {
    throw usageFailure("ask: --connect asks people, --answers asks nobody: leave one out");
  }
  if (wait === false && key === undefined && connect !== undefined) {
    throw usageFailure("ask: --no-wait needs --key KEY, to come back for the outcome");
  }
  addressingIn(options, "ask");
  if (connect !== undefined) return;
  const { to, exclusive, escalate } = options;
  const forWhom = { "--to": to, "--exclusive": exclusive, "--escalate": escalate };
  const given = {
    ...forWhom,
    "--key": key,
    "--name": name,
    "--deadline": deadline,
    "--token-file": tokenFile,
  };
  const alone = Object.entries({ ...given, "--no-wait": wait === false || undefined }).find(
    ([, value]) => value !== undefined,
  );
  if (alone !== undefined) throw usageFailure(`ask: ${alone[0]} needs --connect ADDRESS`);
}

/** @throws Failure for a form of printing or answering that these questions do not have. */
function checkForms({ yesNo, question, option, multi }: AskOptions): void {
  if (yesNo === true && question === undefined) throw usageFailure("ask: --yes-no needs --question TEXT");
  const choices = option === undefined ? multi && "--multi" : "--option";
  if (yesNo === true && choices)
    throw usageFailure(`ask: --yes-no has its own options: leave ${choices} out`);
}

const outcomes = {
  interrupted: { status: "withdrawn", reason: "interrupted", by: "human" },
  terminated: { status: "withdrawn", reason: "shutdown", by: "system" },
  gone: { status: "unavailable", reason: "client_lost", by: "system" },
  late: { status: "expired", reason: "deadline", by: "system" },
} as const satisfies Record<End, unknown>;

/** The outcome of questions that nobody was asked. */
const unasked = (end: End): Outcome => ({ ...outcomes[end], at: now() });

const now = () => new Date().toISOString();
const nothing = { answers: {}, items: [] };

type Answerer = NonNullable<ClientHandlers["question"]>;

async function settle(
  request: QuestionRequest,
  options: AskOptions,
  signal: AbortSignal,
  leave: (end: End) => void,
): Promise<void> {
  const { answers } = options;
  if (answers !== undefined) {
    settleFrom(request, readOptionFile("--answers", answers), answers);
    return;
  }
  const terminal = openControllingTerminal();
  if (terminal !== undefined) return atTerminal(terminal, request, options, signal, leave);
  process.stderr.write(
    "askwire: ask: there is no terminal to ask at: give the answers with --answers FILE\n",
  );
  return put(request, () => "declined", signal, "decline");
}

/**
 * Settles the request here. The wire's map of answers cannot tell a label from equal own text, or one answer from
 * two.
 */
function settleFrom(request: QuestionRequest, json: string, file: string): void {
  const items = answersOfFile(request.questions, json, file);
  const by = { by: "policy", at: now() } as const;
  if (items.every(({ skipped }) => skipped)) {
    request.settle({ outcome: { status: "declined", reason: "dismissed", ...by } });
  } else {
    const said = { request_id: "", answer_id: "", outcome: { status: "answered" }, items };
    const [issue] = answerIssues(request, said, { skip: true, notes: false, attachments: false });
    const asked = request.questions.find(({ id }) => id === issue?.question_id)?.question ?? "";
    if (issue !== undefined) throw usageFailure(`${file}: [${JSON.stringify(asked)}]: ${issue.message}`);
    request.settle({ outcome: { status: "answered", ...by }, answer: request.answerOf(items) });
  }
}

/** Sends the request over the wire to a client with these handlers. Resolves when the request is settled. */
async function put(
  request: QuestionRequest,
  question: Answerer,
  signal: AbortSignal,
  attendance: Attendance = "attended",
): Promise<void> {
  const agent = {
    async run() {
      wireSend(request);
      await answerOf(request);
    },
  };
  const { left, right } = linkedPair();
  const server = commandServer({ agent, attendance });
  server.connect(left);
  const client = { name: "askwire-ask", version: __ASKWIRE_VERSION__ };
  const session = await connect(right, {
    client,
    handlers: { question },
    shows: { fields: true, notes: true },
  });
  /** Ends the request for the reason for which the command ends. */
  const ends: Readonly<Record<End, () => Promise<unknown>>> = {
    interrupted: () => session.cancel(),
    terminated: () => server.close(),
    gone: () => session.close(),
    late: async () => request.settle({ outcome: unasked("late") }),
  };
  const end = () => void ends[signal.reason as End]().catch(() => {});
  try {
    const turn = session.prompt("");
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    await turn.result.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  } finally {
    await session.close();
  }
}

/** Asks at the terminal, and leaves the terminal as found. */
async function atTerminal(
  { input, output, close }: ControllingTerminal,
  request: QuestionRequest,
  { lang, plain }: AskOptions,
  signal: AbortSignal,
  leave: (end: End) => void,
): Promise<void> {
  const { env } = process;
  const words = terminalWords[languageOf(lang, env)];
  const lines = openLines(input, output, { plain, pasted: words.chat.pasted });
  const interrupted = () => leave("interrupted");
  const gone = () => leave("gone");
  lines.onInterrupt(interrupted);
  lines.onGone(gone);
  const paint = paintFor(output, env);
  const transcript = new TerminalTranscript(lines, paint, words);
  // The person started this command: text typed ahead counts, and nothing has to call the person.
  const manner = {
    bell: false,
    eager: true,
    interrupted,
    nobody: gone,
    leavesOut: () => true,
    takesNotes: () => true,
  };
  const person = personAtTerminal({ lines, transcript, paint, words, env }, manner);
  person.takeAhead();
  try {
    await put(
      request,
      (view, context) =>
        // The cancelling goes out first, so that the end of the prompt does not count as an answer.
        person.question(view, { ...context, signal: AbortSignal.any([context.signal, signal]) }),
      signal,
    );
  } finally {
    person.close();
    lines.close();
    close();
  }
}

/** The answer of a request. Empty unless the outcome is an answer. */
async function answerOf(request: QuestionRequest) {
  return request.waitForAnswer().catch((error: unknown) => {
    if (error instanceof QuestionUnavailable) return nothing;
    throw error;
  });
}
