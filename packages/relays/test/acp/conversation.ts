import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ApprovalReply,
  type ApprovalView,
  type ClientHandlers,
  type ConnectOptions,
  connect,
  type QuestionReply,
  type QuestionView,
  type RequestContext,
} from "@askwire/client";
import type { UserInput } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, type Log, type ServerOptions } from "@askwire/server";
import { afterAll, beforeEach, onTestFinished } from "vitest";
import { type AcpAgentOptions, acpAgent } from "../../src/acp.js";

const program = fileURLToPath(new URL("./scripted-agent.mjs", import.meta.url));

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "askwire-acp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The command of the scripted agent. */
export const scripted = (...flags: string[]) => [
  process.execPath,
  program,
  ...flags.map((flag) => `--${flag}`),
];

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A person who answers as a test says, and what a client saw. */
export interface Person {
  question?:
    | ((view: QuestionView, context: RequestContext) => QuestionReply | Promise<QuestionReply>)
    | undefined;
  approval?:
    | ((view: ApprovalView, context: RequestContext) => ApprovalReply | Promise<ApprovalReply>)
    | undefined;
}

interface Setup extends AcpAgentOptions {
  readonly command?: readonly string[];
  readonly flags?: readonly string[];
  readonly server?: Partial<ServerOptions>;
  readonly client?: ConnectOptions;
  readonly sessionId?: string;
}

/** A client that is connected to a server with an ACP agent, over a linked pair, until the test has finished. */
export async function conversation(setup: Setup = {}) {
  const opened = await openConversation(setup);
  onTestFinished(opened.close);
  return opened;
}

/** A conversation for all tests of a file. Before each test the person is gone and the events are forgotten. */
export async function sharedConversation() {
  const agent = await openConversation();
  afterAll(agent.close);
  beforeEach(() => {
    agent.events.splice(0);
    agent.person.approval = undefined;
    agent.person.question = undefined;
  });
  return agent;
}

/** Opens a conversation that lives until `close` is called. */
export async function openConversation({
  command,
  flags = [],
  server: more,
  client,
  sessionId,
  ...options
}: Setup = {}) {
  const agent = acpAgent(command ?? scripted(...flags), options);
  const server = createServer({ agent, log: quiet, ...more });
  const { left, right } = linkedPair();
  server.connect(left, sessionId === undefined ? {} : { sessionId });
  const person: Person = {};
  const events: { type: string; payload: unknown }[] = [];
  const printed: unknown[] = [];
  const handlers: ClientHandlers = {
    question: (view, context) => person.question?.(view, context) ?? "declined",
    approval: (view, context) => person.approval?.(view, context) ?? "reject",
    event: ({ type, payload }) => void events.push({ type, payload }),
    callOutput: (output) => void printed.push(output),
  };
  const shows = { previews: true, notes: true, skip: true, fields: true, approvalOptions: true };
  const session = await connect(right, { handlers, shows, ...client });

  const textSince = (from: number) =>
    events
      .slice(from)
      .flatMap(({ type, payload }) => {
        const { type: part, text } = payload as { type?: string; text?: string };
        return type === "ContentPart" && part === "text" ? [text ?? ""] : [];
      })
      .join("");

  return {
    server,
    session,
    person,
    events,
    /** What running calls have printed, as it was told. */
    printed,
    async close() {
      await session.close();
      await server.close();
    },
    /** Prompts, and resolves with the agent's text. */
    async say(input: UserInput): Promise<string> {
      const from = events.length;
      await session.prompt(input).result;
      return textSince(from);
    },
    /** Runs a script of the agent, and resolves with its text. */
    async script(...actions: unknown[][]): Promise<string> {
      const from = events.length;
      await session.prompt(JSON.stringify(actions)).result;
      return textSince(from);
    },
    /** Runs one action of the agent, and resolves with the value that it says. */
    async act(...action: unknown[]): Promise<never> {
      const from = events.length;
      await session.prompt(JSON.stringify([action])).result;
      return JSON.parse(textSince(from)) as never;
    },
    /** The payloads of the events of a type. */
    told: (type: string) =>
      events.filter((event) => event.type === type).map(({ payload }) => payload as never),
  };
}
