import { join } from "node:path";
import { type ApprovalReply, type ApprovalView, connect, type QuestionReply } from "@askwire/client";
import { linkedPair } from "@askwire/protocol";
import { createServer } from "@askwire/server";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { onTestFinished, vi } from "vitest";
import { handlesIn } from "../../src/mcp/handles.js";
import { askServer } from "../../src/mcp/server.js";
import { throughGateway } from "../../src/mcp/through-gateway.js";
import { folderWith } from "../askwire.js";
import { type Told, untilThere } from "./hosts.js";

/** The folder of the host. */
const FOLDER = "/work/shop";

/** The tools in this process, between the official client and a person who replies when told. */
export async function toolsInProcess(timeout: number, { approvals = false, open = 0 } = {}) {
  const replies: ((reply: QuestionReply & ApprovalReply) => void)[] = [];
  const server = createServer({ agent: { run: async () => {} }, attendance: "hold" });
  onTestFinished(() => server.close());
  const session = server.createSession({ stay: true });
  const { left, right } = linkedPair();
  server.connect(left, { session });
  const asker = await connect(right, { client: { name: "me" } });
  const person = linkedPair();
  server.connect(person.left, { session });
  const views: ApprovalView[] = [];
  const asked = () => new Promise<never>((resolve) => replies.push(resolve as never));
  const approval = (view: ApprovalView) => {
    views.push(view);
    return asked();
  };
  await connect(person.right, {
    client: { name: "person" },
    shows: { notes: true, skip: true, approvalOptions: true, edits: true, previews: true },
    handlers: { question: asked, approval },
  });
  const folder = await folderWith();
  const handles = handlesIn(folder);
  const way = throughGateway({
    handles,
    contentIn: join(folder, "asked"),
    undeliveredIn: join(folder, "not-fetched"),
    connect: async () => asker,
    openQuestions: async (name) =>
      Array.from({ length: open }, (_, at) => ({
        key: handles.make({ name, folder: FOLDER }),
        texts: [`Question ${at}?`],
      })),
    onCancel: "keep",
  });
  vi.stubGlobal("__ASKWIRE_VERSION__", "0");
  const [near, far] = InMemoryTransport.createLinkedPair();
  const tools = askServer({
    ...{ ...way, folder: FOLDER, timeout },
    ...(approvals && { permissions: way.asking }),
  });
  await tools.connect(far);
  const client = new Client({ name: "test-host", version: "1" });
  await client.connect(near as never);
  onTestFinished(() => client.close());
  return {
    pending: () => session.pending.length,
    /** Resolves with the first approval that has come. */
    asked: () => untilThere(() => views[0]),
    /** Replies to the request that has come. */
    async reply(reply: unknown): Promise<void> {
      await untilThere(() => replies[0]);
      replies.shift()?.(reply as never);
    },
    list: async () => (await client.listTools()).tools,
    call: async (name: string, given: object) =>
      (await client.callTool({ name, arguments: { ...given } })) as unknown as Told,
  };
}
