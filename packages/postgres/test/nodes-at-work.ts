import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { freePort } from "../../../scripts/free-port.js";
import { connectWebSocket, type WebSocketConnectOptions } from "../../client/src/websocket.js";
import { type Agent, createServer, type ServerOptions } from "../../server/src/index.js";
import { listenWebSocket, type WebSocketOptions } from "../../server/src/websocket.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import type { PostgresStoreOptions } from "../src/index.js";
import { administrator, storeAt } from "./at-work.js";
import { ledConnections } from "./led-connections.js";
import { linkSecret, token } from "./node-secrets.js";

export const answerToken = "a-token-for-answers-alone-1234567";

/** An agent that asks for a colour, and says it. */
export const colourAgent: Agent = {
  resumes: true,
  async run(turn) {
    const { answer } = await turn.ask("Which colour?", ["Red", "Blue"]);
    turn.say(`${answer} it is.`);
  },
};

interface NodeOptions {
  readonly schema: string;
  /** The address that the store is told. Default: the node's own. */
  readonly nodeAddress?: string | null;
  readonly gateway?: Partial<WebSocketOptions>;
  readonly server?: Partial<ServerOptions>;
  readonly store?: Partial<PostgresStoreOptions>;
}

/** A node of a schema in this process, whose lease ends by hand alone. */
export async function nodeOf({
  schema,
  nodeAddress,
  gateway: options,
  server: parts,
  store: more,
}: NodeOptions) {
  const port = await freePort();
  const log = detailedLog();
  const own = `ws://127.0.0.1:${port}`;
  const store = await storeAt({
    ...{ schema, leaseMs: 600_000 },
    ...(nodeAddress !== null && { nodeAddress: nodeAddress ?? own }),
    ...more,
  });
  const server = createServer({
    ...{ agent: colourAgent, store, resume: "now", attendance: "hold", log },
    ...parts,
  });
  const ownerOf = (id: string, tenant?: string) =>
    (tenant === undefined ? store : store.tenant(tenant)).ownerOf(id);
  const nodes = { linkSecret, ownerOf };
  const gateway = await listenWebSocket(server, { port, token, answerToken, nodes, log, ...options });
  const close = async () => {
    await gateway.close();
    await server.close();
  };
  onTestFinished(close);
  const db = await administrator();
  const isOver = async () => {
    const text = `update ${schema}.node set expires_at = now() - interval '1 second'`;
    const address = nodeAddress === undefined ? own : nodeAddress;
    await db.query(`${text} where address is not distinct from $1`, [address]);
  };
  return {
    ...{ server, gateway, store, port, close },
    /** The lines of its log. */
    told: () => log.told.map((line) => JSON.stringify(line)).join("\n"),
    address: (id: string, secret = token) => `${own}/wire/${id}#${secret}`,
    /** Ends the node as far as others see: nobody reaches it, and its lease is over. */
    async dies() {
      await gateway.close();
      await isOver();
    },
    /** Ends its lease as far as others see, while it goes on. */
    isOver,
  };
}

/** A balancer: one address whose new connections are led to a node that may change. */
export async function balancerOf(first: number) {
  const state = { port: first };
  const { port, cut, close } = await ledConnections(() => state.port);
  onTestFinished(close);
  return {
    leadTo(port: number) {
      state.port = port;
    },
    /** Cuts all connections, as a balancer does whose node says nothing. */
    cut,
    address: (id: string, secret = token) => `ws://127.0.0.1:${port}/wire/${id}#${secret}`,
  };
}

/** A person at an address, who answers when a test says so. */
export async function personAt(address: string, options: Partial<WebSocketConnectOptions> = {}) {
  const asked: { id: string; text: string; answer: (label: string) => void }[] = [];
  const changes: string[] = [];
  const said: string[] = [];
  const settled: unknown[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  const client = await connectWebSocket(address, {
    handlers: {
      question: ({ id, questions }) =>
        new Promise((resolve) => {
          asked.push({
            ...{ id, text: questions[0]?.question ?? "" },
            answer: (label) => resolve({ answers: { [questions[0]?.question ?? ""]: label } }),
          });
          changed();
        }),
      event({ type, payload }) {
        if (type === "ContentPart") said.push(String((payload as { text?: string }).text ?? ""));
        if (type === "InteractionSettled") settled.push(payload);
        changed();
      },
    },
    onConnection(change) {
      changes.push(change.state === "connected" ? `connected${change.reset ? ", reset" : ""}` : change.state);
      changed();
    },
    onProblem: () => {},
    ...options,
  });
  onTestFinished(() => client.close());
  return {
    ...{ client, asked, changes, said, settled },
    /** Resolves once something holds. */
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!holds()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}

/**
 * A node in a process of its own, by a bundled program.
 *
 * @param log the file that takes its log. Default: none.
 * @throws Error with the end of its log, where it does not start.
 */
export async function nodeProcess(
  program: string,
  args: readonly string[],
  log?: string,
): Promise<ChildProcess> {
  const child = fork(program, args, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let words = "";
  child.stderr?.on("data", (text) => {
    if (log !== undefined) appendFileSync(log, text);
    words = (words + String(text)).slice(-4_000);
  });
  const died = once(child, "exit").then(() => "");
  if ((await Promise.race([once(child, "message"), died])) === "")
    throw new Error(`the node did not start: ${words}`);
  return child;
}
