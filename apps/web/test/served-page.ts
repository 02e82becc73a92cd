import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import type { QuestionInput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { TestBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { openWay, type Way } from "../../cli/test/panel/served.js";

const TOKEN = "the-token-of-all-page-tests";

/** A page that the command serves, on its session, and a client beside it. */
export interface Opened {
  readonly page: Page;
  /** Complaints of the browser: violations of the policy, failures, lines of the console. */
  readonly complaints: readonly string[];
  /** The address of the page with its token. */
  readonly address: string;
  readonly origin: string;
  /** A client that shows nothing: it prompts, and asks as a program. */
  readonly other: ClientSession;
  /** The results of tool calls as the model was told, over all servers. */
  readonly told: readonly string[];
  /** Cuts all connections of the page, holds back what goes to a side, and lets all through again. */
  cut(): void;
  hold: Way["hold"];
  mend(): void;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Starts the next server at the same port, whose model goes on with this script, with further options. */
  again(script: readonly string[], options?: readonly string[]): ReturnType<typeof startServe>;
  /** The address for a terminal. */
  readonly wire: string;
  readonly session: string;
  /** The folder of the server, in which it keeps its sessions. */
  readonly home: string;
}

/**
 * Serves a scripted model, opens the page on its session, and waits until it is connected.
 *
 * @param optionsFor gives further options of the command, for the origin that the page will have.
 */
export async function openPage(
  { newPage }: TestBrowser,
  script: readonly string[] = [],
  context: BrowserContextOptions = { viewport: { width: 1_000, height: 900 } },
  optionsFor: (origin: string) => Promise<readonly string[]> = async () => [],
): Promise<Opened> {
  const way = await openWay();
  const first = await optionsFor(`http://127.0.0.1:${way.port}`);
  const cwd = await folderWith({ token: TOKEN });
  let child: ChildProcess | undefined;
  const start = async (script: readonly string[], port: string, options: readonly string[]) => {
    await writeFile(join(cwd, "script.json"), JSON.stringify(script));
    const env = { ...process.env, ASKWIRE_HOME: cwd };
    const args = ["--script", "script.json", "--token-file", "token", ...options];
    const served = await startServe(args, { cwd, env, port });
    child = served.child;
    return served;
  };
  const served = await start(script, "0", first);
  const direct = await served.untilPrinted(/^ +(http:\S+)$/m);
  const address = way.to(direct);
  const { origin, hash, port } = { ...readAddress(address), port: new URL(direct).port };
  const told: string[] = [];
  const event = (event: WireEvent | Unrecognized) => void told.push(...resultOf(event));
  const other = await connectWebSocket(served.address, { handlers: { event } });
  onTestFinished(() => other.close());
  const { page, complaints } = await newPage(context);
  await page.goto(address);
  await page.getByText("Connected", { exact: true }).waitFor();
  return {
    ...{ page, complaints, address, origin, other, told, wire: served.address, home: cwd },
    session: hash.get("session") ?? "",
    cut: way.cut,
    hold: way.hold,
    mend: way.mend,
    kill: () =>
      new Promise((resolve) => {
        child?.once("close", () => resolve());
        child?.kill("SIGKILL");
      }),
    again: (script, options = []) => start(script, port, [...first, ...options]),
  };
}

function readAddress(address: string) {
  const { origin, hash } = new URL(address);
  return { origin, hash: new URLSearchParams(hash.slice(1)) };
}

/** Tells the page that the network is back, so that it connects at once. */
export async function backOnline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

/** The text for the model, from the event that ends a tool call. */
export function resultOf({ type, payload }: WireEvent | Unrecognized): string[] {
  if (type !== "ToolResult") return [];
  const { output, message } = payload.return_value;
  return [(typeof output === "string" ? output : JSON.stringify(output)) || message];
}

/** Prompts, and resolves with what the model is told of each tool call. */
export async function results(other: ClientSession): Promise<string[]> {
  const told: string[] = [];
  for await (const event of other.prompt("go")) told.push(...resultOf(event));
  return told;
}

/** Asks as a program. A test that has seen enough leaves the question open. */
export function ask(other: ClientSession, questions: readonly QuestionInput[], signal?: AbortSignal) {
  const asked = other.ask({ questions, ...(signal !== undefined && { signal }) });
  asked.catch(() => {});
  return asked;
}

/** A question with two options. */
export const database = {
  question: "Which database?",
  header: "DB",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "PostgreSQL", description: "A server" },
  ],
};

/** A line of a script: the model calls a tool. */
export const calls = (name: string, input: unknown, id = "call-1"): string =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(input) })}`;
