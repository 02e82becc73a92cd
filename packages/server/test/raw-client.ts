import { coreQuestion, ExtendedQuestionRequest, type MessageChannel, validate } from "@askwire/protocol";

/** A message as it came, unchecked. */
export interface Message {
  id?: string | null;
  method?: string;
  params?: { type: string; payload: Record<string, unknown> };
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: unknown };
}

/** A client that writes its own JSON, so that it can also write what is wrong. */
export interface RawClient {
  /** Every message that came, in order. A reply that stands for an event comes after that event (P-XAN-2). */
  readonly received: readonly Message[];
  readonly isClosed: boolean;
  /** Calls a method and resolves with the whole response. */
  call(method: string, params?: unknown): Promise<Message>;
  /** Prompts. Resolves with the first message of a type that the turn sends; `prompt` is the coming response. */
  begin(type: string): Promise<{ prompt: Promise<Message>; asked: Message }>;
  /** Sends an object as it is. */
  send(message: unknown): void;
  /** Answers a request of the server's. */
  reply(to: Message, result: unknown): void;
  replyError(to: Message, code: number, message: string): void;
  /** The n-th event or request of a type, from 1; waits for it. */
  seen(type: string, n?: number): Promise<Message>;
  /** Resolves once the server has handled all that was sent, and what it sent is here. */
  settled(): Promise<void>;
  /** The messages since the last call, as words: `TurnBegin`, `ask QuestionRequest`, `prompt: finished`. */
  story(): string[];
  close(): void;
}

export function rawClient(channel: MessageChannel): RawClient {
  const received: Message[] = [];
  const methods = new Map<string, string>();
  /** The params of the answers, by the id of the call. */
  const answers = new Map<string, { readonly request_id?: unknown }>();
  const waiting = new Set<() => void>();
  let isClosed = false;
  let told = 0;
  const wake = () => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  channel.listen({
    message(text) {
      const message: Message = JSON.parse(text);
      const event = eventOf(message, answers);
      if (event !== undefined) received.push(event);
      received.push(message);
      wake();
    },
    oversized() {},
    closed() {
      isClosed = true;
      wake();
    },
  });

  async function until(find: () => Message | undefined, what: string): Promise<Message> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (isClosed) throw new Error(`closed before ${what}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }

  const client: RawClient = {
    received,
    get isClosed() {
      return isClosed;
    },
    send: (message) => channel.send(typeof message === "string" ? message : JSON.stringify(message)),
    call(method, params) {
      const id = `c${methods.size + 1}`;
      methods.set(id, method);
      if (method === "answer") answers.set(id, (params ?? {}) as object);
      client.send({ jsonrpc: "2.0", id, method, params });
      const response = until(
        () => received.find((message) => message.id === id && message.method === undefined),
        `${method} was answered`,
      );
      // A test that ends the connection need not await every call.
      response.catch(() => {});
      return response;
    },
    async begin(type) {
      const earlier = received.filter(({ params }) => params?.type === type).length;
      const prompt = client.call("prompt", { user_input: "go" });
      return { prompt, asked: await client.seen(type, earlier + 1) };
    },
    reply: (to, result) => client.send({ jsonrpc: "2.0", id: to.id, result }),
    replyError: (to, code, message) => client.send({ jsonrpc: "2.0", id: to.id, error: { code, message } }),
    seen: (type, n = 1) =>
      until(() => received.filter((m) => m.params?.type === type)[n - 1], `${type} number ${n}`),
    async settled() {
      for (let round = 0; round < 3; round += 1) await client.call("ping");
    },
    story() {
      const news = received.slice(told);
      told = received.length;
      return news.map((message) => word(message, methods)).filter((text) => !text.startsWith("ping"));
    },
    close: () => channel.close(),
  };
  return client;
}

/** The event that a reply to an answer stands for. */
function eventOf(
  { id, method, result }: Message,
  answers: ReadonlyMap<string, { readonly request_id?: unknown }>,
): Message | undefined {
  const answer = method === undefined ? answers.get(id ?? "") : undefined;
  if (answer === undefined || result?.seq === undefined) return undefined;
  const { outcome, kind, response, seq, state } = result;
  const payload = {
    request_id: answer.request_id,
    kind,
    outcome,
    ...(response !== undefined && { response }),
  };
  const params = { type: "InteractionSettled", payload, seq, ...(state !== undefined && { state }) };
  return { jsonrpc: "2.0", method: "event", params } as Message;
}

function word({ id, method, params, result, error }: Message, methods: Map<string, string>): string {
  if (method === "event") return params?.type ?? "";
  if (method === "request") return `ask ${params?.type}`;
  const ending = error === undefined ? (result?.status ?? "ok") : error.code;
  return `${methods.get(id ?? "") ?? id}: ${ending}`;
}

/** The parts of a message's payload. */
export function payload(message: Message): Record<string, unknown> {
  return message.params?.payload ?? {};
}

/** The questions of an event, as a client reads them: with the members that are left out where they have their default. */
export function questionsOf(message: Message) {
  const parsed = validate(ExtendedQuestionRequest, payload(message));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.questions.map(coreQuestion);
}
