import { expect, onTestFinished, test } from "vitest";
import { connectWebSocket } from "../../client/src/websocket.js";
import { createServer } from "../../server/src/index.js";
import type { Nodes } from "../../server/src/transport/nodes.js";
import { type Gateway, listenWebSocket } from "../../server/src/websocket.js";
import { freshSchema, storeAt } from "./at-work.js";

const linkSecret = "a-secret-of-all-nodes-1234567890";
const token = "a-token-of-all-nodes-12345678901";

/** A node of a schema, with a gateway at an address that the store is told. */
async function nodeOf(schema: string) {
  let gateway: Gateway | undefined;
  let ownerOf: Nodes["ownerOf"] = async () => undefined;
  // The port is known once it listens, and the store is asked when the first client comes.
  const nodes: Nodes = { linkSecret, ownerOf: (id) => ownerOf(id) };
  const port = await freePort();
  const store = await storeAt({ schema, nodeAddress: `ws://127.0.0.1:${port}` });
  ownerOf = (id) => store.ownerOf(id);
  const server = createServer({
    agent: {
      resumes: true,
      async run(turn) {
        const { answer } = await turn.ask("Which colour?", ["Red", "Blue"]);
        turn.say(`${answer} it is.`);
      },
    },
    store,
    resume: "now",
  });
  gateway = await listenWebSocket(server, { port, token, nodes });
  const close = async () => {
    await gateway?.close();
    await server.close();
  };
  onTestFinished(close);
  return {
    server,
    gateway,
    store,
    port,
    close,
    address: (id: string) => `ws://127.0.0.1:${port}/wire/${id}#${token}`,
  };
}

async function freePort(): Promise<number> {
  const { createServer: net } = await import("node:net");
  const probe = net().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test("a client at a node that does not have its session is asked by the one that has it, and its answer counts there", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf(schema), await nodeOf(schema)];
  await one.server.openSession({ id: "s", stay: true });
  const said: string[] = [];
  const client = await connectWebSocket(other.address("s"), {
    handlers: {
      question: ({ questions }) => ({ answers: { [questions[0]?.question ?? ""]: "Blue" } }),
      event({ type, payload }) {
        if (type === "ContentPart") said.push(String((payload as { text?: string }).text ?? ""));
      },
    },
  });
  onTestFinished(() => client.close());
  expect((await client.prompt("go").result).status).toBe("finished");
  expect(said.join("")).toBe("Blue it is.");
  expect([one.server.sessions.has("s"), other.server.sessions.has("s")]).toEqual([true, false]);
});
