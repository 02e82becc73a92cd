import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import process from "node:process";
import type { ServerOptions } from "@askwire/server";
import type { WebSocketOptions } from "@askwire/server/websocket";

/** A message of the wire that a fault changes; what it does not look at stays as it is. */
// biome-ignore lint/suspicious/noExplicitAny: a fault reaches for whatever it breaks
export type WireMessage = Record<string, any>;

interface Changes {
  /** What is sent in the place of a message. */
  out?(message: WireMessage): WireMessage[];
  /** What is read in the place of a message. */
  into?(message: WireMessage): WireMessage;
}

/** One thing that a server does wrong. */
export interface Fault {
  /** Changes messages; made anew for each connection. */
  make?(): Changes;
  /** Changes the request for a WebSocket. */
  upgrade?(request: IncomingMessage, token: string): void;
  /** Other options of the server's door. */
  readonly listen?: WebSocketOptions;
  /** Other options of the server. */
  readonly server?: Partial<ServerOptions>;
}

/** Changes messages that it sends, in place. */
const sends = (change: (message: WireMessage) => void): Fault => ({
  make: () => ({
    out(message) {
      change(message);
      return [message];
    },
  }),
});

/** The same for messages that it reads. */
const reads = (change: (message: WireMessage) => void): Fault => ({
  make: () => ({
    into(message) {
      change(message);
      return message;
    },
  }),
});

const on = (type: string, change: (params: WireMessage) => void) =>
  sends(({ params }) => {
    if (params?.type === type) change(params);
  });

const onInitialized = (change: (result: WireMessage) => void) =>
  sends(({ result }) => {
    if (result?.slash_commands !== undefined) change(result);
  });

const asked = (method: string, change: (params: WireMessage) => void) =>
  reads((message) => {
    if (message.method === method) change(message.params);
  });

const code = (from: number, to: number) =>
  sends(({ error }) => {
    if (error?.code === from) error.code = to;
  });

/** The number of the last event, for a change that needs it. */
function lastSeq() {
  let seq = 0;
  return (message: WireMessage): number => {
    if (message.method === "event") seq = message.params.seq ?? seq;
    return seq;
  };
}

/** Calls that come after the first one. */
function again() {
  let count = 0;
  return () => count++ > 0;
}

/** What `--fault` names. */
export const faults = {
  "base-only": asked("initialize", ({ capabilities }) => {
    delete capabilities?.askwire;
  }),
  "own-revision": onInitialized(({ capabilities }) => {
    if (capabilities.askwire !== undefined) capabilities.askwire.revision = 7;
  }),
  "numbers-for-all": sends(({ method, params }) => {
    if (method === "event") params.seq ??= 1;
  }),
  "late-askwire": onInitialized(({ capabilities }) => {
    capabilities.askwire ??= { revision: 3 };
  }),
  "forgets-profile": {
    make() {
      const isAgain = again();
      let forgets = false;
      return {
        out(message) {
          if (message.result?.slash_commands !== undefined) forgets = isAgain();
          if (forgets) delete message.params?.seq;
          return [message];
        },
      };
    },
  },
  "methods-for-all": code(-32601, -32011),
  "no-steering": on("SteerInput", (params) =>
    Object.assign(params, { type: "StepInterrupted", payload: {} }),
  ),
  "one-stream": onInitialized(({ session }) => {
    if (session !== undefined) session.stream = "00000000-0000-4000-8000-000000000000";
  }),
  "stale-number": {
    make() {
      const isAgain = again();
      return {
        out(message) {
          if (message.result?.session !== undefined && isAgain()) message.result.session.seq -= 1;
          return [message];
        },
      };
    },
  },
  "any-session": asked("initialize", (params) => {
    delete params.session;
  }),
  "no-ids": on("QuestionRequest", ({ payload }) => {
    for (const question of payload.questions) delete question.id;
  }),
  "not-degraded": on("ToolResult", ({ payload }) => {
    payload.return_value.extras = null;
  }),
  "wrong-reason": on("InteractionSettled", ({ payload: { outcome } }) => {
    if (outcome.status === "unavailable") outcome.reason = "client_lost";
  }),
  "nobody-answered": sends(({ result }) => {
    if (result?.outcome !== undefined) result.outcome.by = "system";
  }),
  "no-discussion": asked("answer", ({ outcome }) => {
    if (outcome.reason === "discuss") outcome.reason = "dismissed";
  }),
  "no-touch": reads((message) => {
    if (message.method === "touch") message.method = "touched";
  }),
  "no-release": reads((message) => {
    if (message.method === "release") message.params.message = "";
  }),
  "believes-all": asked("answer", (params) => {
    params.outcome = { status: "answered" };
  }),
  "no-late-answers": code(-32010, -32011),
  "first-issue": sends(({ error }) => {
    error?.data?.issues?.splice(1);
  }),
  "forgets-answers": asked("answer", (params) => {
    if (params.answer_id.length <= 128) params.answer_id = randomUUID();
  }),
  "no-attachments": asked("answer", ({ items }) => {
    for (const item of items ?? []) delete item.attachments;
  }),
  "no-limit": code(-32020, -32011),
  "no-feedback": asked("answer", (params) => {
    delete params.feedback;
  }),
  "shows-all": asked("initialize", ({ capabilities: { askwire } }) => {
    Object.assign(askwire, { notes: true, skip: true, attachments: true });
  }),
  "no-state": sends(({ params }) => {
    delete params?.state;
  }),
  "always-waiting": sends(({ method, params }) => {
    if (method === "event" && params.state !== undefined) params.state = "waiting";
  }),
  "state-everywhere": sends(({ method, params }) => {
    if (method === "event" && params.seq !== undefined) params.state ??= "running";
  }),
  "loses-a-question": {
    make: () => ({ out: (message) => (message.params?.type === "QuestionRequest" ? [] : [message]) }),
  },
  "no-short-form": {
    make: () => ({ out: (message) => (message.params?.type === "InteractionOpened" ? [] : [message]) }),
  },
  "questions-as-requests": sends((message) => {
    if (message.params?.type !== "QuestionRequest" || message.params.seq === undefined) return;
    Object.assign(message, { method: "request", id: message.params.payload.id });
  }),
  "uncounted-calls": on("ToolCallRequest", (params) => {
    delete params.seq;
  }),
  "takes-receipts-as-release": reads((message) => {
    if (message.method === "received") Object.assign(message, { method: "release", id: "for-it" });
  }),
  "old-revision": asked("initialize", ({ capabilities }) => {
    if (capabilities?.askwire?.revision === 2) capabilities.askwire.revision = 3;
  }),
  "no-request-id": on("HookRequest", ({ payload }) => {
    delete payload.request_id;
  }),
  "wrong-kind": on("InteractionSettled", ({ payload }) => {
    payload.kind = "question";
  }),
  "never-cancels": {
    make: () => ({ out: (message) => (message.method === "$/cancelRequest" ? [] : [message]) }),
  },
  "early-alive": {
    make() {
      const seq = lastSeq();
      return {
        out(message) {
          const params = { seq: seq(message) };
          const alive = { jsonrpc: "2.0", method: "alive", params };
          return message.result?.status === "finished" ? [message, alive] : [message];
        },
      };
    },
  },
  miscounts: sends(({ method, params }) => {
    if (method === "alive" && params.received !== undefined) params.received += 1;
  }),
  "no-status": on("TurnEnd", ({ payload }) => {
    delete payload.status;
  }),
  "runs-again": asked("prompt", (params) => {
    if (params.turn_id?.length <= 128) params.turn_id = randomUUID();
  }),
  unmarked: sends(({ params }) => {
    if (params?.replayed !== undefined) delete params.replayed;
  }),
  "no-outcomes": {
    make: () => ({
      out: (message) =>
        message.params?.type === "InteractionSettled" && message.params.replayed ? [] : [message],
    }),
  },
  "no-name": on("InteractionSettled", ({ payload: { outcome } }) => {
    delete outcome.client;
  }),
  "refuses-alike": code(-32014, -32011),
  "no-client-id": asked("initialize", ({ capabilities }) => {
    if (capabilities?.askwire !== undefined) delete capabilities.askwire.client_id;
  }),
  "no-return": asked("initialize", ({ session }) => {
    if (session !== undefined) delete session.stream;
  }),
  "no-second-visit": asked("initialize", ({ session }) => {
    if (session?.after_seq !== undefined) session.id = randomUUID();
  }),
  "never-resets": onInitialized(({ session }) => {
    if (session !== undefined) session.reset = false;
  }),
  "claims-to-resume": {
    ...onInitialized(({ session }) => {
      if (session !== undefined) session.resumes = true;
    }),
    server: { resume: false },
  },
  "writes-again": asked("initialize", ({ session }) => {
    const folder = process.argv[process.argv.indexOf("--work-dir") + 1] as string;
    if (session !== undefined) writeFileSync(join(folder, "a.txt"), "one\n");
  }),
  "empty-pending": onInitialized(({ session }) => {
    session.pending = [];
  }),
  "long-patience": {
    listen: { unsentBytes: 1024 ** 3 },
    server: { eventLog: { length: 1024 ** 3 } },
  },
  "takes-it-as-declined": reads((message) => {
    if (message.method !== "release") return;
    const { request_id } = message.params;
    message.method = "answer";
    message.params = { request_id, answer_id: "for-it", outcome: { status: "declined" } };
  }),
  "own-kind": on("InteractionOpened", ({ payload }) => {
    payload.kind = "hook";
  }),
  "keeps-all": { server: { eventLog: { events: 1_000_000 } } },
  "counts-wrong": sends(({ result }) => {
    for (const session of result?.sessions ?? []) session.connections += 1;
  }),
  "lobby-nowhere": sends(({ result }) => {
    delete result?.lobby;
  }),
  "one-page": sends(({ result }) => {
    delete result?.next;
  }),
  "any-token": {
    upgrade(request, token) {
      request.headers.authorization = `Bearer ${token}`;
    },
  },
  "any-host": {
    upgrade(request) {
      request.headers.host = "localhost";
    },
  },
  "any-origin": {
    upgrade(request) {
      delete request.headers.origin;
    },
  },
  "any-id": {
    upgrade(request) {
      request.url = "/wire";
    },
  },
  "any-length": { listen: { inboundBytes: 64 * 1024 * 1024 } },
  "last-answer": on("ToolResult", ({ payload }) => {
    payload.return_value.output = '{"answers": {"Which colour?": "Red"}}';
  }),
} as const satisfies Record<string, Fault>;
