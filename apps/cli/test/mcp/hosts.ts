import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { QuestionReply, QuestionView } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { command, folderWith } from "../askwire.js";

/** The official clients by the version of their SDK, with the protocol that they speak. */
export const sdks = ["1.x", "2.x", "2.x of 2026"] as const;
export type Sdk = (typeof sdks)[number];

/** A result as tests read it. */
export interface Told {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown> & { readonly handle?: string };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { message?: string | undefined }) => void;
}

/** A host that has started `askwire mcp`. */
export interface Host {
  readonly pid: number;
  list(): Promise<readonly { name: string; annotations?: object | undefined; _meta?: object | undefined }[]>;
  call(name: string, given: object, options?: CallOptions): Promise<Told>;
  close(): Promise<void>;
}

/** A folder for the sessions and the gateway, which ends after the test. */
export async function newHome(): Promise<string> {
  const home = await folderWith();
  onTestFinished(() => {
    const pid = gatewayOf(home)?.pid;
    if (pid === undefined) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The gateway has ended.
    }
  });
  return home;
}

/** The gateway of a home as it wrote itself down. */
export function gatewayOf(
  home: string,
): { pid: number; port: number; token: string; address: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(home, "gateway", "gateway.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** A host: its SDK, its name, and its form where it shows forms. */
export interface HostOptions {
  readonly sdk?: Sdk;
  readonly args?: readonly string[];
  readonly name?: string;
  readonly program?: string;
  /** The folder of the host. Default: the home. */
  readonly folder?: string;
  readonly form?: (params: HostForm) => { action: "accept" | "decline" | "cancel"; content?: object };
}

export interface HostForm {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

/** Starts the command in a host with the official client. */
export async function startHost(
  home: string,
  { sdk = "2.x", args = [], name = "test-host", program = command, folder = home, form }: HostOptions = {},
): Promise<Host> {
  const env = { ...(process.env as Record<string, string>), ASKWIRE_HOME: home };
  const server = { command: process.execPath, args: [program, "mcp", ...args], env, cwd: folder };
  const info = { name, version: "1" };
  const capabilities = form === undefined ? {} : { elicitation: { form: {} } };
  const options = { timeout: 120_000, resetTimeoutOnProgress: true };
  if (sdk === "1.x") {
    const transport = new OldTransport(server);
    const client = new OldClient(info, { capabilities });
    if (form !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => form(params as HostForm) as never);
    await client.connect(transport);
    const close = () => client.close();
    onTestFinished(close);
    return {
      pid: transport.pid as number,
      list: async () => (await client.listTools()).tools,
      call: async (name, given, more) =>
        (await client.callTool({ name, arguments: { ...given } }, undefined, {
          ...options,
          ...more,
        })) as unknown as Told,
      close,
    };
  }
  const transport = new NewTransport(server);
  const client = new NewClient(info, {
    capabilities,
    ...(sdk === "2.x of 2026" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
  });
  if (form !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => form(params as never) as never);
  await client.connect(transport);
  const close = () => client.close();
  onTestFinished(close);
  return {
    pid: transport.pid as number,
    list: async () => (await client.listTools()).tools,
    call: async (name, given, more) =>
      (await client.callTool({ name, arguments: { ...given } }, { ...options, ...more })) as unknown as Told,
    close,
  };
}

/** Resolves with the value once it is there. */
export async function untilThere<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A person at the gateway, who answers when told. */
export async function personAt(home: string) {
  const { address } = await untilThere(() => gatewayOf(home));
  const asked: {
    text: string;
    asker: string | undefined;
    questions: QuestionView["questions"];
    answer: (label: string) => void;
    reply: (reply: QuestionReply) => void;
    /** Aborted once the question is settled by somebody else. */
    signal: AbortSignal;
  }[] = [];
  const calls: number[] = [];
  const session = await connectWebSocket(address, {
    client: { name: "person" },
    shows: { fields: true },
    handlers: {
      event(event) {
        if (event.type === "InteractionUpdated") calls.push(event.payload.calls ?? 1);
      },
      question: ({ questions, program }, { signal }) =>
        new Promise((resolve) => {
          const [first] = questions;
          const text = first?.question ?? "";
          asked.push({
            text,
            asker: program?.name,
            questions,
            answer: (label) => resolve({ answers: { [text]: label } }),
            reply: resolve,
            signal,
          });
        }),
    },
  });
  onTestFinished(() => session.close());
  return {
    /** Resolves once so many questions have come. */
    asked: (count = 1) => untilThere(() => asked[count - 1]),
    count: () => asked.length,
    /** The numbers of calls that wait, as they were told. */
    calls: () => calls,
    close: () => session.close(),
  };
}

export const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
