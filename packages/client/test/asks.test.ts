import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServer, keepIn } from "../../server/src/index.js";
import { temporaryFolder } from "../../server/test/journal-folder.js";
import { keptLog } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import {
  type ApprovalView,
  type AskInit,
  askApproval,
  type ClientHandlers,
  type ClientSession,
  connect,
} from "../src/index.js";
import { cutAt, firstCutAt } from "./cut-at.js";
import { extendedServer, fakeTiming } from "./extended-server.js";

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
const key = "paint";
const ask: AskInit = { key, questions: [colour] };

const agent = { run: async () => {} };

function newServer(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  const server = createServer({ agent, log: keptLog(), attendance: "hold", ...options });
  onTestFinished(() => server.close());
  return server;
}

type Server = ReturnType<typeof newServer>;
type Home = ReturnType<Server["createSession"]>;

async function join(server: Server, session: Home, handlers: ClientHandlers = {}): Promise<ClientSession> {
  const { left, right } = linkedPair();
  server.connect(left, { session, graceMs: 30_000 });
  const client = await connect(right, { handlers, shows: { approvalOptions: true, edits: true } });
  onTestFinished(() => client.close());
  return client;
}

/** One ask of a program whose first connection is cut at its n-th message. */
async function askThrough(n: number, after: boolean) {
  const server = newServer();
  const home = server.createSession();
  const shown: string[] = [];
  await join(server, home, {
    async question(view) {
      shown.push(`${view.program?.key} of ${view.program?.name}`);
      return { items: [{ question_id: "q1", selected: ["q1_o2"] }] };
    },
  });
  const way = firstCutAt(server, home, n, after);
  const program = await connect(way.open, { client: { name: "painter" }, ...way.options });
  const { answers, outcome } = await program.ask(ask);
  await program.close();
  return { shown, answers, status: outcome?.status, messages: way.messages() };
}

describe("an ask over reconnections (P-XAK-9)", () => {
  test("an ask is put to people once wherever its connection is cut, and its outcome is the same", async () => {
    const { messages, ...whole } = await askThrough(0, false);
    expect(whole).toEqual({
      shown: ["paint of painter"],
      answers: { "Which colour?": "Blue" },
      status: "answered",
    });
    expect(messages).toBeGreaterThan(4);
    for (let n = 3; n <= messages; n += 1) {
      for (const after of [false, true]) {
        expect([n, after, await askThrough(n, after)]).toMatchObject([n, after, whole]);
      }
    }
  });

  test("an ask waits for a connection where there is none, and is withdrawn after one where it was cancelled meanwhile", async () => {
    const server = newServer();
    const home = server.createSession();
    const withdrawn: string[] = [];
    await join(server, home, {
      question: (_view, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            withdrawn.push("taken away");
            reject(signal.reason);
          }),
        ),
    });
    const time = fakeTiming();
    let cut = () => {};
    const program = await connect(
      () => {
        const { left, right } = linkedPair();
        server.connect(left, { session: home, graceMs: 30_000 });
        const way = cutAt(right, 0, false);
        cut = way.cut;
        return way.channel;
      },
      { timing: time.timing },
    );
    const cancelled = new AbortController();
    const asked = program.ask({ ...ask, signal: cancelled.signal });
    await until(() => home.pending.length === 1);
    cut();
    await until(() => program.connection === "lost");
    cancelled.abort();
    const beside = program.ask({ key: "other", questions: [colour], wait: false });
    time.fire();
    expect((await asked).outcome).toMatchObject({ status: "withdrawn", reason: "agent" });
    expect((await beside).outcome).toBeUndefined();
    expect(withdrawn).toEqual(["taken away"]);
    await program.close();
  });

  test("an outcome is found under its key after a restart of a server that keeps sessions, and open questions are there again", async () => {
    const place = { share: temporaryFolder(), workDir: "/work" };
    const keep = keepIn({ ...place, log: keptLog() });
    const id = "11111111-1111-4111-8111-111111111111";
    const first = newServer({ keep });
    const home = first.createSession({ id });
    const shown: string[] = [];
    const answering: ClientHandlers = {
      question(view) {
        shown.push(view.program?.key ?? "");
        if (view.program?.key === "open") return new Promise(() => {});
        return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
      },
    };
    const person = await join(first, home, answering);
    const program = await join(first, home);
    const settled = await program.ask(ask);
    void program.ask({ key: "open", questions: [colour] }).catch(() => {});
    await until(() => shown.length === 2);
    await Promise.all([person.close(), program.close()]);
    await first.close();

    const second = newServer({ keep });
    const again = second.createSession({ id });
    await join(second, again, answering);
    const returned = await join(second, again);
    expect(await returned.ask(ask)).toEqual(settled);
    await expect(returned.ask({ ...ask, questions: [{ ...colour, header: "x" }] })).rejects.toMatchObject({
      code: -32602,
    });
    void returned.ask({ key: "open", questions: [colour] }).catch(() => {});
    await until(() => shown.length === 3);
    expect(shown).toEqual(["paint", "open", "open"]);
    const replayed: string[] = [];
    await returned.replay({ request: ({ type }) => void replayed.push(type) });
    expect(replayed).toEqual(["QuestionRequest", "QuestionRequest"]);
  });
});

describe("what a program sends (P-XAK-1, P-XAK-6)", () => {
  test("a program keeps its questions with a key of its own, and else has them withdrawn with it", async () => {
    const { session, line } = await extendedServer();
    void session.ask({ questions: [colour] }).catch(() => {});
    const own = (await line.next()).params;
    expect(own).toMatchObject({ key: expect.stringMatching(/^[0-9a-f-]{36}$/), on_lost: "withdraw" });
    void session.ask(ask).catch(() => {});
    expect((await line.next()).params).not.toHaveProperty("on_lost");
    void session.ask({ ...ask, onLost: "withdraw", here: true, wait: false }).catch(() => {});
    expect((await line.next()).params).toMatchObject({ on_lost: "withdraw", here: true, wait: false });
  });

  test("an ask that does not fit is refused before it is sent, and a reply that does not fit is an error", async () => {
    const { session, line } = await extendedServer();
    await expect(session.ask({ key: "", questions: [colour] })).rejects.toMatchObject({
      code: "BAD_MESSAGE",
    });
    const asked = session.ask(ask);
    line.reply((await line.next()).id, { outcome: 7 });
    await expect(asked).rejects.toMatchObject({ code: "BAD_PEER" });
  });

  test("an ask of a closed session ends, and more than a thousand at once are refused", async () => {
    const { session } = await extendedServer();
    const many = Array.from({ length: 1_000 }, () => session.ask(ask).catch(({ code }) => code));
    await expect(session.ask(ask)).rejects.toMatchObject({ code: "INVALID_STATE" });
    await session.close();
    expect(new Set(await Promise.all(many))).toEqual(new Set(["CLOSED"]));
    await expect(session.ask(ask)).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("an approval of a program (P-XAK-11)", () => {
  const deploy = { action: "deploy", description: "Deploy build 42" };

  /** A program beside a person who answers every approval in the same way. */
  async function beside(approval: NonNullable<ClientHandlers["approval"]>) {
    const server = newServer();
    const home = server.createSession();
    const person = await join(server, home, { approval });
    return { server, home, person, program: await join(server, home) };
  }

  test("an approval is approved with the option and the text that the person chose, and the person saw who asks", async () => {
    const shown: unknown[] = [];
    const { program } = await beside((view) => {
      shown.push([view.sender, view.program?.key, view.program?.name]);
      return { option: "once", edited: "npm publish --dry-run" };
    });
    const decision = await askApproval(program, {
      ...{ ...deploy, key: "k", sender: "Release job", edit: { content: "npm publish", language: "bash" } },
      options: [{ id: "once", label: "Only now", kind: "allow" }],
    });
    expect(decision).toEqual({
      ...{ approved: true, option: "once", edited: "npm publish --dry-run" },
      ...{ feedback: undefined, words: undefined },
      outcome: expect.objectContaining({ status: "answered", by: "human" }),
    });
    expect(shown).toEqual([["Release job", "k", expect.any(String)]]);
  });

  test("an approval that is rejected comes with the person's words, and with those for a model", async () => {
    const { program } = await beside(() => ({ response: "reject", feedback: "wait for Monday" }));
    const { approved, feedback, words } = await askApproval(program, deploy);
    if (approved) throw new Error("it was approved");
    expect(feedback).toBe("wait for Monday");
    expect(words.message).toContain("wait for Monday");
  });

  test("an approval that is withdrawn is not approved, and a model is told that nothing was done", async () => {
    const cancelled = new AbortController();
    const { program } = await beside(() => {
      cancelled.abort();
      return new Promise(() => {});
    });
    const { approved, outcome, words } = await askApproval(program, { ...deploy, signal: cancelled.signal });
    expect([approved, outcome.status]).toEqual([false, "withdrawn"]);
    expect(words?.message).toContain("nothing was done");
  });

  test("an approval and a question have the origin that the program gave, and one that does not fit is refused before it is sent (P-XAK-12)", async () => {
    const origins: unknown[] = [];
    const server = newServer();
    const home = server.createSession();
    await join(server, home, {
      approval({ program }) {
        origins.push(program?.origin);
        return "reject";
      },
      question({ program }) {
        origins.push(program?.origin);
        return "declined";
      },
    });
    const program = await join(server, home);
    const origin = { host: "Claude Code", folder: "/work/app", tool: undefined };
    await askApproval(program, { ...deploy, origin });
    await program.ask({ questions: [colour], origin });
    expect(origins).toEqual(Array(2).fill({ host: "Claude Code", folder: "/work/app" }));
    const wrong = { tool: "Bash", sub_agent: "explore" };
    await expect(program.ask({ questions: [colour], origin: wrong })).rejects.toThrow(/origin.*sub_agent/);
    await expect(program.ask({ questions: [colour], origin: { tool: "" } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test("the reply to an approval has its decision and no answers, and to questions no decision", async () => {
    const { program } = await beside(() => "approve_for_session");
    const asked = await program.ask({ key: "k", approval: deploy });
    expect(asked).toMatchObject({ response: "approve_for_session", items: [], option: undefined });
    expect(await program.ask({ key: "k" })).toEqual(asked);
    await expect(program.ask({ key: "k", questions: [colour] })).rejects.toMatchObject({ code: -32602 });
  });

  test("an approval that is open when its server ends is open again in the next process, with all that it had, and its outcome is found under the key after one more", async () => {
    const place = { share: temporaryFolder(), workDir: "/work" };
    const keep = keepIn({ ...place, log: keptLog() });
    const id = "11111111-1111-4111-8111-111111111111";
    const run = {
      ...{ action: "run", description: "npm publish", edit: { content: "npm publish", language: "bash" } },
      options: [
        { id: "once", label: "Only now", kind: "allow" as const },
        { id: "npm", kind: "allow" as const, scope: { kind: "program", value: "npm" } },
      ],
      ...{ for_session: "npm", person_only: true },
    };
    const origin = { host: "Claude Code", folder: "/work", tool: "Bash", subagent: "explore" };
    const views: Pick<ApprovalView, "program">[] = [];
    const waiting: ClientHandlers = {
      approval({ source_id: _, ...view }) {
        views.push(view);
        return views.length === 1 ? new Promise(() => {}) : { option: "once", edited: "npm pack" };
      },
    };
    const first = newServer({ keep });
    const home = first.createSession({ id });
    const person = await join(first, home, waiting);
    const program = await join(first, home);
    void program.ask({ key: "k", approval: run, origin }).catch(() => {});
    await until(() => views.length === 1);
    await Promise.all([person.close(), program.close()]);
    await first.close();

    const second = newServer({ keep });
    const again = second.createSession({ id });
    const open = again.pending.map(({ kind }) => kind);
    const returned = await join(second, again);
    const asked = returned.ask({ key: "k", approval: run, origin });
    await join(second, again, waiting);
    const outcome = await asked;
    expect(open).toEqual(["approval"]);
    expect(views[1]).toEqual(views[0]);
    expect(views[1]?.program?.origin).toEqual(origin);
    expect(outcome).toMatchObject({ response: "approve", option: "once", edited: "npm pack" });
    await second.close();

    const third = newServer({ keep });
    const last = await join(third, third.createSession({ id }));
    expect(await last.ask({ key: "k", approval: run, origin })).toEqual(outcome);
    expect(views).toHaveLength(2);
  });
});
