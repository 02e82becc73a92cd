import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { mergedDecisions } from "../../src/audit/merged-decisions.js";
import { startAskwire } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { auditedHome, decidedSession, plainSession } from "./decided.js";

/** The digest as docs/audit.md describes it. */
function digestOf(value: unknown): string {
  const ordered = (one: unknown): unknown =>
    Array.isArray(one)
      ? one.map(ordered)
      : typeof one === "object" && one !== null
        ? Object.fromEntries(
            Object.entries(one)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, member]) => [name, ordered(member)]),
          )
        : one;
  return createHash("sha256")
    .update(JSON.stringify(ordered(value)))
    .digest("hex");
}

const line = (seconds: number, type: string, payload: object) =>
  `${JSON.stringify({ timestamp: seconds, message: { type, payload } })}\n`;

/** The lines of a question that was asked at one second, and answered at another. */
const answered = (id: string, asked: number, at: number) =>
  line(asked, "InteractionOpened", {
    ...{ request_id: id, kind: "question", request: { id, tool_call_id: "" } },
    questions: [{ question: `Question ${id}?` }],
  }) +
  line(at, "InteractionSettled", {
    ...{ request_id: id, kind: "question" },
    outcome: { status: "answered", by: "human", at: new Date(at * 1000).toISOString() },
    response: { answers: { [`Question ${id}?`]: "Yes" }, items: [] },
  });

/** Writes the journal of a session that ended long ago. */
async function writeSession(home: string, id: string, text: string): Promise<string> {
  const folder = join(home, "sessions", "0".repeat(32), id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "wire.jsonl"), text);
  return folder;
}

test("askwire audit tells of each way in which a request ended, who decided, or what did in place of a person", async () => {
  const home = await auditedHome();
  const plain = await plainSession(home);
  const id = await decidedSession(home);
  const all = await home.told("--open");
  expect(all.map(({ status, reason, by, rule, answer }) => ({ status, reason, by, rule, answer }))).toEqual([
    { status: "unavailable", reason: "unsupported", by: "system", rule: null, answer: null },
    { status: "answered", reason: null, by: "human", rule: null, answer: "Red" },
    { status: "answered", reason: null, by: "human", rule: null, answer: "Red" },
    { status: "answered", reason: null, by: "human", rule: null, answer: "approved" },
    { status: "expired", reason: "deadline", by: "timer", rule: null, answer: null },
    { status: "answered", reason: null, by: "human", rule: null, answer: "approved for the session" },
    { status: "answered", reason: null, by: "policy", rule: "decided_before", answer: "approved" },
    { status: "withdrawn", reason: "agent", by: "system", rule: null, answer: null },
    { status: "unavailable", reason: "do_not_ask", by: "policy", rule: null, answer: null },
    { status: "open", reason: null, by: null, rule: null, answer: null },
  ]);
  const nobody = [null, undefined];
  expect(all.map(({ who, client }) => [who, (client as { name?: string } | null)?.name])).toEqual([
    nobody,
    [{ id: "Ann", name: "Ann", via: "token" }, "page"],
    [{ id: "d1", name: "Ann", via: "device", device: "Firefox on Android" }, "page"],
    [null, "Olga"],
    nobody,
    [{ id: "local", name: "Olga", via: "local" }, "terminal"],
    ...[nobody, nobody, nobody, nobody],
  ]);
  expect(all.map(({ session }) => session)).toEqual([plain, ...Array(9).fill(id)]);
  expect(all[1]).toMatchObject({
    answer_id: "a-1",
    folder: "/work/shop",
    title: "go",
    asked: "Which colour?",
  });
  // Nobody was asked where no client shows questions, by a rule, and where nobody wants to be asked.
  expect(all.map(({ asked_at }) => asked_at === null).flatMap((is, n) => (is ? [n] : []))).toEqual([0, 6, 8]);
  expect(all[9]).toMatchObject({ at: null });
  for (const { digest, request } of all) expect(digest).toBe(digestOf(request));
  // A question keeps its digest, whoever is asked it.
  expect(new Set([0, 1, 2, 4, 7, 8, 9].map((n) => all[n]?.digest)).size).toBe(1);

  const page = await readFile(fileURLToPath(new URL("../../../../docs/audit.md", import.meta.url)), "utf8");
  const section = page.slice(page.indexOf("## As JSON"), page.indexOf("## What is kept"));
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = ""]) =>
    names.replaceAll("`", "").split(", "),
  );
  for (const one of all) expect(Object.keys(one)).toEqual(rows);

  expect(await home.told("--who", "Ann")).toEqual([all[1], all[2]]);
  expect(await home.told("--who", "d1")).toEqual([all[2]]);
  // A client that calls itself Olga is not Olga.
  expect(await home.told("--who", "Olga")).toEqual([all[5]]);
  expect(await home.told("--client", "Olga")).toEqual([all[3]]);
  expect(await home.told("--client", "page", "--who", "d1")).toEqual([all[2]]);
  expect(await home.told("--work-dir", "/work/plain")).toEqual([all[0]]);
  expect(await home.told("--session", plain)).toEqual([all[0]]);
  expect(await home.told()).toEqual(all.slice(0, 9));

  const { stdout } = await home.run("--open");
  expect(stdout.split("\n").map((text) => text.replace(/^\S+ \S+ {2}/, ""))).toEqual([
    "unavailable  the server            Which colour? (unsupported)  [go]",
    "answered     Ann (token)           Which colour? → Red  [go]",
    "answered     Ann (Firefox on Android)  Which colour? → Red  [go]",
    "approved     says to be Olga       run deploy  [go]",
    "expired      the deadline          Which colour? (deadline)  [go]",
    "approved     Olga (local)          run test → approved for the session  [go]",
    "approved     a rule: decided_before  run test  [go]",
    "withdrawn    the server            Which colour? (agent: Error: no longer needed)  [go]",
    "unavailable  a rule                Which colour? (do_not_ask)  [go]",
    "open                               Which colour?  [go]",
    "",
  ]);
});

test("askwire audit tells the decisions of all sessions by their time, from one moment on and before another", async () => {
  const home = await auditedHome();
  await writeSession(home.home, "one", answered("a", 100, 110) + answered("d", 120, 400));
  await writeSession(home.home, "two", answered("b", 150, 160) + answered("c", 165, 300));
  const asked = async (...args: string[]) => (await home.told(...args)).map(({ asked }) => asked);
  const words = ["a", "b", "c", "d"].map((id) => `Question ${id}?`);
  expect(await asked()).toEqual(words);
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  expect(await asked("--since", at(160))).toEqual(words.slice(1));
  expect(await asked("--until", at(300))).toEqual(words.slice(0, 2));
  expect(await asked("--until", "1970-01-01")).toEqual([]);
  expect(await asked("--since", "1h")).toEqual([]);
  expect((await home.run("--until", "1970-01-01")).stderr).toBe("no decision is kept\n");
});

test("askwire audit names the program that asked, and reads a question of a journal that has no records of ours", async () => {
  const home = await auditedHome();
  const asked = line(100, "AskOpened", { request_id: "a", key: "k", digest: "d", name: "deploy.sh" });
  await writeSession(home.home, "ours", asked + answered("a", 100, 110));
  const question = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  const payload = { id: "b", tool_call_id: "tc-1", questions: [question] };
  await writeSession(home.home, "kimis", line(200, "QuestionRequest", payload));
  const [ours, kimis] = await home.told("--open");
  expect(ours).toMatchObject({ program: "deploy.sh", request_id: "a", status: "answered" });
  expect(kimis).toMatchObject({
    asked: "Which colour?",
    tool_call_id: "tc-1",
    program: null,
    status: "open",
  });
});

test("askwire audit keeps the order of more sessions than it reads beside each other, and ends when its reader does", async () => {
  const home = await auditedHome();
  const count = 300;
  for (let n = 0; n < count; n += 1) {
    const asked = [1000 + n, 5000, 9000 - n].map((at, k) => answered(`q${n}-${k}`, 100, at));
    await writeSession(home.home, `s${n}`, asked.join(""));
  }
  const all = await home.told();
  expect(all).toHaveLength(3 * count);
  const times = all.map(({ at }) => Date.parse(String(at)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const { child, ended } = startAskwire(["audit"], { env: { ...process.env, ...home.env } });
  child.stdout.once("data", () => child.stdout.destroy());
  expect((await ended).status).toBe(0);
});

test("askwire audit names a journal with lines that it cannot read, tells the rest and exits with 1", async () => {
  const home = await auditedHome();
  await writeSession(home.home, "good", answered("a", 100, 110));
  const torn = await writeSession(home.home, "torn", answered("b", 100, 120));
  await appendFile(
    join(torn, "wire.jsonl"),
    '{"timestamp": 130, "message": {"type": "InteractionSettled", "payl',
  );
  const { stdout, stderr, status } = await home.run("--json");
  const asked = stdout.split("\n").slice(0, -1);
  expect(asked.map((text) => JSON.parse(text).asked)).toEqual(["Question a?", "Question b?"]);
  expect(stderr).toBe(
    `askwire: audit: ${torn}: a line of it could not be read, and may have had a decision\n`,
  );
  expect(status).toBe(1);
});

test("a journal that cannot be opened is named, and takes no decision of another session away", async () => {
  const { home } = await auditedHome();
  const good = await writeSession(home, "good", answered("a", 100, 110));
  const bad = join(home, "bad");
  await mkdir(join(bad, "wire.jsonl"), { recursive: true });
  const unread: string[] = [];
  const session = { state: "closed", activeAt: 0, bytes: 1, open: [] } as const;
  const sessions = [
    { ...session, id: "bad", folder: bad },
    { ...session, id: "good", folder: good },
  ];
  const told: unknown[] = [];
  const rules = { wants: () => true, isLater: () => false };
  for await (const one of mergedDecisions(sessions, {
    ...rules,
    onUnread: ({ id }, problem) => unread.push(`${id}: ${problem}`),
  }))
    told.push(one.session.id);
  expect(told).toEqual(["good"]);
  expect(unread).toEqual([expect.stringMatching(/^bad: .* is no plain file/)]);
});

test("askwire audit fits a terminal of 80 columns, and shows what others wrote without their control characters", async () => {
  const home = await auditedHome();
  const text = answered("a", 100, 110).replaceAll(
    "Question a?",
    "Is it \\u001b[2J\\u202eready, after all of this long while, to go?",
  );
  await writeSession(home.home, "one", text);
  const shown = async (env: object) => {
    const terminal = openAskwire(["audit"], { cwd: home.home, env: { ...home.env, ...env } });
    await terminal.ended;
    return { rows: terminal.screen().trimEnd().split("\n"), sent: terminal.sent };
  };
  const coloured = await shown({});
  // A line that the terminal itself had broken would be longer.
  expect(coloured.rows.filter((row) => row.length > 80)).toEqual([]);
  expect(coloured.rows.slice(1).every((row) => row.startsWith(`${" ".repeat(51)}↪ `))).toBe(true);
  expect(coloured.sent).toContain("\u001b[32m");
  const bare = await shown({ NO_COLOR: "1" });
  expect(bare.rows).toEqual(coloured.rows);
  expect(bare.sent).not.toContain("\u001b[32m");
  const plain = await home.run();
  expect(plain.stdout).toMatch(
    /^1970-01-01 00:01 {2}answered {5}somebody {14}Is it .*ready, .* → Yes {2}\[one\]\n$/,
  );
  for (const hidden of ["\u001b", "\u202e", "\u2060"]) expect(plain.stdout).not.toContain(hidden);
});

describe("askwire audit refuses", () => {
  test.each([
    [["--since", "soon"], /^askwire: audit --since soon: expected an age such as 30d or 12h, a day such as/],
    [["--until", "2026-02-30"], /^askwire: audit --until 2026-02-30: expected an age/],
    [["--session", "none"], /^askwire: audit --session none: no session has this id/],
  ])("the options %j with exit code 2 and what was expected", async (args, said) => {
    const home = await auditedHome();
    const { stdout, stderr, status } = await home.run(...args);
    expect([stdout, status]).toEqual(["", 2]);
    expect(stderr).toMatch(said);
  });
});
