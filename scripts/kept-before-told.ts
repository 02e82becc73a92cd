import type { MessageChannel } from "../packages/protocol/src/framing/channel.js";

/** A record of a journal, as far as it is looked at here. */
interface Payload {
  readonly request_id?: string;
  readonly answer_id?: string;
  readonly call_id?: string | null;
  readonly turn_id?: string;
  readonly tool_call_id?: string;
  readonly kind?: string;
  readonly id?: string;
}

/** The hearer of one connection of a kept session. */
export interface Ear {
  /** The server reads a message. */
  read(text: string): void;
  /** The server sends a message. */
  sent(text: string): void;
}

/** A watch over a kept session: words and deeds that came before the record from which they follow. */
export interface Watch {
  /** The words and deeds that came too early, in order. */
  readonly early: readonly string[];
  /** A new connection. */
  ear(): Ear;
  /** A tool begins to run a call. */
  runs(callId: string): void;
  /** A tool was given the answer to its request, and goes on. */
  goesOn(callId: string): void;
}

/** The texts of the journal: all that is written, and all that is safe from what the session is kept for. */
export interface Kept {
  readonly written: () => string;
  readonly safe: () => string;
}

/**
 * Watches that nothing is told or done before it is kept (P-DUR-2 to P-DUR-9): a request is asked after its opening,
 * its settlement told after that is kept, and so on.
 */
export function keptBeforeTold({ written, safe }: Kept): Watch {
  const early: string[] = [];
  const all = reader(written);
  const kept = reader(safe);

  function expectKept(what: string, type: string, fits: (payload: Payload) => boolean): void {
    if (!kept().some((record) => record.type === type && fits(record.payload))) {
      early.push(`${what} before its ${type} was kept`);
    }
  }

  /** Whatever is written of this must be kept by now. */
  function expectNoneWaits(what: string, type: string, fits: (payload: Payload) => boolean): void {
    const count = (records: readonly JournalLine[]) =>
      records.filter((record) => record.type === type && fits(record.payload)).length;
    if (count(kept()) < count(all())) early.push(`${what} before a ${type} was kept`);
  }

  const requestsOf = (callId: string) =>
    new Set(
      all()
        .filter(({ type, payload }) => type === "InteractionOpened" && payload.call_id === callId)
        .map(({ payload }) => payload.request_id),
    );

  function expectCallKept(what: string, callId: string): void {
    const requests = requestsOf(callId);
    expectNoneWaits(what, "InteractionSettled", ({ request_id }) => requests.has(request_id));
  }

  /** The turn that runs, or ran last. */
  const turn = () => all().findLast(({ type }) => type === "TurnOpened")?.payload.turn_id;

  function told(type: string, payload: Payload): void {
    const { id, request_id } = payload;
    if (type === "QuestionRequest" || type === "ApprovalRequest") {
      expectKept(`a request was asked`, "InteractionOpened", (opened) => opened.request_id === id);
    } else if (type === "InteractionSettled" && ["question", "approval"].includes(payload.kind ?? "")) {
      expectKept("a settlement was told", type, (settled) => settled.request_id === request_id);
    } else if (type === "ApprovalResponse") {
      expectKept("a decision was told", "InteractionSettled", (settled) => settled.request_id === request_id);
    } else if (type === "ToolResult") {
      const call = payload.tool_call_id ?? "";
      expectCallKept("a result was told", call);
      expectNoneWaits("a result was told", "CallStarted", ({ call_id }) => call_id === call);
    } else if (type === "TurnBegin" || type === "TurnEnd") {
      const record = type === "TurnBegin" ? "TurnOpened" : "TurnEnded";
      const turnId = turn();
      expectKept(`${type} was told`, record, ({ turn_id }) => turn_id === turnId);
    }
  }

  function replied(method: string, params: Payload, message: { result?: object; error?: { code: number } }) {
    const { request_id, answer_id } = params;
    if (method === "prompt" && message.result !== undefined) {
      const turnId = params.turn_id ?? turn();
      expectKept("a prompt was answered", "TurnEnded", ({ turn_id }) => turn_id === turnId);
    } else if (method === "answer" && message.result !== undefined) {
      expectKept(
        "an answer was acknowledged",
        "InteractionSettled",
        (settled) => settled.request_id === request_id && settled.answer_id === answer_id,
      );
    } else if (method === "answer" && message.error?.code === ALREADY_RESOLVED) {
      expectKept(
        "an answer was refused as late",
        "InteractionSettled",
        (settled) => settled.request_id === request_id,
      );
    } else if (method === "steer" && message.result !== undefined) {
      expectNoneWaits("a steer was answered", "InteractionSettled", () => true);
    }
  }

  return {
    early,
    ear() {
      const asked = new Map<unknown, { method: string; params: Payload }>();
      const isReplayed = () => [...asked.values()].some(({ method }) => method === "replay");
      return {
        read(text) {
          const { id, method, params = {} } = JSON.parse(text);
          if (method !== undefined && id !== undefined) asked.set(id, { method, params });
        },
        sent(text) {
          const { id, method, params, ...message } = JSON.parse(text);
          if (method === "event" || method === "request") {
            if (params.replayed !== true && !isReplayed()) told(params.type, params.payload);
            return;
          }
          const call = asked.get(id);
          asked.delete(id);
          if (call !== undefined) replied(call.method, call.params, message);
        },
      };
    },
    runs: (callId) => expectKept("a tool ran", "CallStarted", ({ call_id }) => call_id === callId),
    goesOn: (callId) => expectCallKept("a tool went on", callId),
  };
}

/** A server's channel whose messages somebody hears. */
export const heard = (channel: MessageChannel, ear: Ear): MessageChannel => ({
  get stringIds() {
    return channel.stringIds === true;
  },
  send(text) {
    ear.sent(text);
    channel.send(text);
  },
  listen: (sink) =>
    channel.listen({
      ...sink,
      message(text) {
        ear.read(text);
        sink.message(text);
      },
    }),
  close: (code, reason) => channel.close(code, reason),
  drained: (bytes) => channel.drained(bytes),
});

const ALREADY_RESOLVED = -32010;

interface JournalLine {
  readonly type: string;
  readonly payload: Payload;
}

/** Reads the records of a text that grows, each line once. A last line without a line feed counts if it is whole. */
function reader(text: () => string): () => readonly JournalLine[] {
  let read = "";
  let records: JournalLine[] = [];
  const recordsIn = (part: string) =>
    part.split("\n").flatMap((line) => {
      const record = messageOf(line);
      return record === undefined ? [] : [record];
    });
  return () => {
    const now = text();
    if (!now.startsWith(read)) {
      read = "";
      records = [];
    }
    const end = now.lastIndexOf("\n") + 1;
    if (end > read.length) records = [...records, ...recordsIn(now.slice(read.length, end))];
    read = now.slice(0, end);
    const last = messageOf(now.slice(end));
    return last === undefined ? records : [...records, last];
  };
}

function messageOf(line: string): JournalLine | undefined {
  // A caught error is dear, and most texts end with a line feed.
  if (line === "") return undefined;
  try {
    const message = JSON.parse(line)?.message;
    return typeof message?.type === "string"
      ? { type: message.type, payload: message.payload ?? {} }
      : undefined;
  } catch {
    return undefined;
  }
}
