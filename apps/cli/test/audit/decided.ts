import { randomBytes } from "node:crypto";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import {
  ApprovalRequest,
  keepIn,
  type PersonRequest,
  QuestionRequest,
  sessionFolder,
  wireSend,
} from "../../../../packages/server/src/index.js";
import { meetExtended } from "../../../../packages/server/test/extended/extended-client.js";
import { listeningExtended } from "../../../../packages/server/test/extended/extended-gateway.js";
import { colour, scenario } from "../../../../packages/server/test/scenario.js";
import { askwire, folderWith } from "../askwire.js";

export const red = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };

export const shedQuestion = (more: object = {}) =>
  new QuestionRequest({ tool_call_id: "tc-1", questions: [colour], ...more });
const approval = (action: string) =>
  new ApprovalRequest({ tool_call_id: "tc-2", sender: "Shell", action, description: `run ${action}` });

/** An agent that asks for one thing in each turn. The signal takes back what the seventh asks for. */
function askingInTurn(made: readonly (() => PersonRequest)[], signal?: AbortSignal) {
  let turn = 0;
  return async () => {
    const request = made[turn]?.() as PersonRequest;
    turn += 1;
    wireSend(request);
    await request.wait(turn === 7 ? { signal } : {}).catch(() => {});
  };
}

/** A home in which sessions are kept, and the command that tells what was decided in them. */
export async function auditedHome() {
  const home = await folderWith();
  const env = { ASKWIRE_HOME: home, TZ: "UTC" };
  const command = (...args: string[]) => askwire(args, { env });
  const run = (...args: string[]) => command("audit", ...args);
  return {
    home,
    env,
    command,
    run,
    /** The objects of `--json`, after a run without complaint. */
    async told(...args: string[]): Promise<Record<string, unknown>[]> {
      const { stdout, stderr, status } = await run("--json", ...args);
      expect([stderr, status]).toEqual(["", 0]);
      return stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    },
  };
}

/** Waits for the reply to an answer, which must have counted. */
async function counted(answer: Promise<{ readonly error?: unknown }>): Promise<void> {
  expect((await answer).error).toBeUndefined();
}

type AuditedHome = Awaited<ReturnType<typeof auditedHome>>;

/** A kept session, in which one decision came of each way in which a request may end; the last question is open. */
export async function decidedSession({ home }: AuditedHome) {
  const secret = () => randomBytes(32).toString("base64url");
  const [annsToken, phonesToken] = [secret(), secret()];
  const taken = new AbortController();
  const made = [
    () => shedQuestion(),
    () => shedQuestion(),
    () => approval("deploy"),
    () => shedQuestion({ deadline: { ms: 50, on_expiry: "cancel" } }),
    () => approval("test"),
    () => approval("test"),
    () => shedQuestion(),
    () => shedQuestion(),
    () => shedQuestion(),
  ];
  const set = await listeningExtended([], {
    run: askingInTurn(made, taken.signal),
    keep: keepIn({ share: home, workDir: "/work/shop" }),
    listen: {
      owner: "Olga",
      answerToken: true,
      tokens: {
        match: (token) => (token === annsToken ? { key: "ann", name: "Ann" } : undefined),
        watchRevoked: () => () => {},
      },
      devices: {
        match: (token) =>
          token === phonesToken ? { id: "d1", name: "Firefox on Android", person: "Ann" } : undefined,
        pair: () => undefined,
        watchRevoked: () => () => {},
      },
    },
  });
  const owner = await set.joinExtended("/wire", { name: "terminal" });
  const path = `/wire/${owner.found.id}`;
  const ann = await set.joinExtended(path, { name: "page" }, { token: annsToken });
  const phone = await set.joinExtended(path, { name: "page" }, { token: phonesToken });
  const anonymous = await set.joinExtended(path, { name: "Olga" }, { token: set.gateway.answerToken ?? "" });

  const prompt = () => owner.call("prompt", { user_input: "go" });
  const first = prompt();
  await counted(ann.answer(await ann.asked("QuestionRequest"), { ...red, answer_id: "a-1" }));
  await first;
  const second = prompt();
  await counted(phone.answer(await phone.asked("QuestionRequest", 2), red));
  await second;
  const third = prompt();
  await counted(anonymous.answer(await anonymous.asked("ApprovalRequest"), { option: "approve" }));
  await third;
  await prompt();
  const fifth = prompt();
  await counted(owner.answer(await owner.asked("ApprovalRequest", 2), { response: "approve_for_session" }));
  await fifth;
  await prompt();
  const seventh = prompt();
  await owner.asked("QuestionRequest", 4);
  taken.abort(new Error("no longer needed"));
  await seventh;
  await owner.call("set_do_not_ask", { enabled: true });
  await prompt();
  await owner.call("set_do_not_ask", { enabled: false });
  void prompt();
  await owner.asked("QuestionRequest", 5);
  return owner.found.id;
}

/** A home with a copy of such a session, as a process that was killed has left it: with the question open. */
export async function decidedHome() {
  const first = await auditedHome();
  const id = await decidedSession(first);
  const copy = await auditedHome();
  await cp(first.home, copy.home, { recursive: true });
  const folder = sessionFolder({ share: copy.home, workDir: "/work/shop", id });
  await writeFile(join(folder, "lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1", token: "t" }));
  return { ...copy, id, folder };
}

/** A kept session whose only client shows no questions, so that its agent is told to ask in plain text. */
export async function plainSession({ home }: AuditedHome) {
  const set = scenario([], {
    run: askingInTurn([() => shedQuestion()]),
    keep: keepIn({ share: home, workDir: "/work/plain" }),
  });
  const { client, found } = await meetExtended(set, {}, { question: false });
  await client.call("prompt", { user_input: "go" });
  await set.server.close();
  return found.id;
}
