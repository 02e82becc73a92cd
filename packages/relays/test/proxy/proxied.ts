import { spawn } from "node:child_process";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import type { ClientHandlers } from "@askwire/client";
import { onTestFinished } from "vitest";
import { people } from "../../../adapters/test/people.js";
import { type AcpProxyOptions, acpProxy } from "../../src/acp.js";

const program = fileURLToPath(new URL("../acp/scripted-agent.mjs", import.meta.url));

type Answer = (params: Record<string, unknown>, signal: AbortSignal) => unknown;

/** A host on the official SDK, and the people beside it. */
export interface Setup {
  /** The person at the gateway; without handlers nobody is there. */
  readonly person?: ClientHandlers;
  /** The ways in which the host can be asked. Default: forms and links. */
  readonly elicitation?: object;
  readonly permission?: Answer;
  readonly form?: Answer;
  readonly proxy?: Partial<AcpProxyOptions>;
  /** The agent, and the folder of its conversation. Default: the scripted one, in `/work/shop`. */
  readonly agent?: {
    readonly command: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
  };
}

/** A promise that never settles: somebody who does not answer. */
export const never = () => new Promise<never>(() => {});

/** An agent behind the proxy, with a conversation. */
export async function proxied(setup: Setup = {}) {
  const { elicitation = { form: {}, url: {} }, permission = never, form = never, person } = setup;
  const { session, open } = await people(person);
  const { command, env, cwd } = setup.agent ?? {
    ...{ command: [process.execPath, program], env: process.env, cwd: "/work/shop" },
  };
  const [executable = "", ...args] = command;
  const child = spawn(executable, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [toProxy, fromProxy] = [new PassThrough(), new PassThrough()];
  const problems: string[] = [];
  const proxy = acpProxy({
    host: { input: toProxy, output: fromProxy },
    agent: { input: child.stdout, output: child.stdin },
    people: async () => session,
    onProblem: (line) => problems.push(line),
    ...setup.proxy,
  });
  const seen = {
    permissions: 0,
    forms: [] as Record<string, unknown>[],
    withdrawn: 0,
    updates: [] as object[],
  };
  const watched = async (answer: Answer, params: unknown, signal: AbortSignal) => {
    signal.addEventListener("abort", () => {
      seen.withdrawn += 1;
    });
    return (await answer(params as Record<string, unknown>, signal)) as never;
  };
  const said: string[] = [];
  const app = client({ name: "host" })
    .onRequest("session/request_permission", ({ params, signal }) => {
      seen.permissions += 1;
      return watched(permission, params, signal);
    })
    .onRequest("elicitation/create", ({ params, signal }) => {
      seen.forms.push(params as never);
      return watched(form, params, signal);
    })
    .onNotification("session/update", ({ params: { update } }) => {
      seen.updates.push(update);
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        said.push(update.content.text);
    });
  const { agent } = app.connect(
    ndJsonStream(Writable.toWeb(toProxy), Readable.toWeb(fromProxy) as ReadableStream<Uint8Array>),
  );
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { elicitation } });
  const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
  /** Prompts the agent, and resolves with the reason for which it stopped. */
  async function prompt(text: string) {
    const { stopReason } = await agent.request("session/prompt", {
      ...{ sessionId, prompt: [{ type: "text" as const, text }] },
    });
    return stopReason;
  }
  return {
    ...{ agent, sessionId, seen, said, proxy, problems, open, child, prompt },
    hangUp: () => void toProxy.end(),
    /** Lets the scripted agent do this, and resolves with what it says then. */
    async run(...script: readonly unknown[]): Promise<unknown> {
      const stopReason = await prompt(JSON.stringify(script));
      return said.length === 0 ? stopReason : JSON.parse(said.at(-1) as string);
    },
  };
}
