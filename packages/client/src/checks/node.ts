// The rules for what programs of Node give to the client.
import type { Limits } from "@askwire/protocol";
import {
  checkOptions,
  checkQuestionNames,
  limitRules,
  type OptionRules,
  option,
} from "@askwire/protocol/internal";
import type { ApprovalToAsk, AskInit, AskOrigin } from "../contract/ask.js";
import type { ClientHandlers, HistoryHandlers } from "../contract/handlers.js";
import type { ReplayHandlers } from "../contract/replay.js";
import type {
  Abortable,
  ConnectOptions,
  WantedCode,
  WantedPage,
  WantedRequests,
  WebSocketConnectOptions,
} from "../contract/session.js";

const replay: OptionRules<ReplayHandlers> = { event: option.callable, request: option.callable };

const handlers: OptionRules<ClientHandlers> = {
  question: option.callable,
  approval: option.callable,
  history: option.of<HistoryHandlers>({ ...replay, end: option.callable }),
  callOutput: option.callable,
  event: option.callable,
};

const connect: OptionRules<ConnectOptions> = {
  handlers: option.of<ClientHandlers>(handlers),
  tools: option.list,
  hooks: option.list,
  questions: option.flag,
  planMode: option.flag,
  client: option.of<NonNullable<ConnectOptions["client"]>>({
    name: option.required(option.text),
    version: option.text,
  }),
  initializeTimeoutMs: option.amount,
  validate: option.callable,
  limits: option.of<Partial<Limits>>(limitRules),
  // The session reads these two, with words of its own.
  profile: option.any,
  shows: option.of<NonNullable<ConnectOptions["shows"]>>({
    previews: option.flag,
    notes: option.flag,
    attachments: option.flag,
    skip: option.flag,
    deadline: option.flag,
    fields: option.flag,
    approvalOptions: option.flag,
    edits: option.flag,
    presence: option.flag,
    relay: option.flag,
  }),
  clientId: option.any,
  session: option.text,
  openKept: option.flag,
  lobby: option.flag,
  onConnection: option.callable,
  signal: option.signal,
  timing: option.object,
  onProblem: option.callable,
};

const webSocket: OptionRules<WebSocketConnectOptions> = {
  ...connect,
  token: option.text,
  reconnect: option.flag,
};

const ask: OptionRules<AskInit> = {
  // The server reads the questions, the deadline and the values of an approval, and drops a name that it does not know:
  // a misspelt `person_only` must not be one.
  questions: { ...option.list, inside: (place, list) => (list as unknown[]).forEach(checkQuestion(place)) },
  approval: option.of<ApprovalToAsk>({
    action: option.any,
    description: option.any,
    display: option.any,
    options: option.any,
    for_session: option.any,
    edit: option.of<NonNullable<ApprovalToAsk["edit"]>>({
      content: option.any,
      path: option.any,
      language: option.any,
      max_length: option.any,
    }),
    person_only: option.any,
    sender: option.any,
  }),
  // The server reads the values of these three, and names what does not fit.
  to: option.any,
  exclusive: option.flag,
  escalate: option.any,
  origin: option.of<AskOrigin>({
    host: option.text,
    folder: option.text,
    tool: option.text,
    subagent: option.text,
  }),
  key: option.text,
  deadline: option.object,
  wait: option.flag,
  calls: option.whole(0, 1_000),
  here: option.flag,
  onLost: option.oneOf(["keep", "withdraw"]),
  signal: option.signal,
};

const wantedPage: OptionRules<WantedPage> = { after: option.text, limit: option.whole(1, 200) };

const listRequests: OptionRules<WantedRequests> = {
  kinds: option.list,
  text: option.text,
  state: option.oneOf(["open", "kept"]),
  mine: option.flag,
  to_me: option.flag,
  counts: option.flag,
  ...wantedPage,
};

const wantedCode: OptionRules<WantedCode> = { role: option.oneOf(["answer"]), person: option.text };

const abortable: OptionRules<Abortable> = { signal: option.signal };

/** All rules, by the kind of what is given. */
const rules = { connect, webSocket, ask, replay, abortable, wantedPage, listRequests, wantedCode };

/** The rules for the options of a connection, for those that add some. */
export const connectRules = connect;

/**
 * Checks what a program gives to the client.
 *
 * @param place the function, with which a message begins.
 * @throws TypeError that names the option, and what was meant or expected.
 */
export function checkGiven(place: string, kind: keyof typeof rules, given: object): void {
  if (kind === "connect" || kind === "webSocket") refuseMisplaced(place, given);
  checkOptions<object>(place, given, rules[kind]);
}

/**
 * Refuses a handler beside the other options of a connection.
 *
 * @throws TypeError that says where it belongs.
 */
export function refuseMisplaced(place: string, given: object): void {
  const name = Object.keys(Object(given)).find((one) => Object.hasOwn(handlers, one));
  if (name === undefined) return;
  throw new TypeError(`${place}: ${name}: expected it within handlers, as { handlers: { ${name} } }`);
}

/** Checks a question of an ask, as far as the server would drop what it does not know. */
const checkQuestion = (place: string) => (question: unknown, index: number) => {
  const within = `${place}[${index}]`;
  if (typeof question !== "object" || question === null)
    throw new TypeError(`${within}: expected { question: "…" }`);
  const { options } = question as { readonly options?: unknown };
  if (Array.isArray(options) && options.some((one) => typeof one === "string"))
    throw new TypeError(`${within}: options: expected { label: "…" } in the place of a text`);
  checkQuestionNames(within, question);
};
