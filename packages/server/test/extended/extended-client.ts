import { randomUUID } from "node:crypto";
import {
  ApprovalRequest,
  type ConnectOptions,
  type PersonRequest,
  QuestionRequest,
  type ServerOptions,
  wireSend,
} from "../../src/index.js";
import type { Message, RawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";

/** What of the extended profile a client can show: all of it. */
export const everything = {
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
  fields: true,
  approval_options: true,
  edits: true,
};

/** What a client says of itself, beside what all of them say. */
export interface Introduction {
  readonly name?: string;
  /** Default: true. */
  readonly question?: boolean;
  /** Members of `askwire` beside the revision. Default: everything. */
  readonly shows?: object;
  readonly session?: object;
  readonly external_tools?: readonly unknown[];
  readonly hooks?: readonly unknown[];
  readonly protocol_version?: string;
}

/** The params of `initialize` of a client of the extended profile. */
export function introduction({
  name = "raw",
  question = true,
  shows = everything,
  ...more
}: Introduction = {}) {
  const askwire = { revision: 3, ...shows };
  return {
    protocol_version: "1.10",
    client: { name },
    capabilities: { supports_question: question, askwire },
    ...more,
  };
}

/** An event as a client was told it; no number where it has none. */
export interface Told {
  readonly seq: number | undefined;
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** What a client finds when it attaches. */
export interface Attached {
  id: string;
  stream: string;
  seq: number;
  state: string;
  turn_id?: string;
  plan_mode: boolean;
  pending: string[];
  reset: boolean;
}

/**
 * The words of a client of the extended profile, in its own JSON. In place of an error, a question or approval that came
 * as an event is released.
 */
export interface ExtendedWords {
  /** Calls `initialize`. */
  introduce(said?: Introduction): Promise<Message>;
  /** Every event that was told so far, of one type or of all. */
  events(type?: string): Told[];
  /** The n-th question or approval, from 1, once it is here, under its own id; the client says that a person has it. */
  asked(type: string, n?: number): Promise<Message>;
  /** Prompts as `begin` does, and says that a person has the first question or approval. */
  begun(type: string): Promise<{ prompt: Promise<Message>; asked: Message }>;
  /** The questions and approvals that came, each under its own id, and what was put to programs. */
  requests(): Message[];
  /** Takes itself off a question or approval by `release`. */
  cannot(asked: Message, reason?: string, message?: string): Promise<Message>;
  /** Calls `answer`, with a new `answer_id` unless one is given. */
  answer(to: { id?: string | null }, said?: object): Promise<Message>;
}

/** Gives a client that writes its own JSON the words of the extended profile. */
export function extended<C extends RawClient>(client: C): C & ExtendedWords {
  const { seen, replyError } = client;
  const words: ExtendedWords & Pick<RawClient, "seen" | "replyError"> = {
    seen: async (type, n) => named(await seen(type, n)),
    replyError(to, code, message) {
      if (to.method !== "event") return replyError(to, code, message);
      const reasons: Record<number, string> = {
        [-32601]: "unsupported",
        [-32602]: "unsupported",
        [-32020]: "limit",
      };
      void words.cannot(to, reasons[code] ?? "protocol_error", message);
    },
    introduce: (said) => client.call("initialize", introduction(said)),
    events: (type) =>
      client.received
        .filter(({ method, params }) => method === "event" && (type === undefined || params?.type === type))
        .map(told),
    async asked(type, n = 1) {
      const asked = await client.seen(type, n);
      client.send({ jsonrpc: "2.0", method: "received", params: { request_id: asked.id } });
      return asked;
    },
    async begun(type) {
      const prompt = client.call("prompt", { user_input: "go" });
      return { prompt, asked: await words.asked(type) };
    },
    requests: () =>
      client.received.filter(({ params }) => params?.type?.endsWith("Request") === true).map(named),
    cannot: ({ id }, reason = "unsupported", message = "cannot") =>
      client.call("release", { request_id: id, reason, message }),
    answer(to, said = {}) {
      const mine = { request_id: to.id, answer_id: randomUUID() };
      return client.call("answer", { ...mine, outcome: { status: "answered" }, ...said });
    },
  };
  return Object.assign(client, words);
}

/** A question or approval, which is an event, under its own id. */
function named(message: Message): Message {
  const { method, params } = message;
  if (method !== "event" || params?.type?.endsWith("Request") !== true) return message;
  return { ...message, id: params.payload.id as string };
}

/** An event with its number. */
export function told({ params }: Message): Told {
  const { type = "", payload = {}, seq } = (params ?? {}) as Partial<Told>;
  return { seq, type, payload };
}

/** Where a client is attached, of the reply to its `initialize`. */
export function attached({ result, error }: Message): Attached {
  if (error !== undefined) throw new Error(`initialize: ${error.code} ${error.message}`);
  return result?.session as Attached;
}

/** A client of the extended profile on a channel of its own, which has introduced itself. */
export async function meetExtended(
  { connect }: Pick<ReturnType<typeof scenario>, "connect">,
  options: ConnectOptions = {},
  said: Introduction = {},
) {
  const connected = connect(options);
  const client = extended(connected.client);
  const found = attached(await client.introduce(said));
  client.story();
  return { client, session: connected.session, closed: connected.closed, found };
}

/** A client of the extended profile that has prompted, and whose person has the question or approval that came of it. */
export async function meetAsked(type: string, ...how: Parameters<typeof meetExtended>) {
  const met = await meetExtended(...how);
  return { ...met, ...(await met.client.begun(type)) };
}

/** A question with three choices of every kind, and one that is open. */
export const order = [
  {
    id: "colour",
    question: "Which colour?",
    options: [
      { id: "red", label: "Red" },
      { id: "blue", label: "Blue" },
    ],
  },
  {
    id: "extras",
    question: "Which extras?",
    multi_select: true,
    own_text: false,
    options: [
      { id: "bell", label: "Bell" },
      { id: "light", label: "Light, bright" },
    ],
  },
];

/** Items that answer {@link order}. */
export const items = [
  { question_id: "colour", selected: ["red"] },
  { question_id: "extras", selected: ["light", "bell"] },
];

export const question = (init: Partial<ConstructorParameters<typeof QuestionRequest>[0]> = {}) =>
  new QuestionRequest({ tool_call_id: "tc-1", questions: order, ...init });

export const approval = (action = "run command") =>
  new ApprovalRequest({ tool_call_id: "tc-1", sender: "Shell", action, description: "ls" });

async function ended(request: PersonRequest): Promise<void> {
  try {
    await request.wait();
  } catch {}
}

/**
 * A server whose agent opens the requests that are made for its turn, all at once, and ends when they are settled.
 *
 * @param made makes those of the n-th turn, from 1.
 */
export function asking(
  made: (turn: number) => readonly PersonRequest[],
  options: Partial<ServerOptions> = {},
) {
  let turn = 0;
  const opened: PersonRequest[] = [];
  const run = async () => {
    turn += 1;
    const requests = made(turn);
    opened.push(...requests);
    for (const request of requests) wireSend(request);
    await Promise.all(requests.map(ended));
  };
  return { ...scenario([], { run, ...options }), opened };
}

/** A session whose first turn has begun, and two clients of the extended profile that were sent what it asks. */
export async function twoAsked(
  made: () => readonly PersonRequest[] = () => [question()],
  { graceMs = 0, ...options }: Partial<ServerOptions> & { graceMs?: number } = {},
) {
  const set = asking(made, options);
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session, graceMs }, { name: "one" });
  const { client: two } = await meetExtended(set, { session, graceMs }, { name: "two" });
  const { prompt } = await one.begin("TurnBegin");
  await one.settled();
  const type = set.opened[0]?.kind === "approval" ? "ApprovalRequest" : "QuestionRequest";
  const asked = await one.asked(type);
  await two.asked(type);
  return { ...set, session, one, two, prompt, asked };
}

/** The types of the messages that carry a number, with the state where one rides along. */
export function states({ received }: Pick<RawClient, "received">): string[] {
  return received.flatMap(({ params }) => {
    const { type, state } = (params ?? {}) as { type?: string; state?: string };
    return state === undefined ? [] : [`${type}: ${state}`];
  });
}

/** What a session holds at this moment, as a client that was there from its beginning knows it. */
export function lastState({ received }: Pick<RawClient, "received">) {
  let state = "idle";
  const pending = new Set<unknown>();
  for (const { params } of received) {
    const { type, payload, state: now } = (params ?? {}) as Partial<Told> & { state?: string };
    state = now ?? state;
    if (type === "InteractionSettled") pending.delete(payload?.request_id);
    else if (type === "InteractionOpened" || type?.endsWith("Request")) {
      pending.add(payload?.request_id ?? payload?.id);
    }
  }
  return { state, pending: [...pending] };
}

/** Text with each id and time replaced by what it is, numbered in the order of appearance. */
export function normalized(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g, (id) => {
      if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
      return ids.get(id) as string;
    });
  return JSON.parse(text);
}
