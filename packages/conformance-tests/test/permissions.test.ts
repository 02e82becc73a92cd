// One test for each role and permission over every transport: does the role allow it, or refuse it (P-XRL-2, P-XRL-6)?

import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { type ClientRole, clientRoles, type Permission, permissions } from "@askwire/protocol";
import { type Agent, ApprovalRequest, createServer, QuestionRequest, wireSend } from "@askwire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { waysForMany } from "./ways.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

type Way = (typeof waysForMany)[number][1];

/** An approval as it stood before the client, and the reasons why its answer was not taken. */
interface Refused {
  readonly view: ApprovalView;
  readonly issues: RequestContext["issues"];
}

/** A session of an agent that asks one thing, before a client with a role. */
async function before(way: Way, role: ClientRole | undefined, reply: ApprovalReply = "approve") {
  const decision = new ApprovalRequest({
    tool_call_id: "tc-1",
    sender: "Shell",
    action: "run command",
    description: "run `ls`",
    options: [
      { id: "once", kind: "allow" },
      { id: "command", kind: "allow", scope: { kind: "command", value: "ls" } },
      { id: "reject", kind: "reject" },
    ],
    edit: { content: "ls" },
  });
  const question = new QuestionRequest({
    tool_call_id: "tc-2",
    questions: [{ question: "Red?", options: [{ label: "Yes" }] }],
  });
  const run: Agent["run"] = async ({ input, signal }) => {
    if (input === "hold") return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    const request = input === "decide" ? decision : question;
    if (input === "hello") return;
    wireSend(request);
    await request.wait();
  };
  const server = createServer({
    agent: { run },
    log: quiet,
    attendance: "hold",
    decisions: async () => ({ decisions: [] }),
  });
  onTestFinished(() => server.close());
  const session = server.createSession();
  const { promise: refusal, resolve: refused } = deferred<Refused>();
  const client = await way(
    server,
    {
      profile: "extended",
      shows: { approvalOptions: true, edits: true },
      handlers: {
        question: () => ({ answers: { "Red?": "Yes" } }),
        approval(view, { issues }) {
          if (issues.length === 0) return reply;
          refused({ view, issues });
          return new Promise(() => {});
        },
      },
    },
    { session, ...(role !== undefined && { role }) },
  );
  onTestFinished(() => client.close());
  return { session, client, question, decision, refusal };
}

/** True once it was done, false for the refusal of a role. */
async function isAllowed(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === -32014) return false;
    throw error;
  }
}

/** Does what a permission is for. Resolves with true once that is done, and with false where the role refuses it. */
const cells: Readonly<Record<Permission, (way: Way, role: ClientRole | undefined) => Promise<boolean>>> = {
  async see(way, role) {
    const { client } = await before(way, role);
    return client.state === "idle" && isAllowed(client.replay({}));
  },
  async answer(way, role) {
    const { session, question } = await before(way, role);
    await session.prompt("ask");
    return question.outcome?.status === "answered";
  },
  approve: (way, role) => decided(way, role, { option: "once" }),
  approve_scope: (way, role) => decided(way, role, { option: "command" }),
  edit: (way, role) => decided(way, role, { option: "once", edited: "id > pwned.txt" }),
  async prompt(way, role) {
    const { client } = await before(way, role);
    const did = [
      await isAllowed(client.prompt("hello").result),
      await isAllowed(client.setPlanMode(true)),
      await isAllowed(client.setDoNotAsk(true)),
      await isAllowed(client.createSession()),
    ];
    expect(new Set(did).size).toBe(1);
    return did[0] === true;
  },
  async steer(way, role) {
    return isAllowed((await running(way, role)).steer("left"));
  },
  async cancel(way, role) {
    return isAllowed((await running(way, role)).cancel());
  },
  async close(way, role) {
    const { client, session } = await before(way, role);
    return isAllowed(client.closeSession(session.id));
  },
  async list(way, role) {
    const { client } = await before(way, role);
    return isAllowed(client.listSessions());
  },
  async history(way, role) {
    const { client } = await before(way, role);
    return isAllowed(client.call("list_decisions", {}));
  },
  async ask(way, role) {
    const { client } = await before(way, role);
    return isAllowed(client.ask({ questions: [{ question: "Red?", options: [] }], here: true }));
  },
};

/** A client that sees a turn of somebody else. */
async function running(way: Way, role: ClientRole | undefined) {
  const { client, session } = await before(way, role);
  session.prompt("hold").catch(() => {});
  await expect.poll(() => client.state).toBe("running");
  return client;
}

async function decided(way: Way, role: ClientRole | undefined, reply: ApprovalReply): Promise<boolean> {
  const { session, decision, refusal } = await before(way, role, reply);
  const turn = session.prompt("decide").then(() => undefined);
  turn.catch(() => {});
  const refused = await Promise.race([turn, refusal]);
  if (refused === undefined) {
    expect(await decision.wait()).toMatchObject(reply as object);
    return true;
  }
  const { view, issues } = refused;
  expect(issues).toMatchObject([{ question_id: null, code: "not_allowed" }]);
  // The client is not offered an answer that would be refused.
  expect([view.options?.map(({ id }) => id), view.edit]).toEqual([["once", "reject"], undefined]);
  expect(decision.outcome).toBeUndefined();
  return false;
}

describe.each(waysForMany)("over %s", (_name, way) => {
  describe.each([undefined, "answer"] as const)("with the role %s", (role) => {
    const may: readonly Permission[] = role === undefined ? permissions : clientRoles[role];

    test.each(permissions)("the permission %s is granted as a role says (P-XRL-2)", async (permission) => {
      expect(await cells[permission](way, role)).toBe(may.includes(permission));
    });
  });
});
