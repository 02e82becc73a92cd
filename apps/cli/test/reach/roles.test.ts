import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { askwire, folderWith, startAskwire } from "../askwire.js";
import { serveRemote } from "./remote.js";

const initialize = {
  protocol_version: "1.10",
  client: { name: "Ann" },
  capabilities: { supports_question: true, askwire: { revision: 3 } },
};

interface Said {
  readonly id?: string;
  readonly params?: { readonly type?: string; readonly payload: Record<string, unknown> };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client with a person's token, which has introduced itself. */
async function person(address: string, token: string) {
  const headers = { authorization: `Bearer ${token.trim()}` };
  const socket = new WebSocket(address.replace(/#.*/, ""), ["askwire.v1"], { headers });
  onTestFinished(() => socket.terminate());
  const heard: Said[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    heard.push(JSON.parse(String(data)));
    for (const wake of waiting) wake();
  });
  async function until(find: () => Said | undefined): Promise<Said> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
  let calls = 0;
  const call = (method: string, params: object) => {
    calls += 1;
    const id = `c${calls}`;
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return until(() => heard.find((each) => each.id === id));
  };
  await new Promise((resolve) => socket.once("open", resolve));
  await call("initialize", initialize);
  return {
    call,
    seen: (type: string, n = 1) => until(() => heard.filter(({ params }) => params?.type === type)[n - 1]),
    answer: (request_id: unknown, answer_id: string) =>
      call("answer", {
        ...{ request_id, answer_id, outcome: { status: "answered" } },
        items: [{ question_id: "q1", selected: ["q1_o1"] }],
      }),
  };
}

const question = ["--question", "Pay?", "--option", "Yes", "--option", "No"];

describe("askwire admin", () => {
  test("a role that is granted shows an open question within a second, one that is taken away takes it, and only its holder answers", async () => {
    const served = await serveRemote([]);
    const home = { env: { ASKWIRE_HOME: served.share } };
    const token = async (name: string) => (await askwire(["tokens", "add", name], home)).stdout;
    const [ann, ben] = [
      await person(served.address, await token("Ann")),
      await person(served.address, await token("Ben")),
    ];
    const asked = startAskwire(["ask", "--connect", served.address, "--to", "role:payments", ...question]);
    const { request_id: id, to } = (await ann.seen("InteractionOpened")).params?.payload ?? {};
    expect(to).toEqual({ roles: ["payments"] });
    const granted = await askwire(["admin", "grant", "Ann", "--role", "payments"], home);
    expect([granted.stdout, granted.status]).toEqual(["Ann answers what is for payments\n", 0]);
    expect((await ann.seen("QuestionRequest")).params?.payload).toMatchObject({ id, to });
    const refused = (await ben.answer(id, "b1")).error;
    expect([refused?.code, refused?.message]).toEqual([-32014, expect.stringContaining("the role payments")]);

    await askwire(["admin", "revoke", "Ann", "--role", "payments"], home);
    await ann.seen("InteractionOpened", 2);
    expect((await ann.answer(id, "a1")).error?.code).toBe(-32014);
    await askwire(["admin", "grant", "Ann", "--role", "payments"], home);
    await ann.seen("QuestionRequest", 2);
    expect((await ann.answer(id, "a2")).result).toMatchObject({ outcome: { status: "answered" } });
    const { stdout, status } = await asked.ended;
    expect(JSON.parse(stdout)).toMatchObject({ outcome: { principal: { name: "Ann" } } });
    expect(status).toBe(0);
    await served.stop();
  });

  test("grants are listed, changed and taken away by name and role, each in a private file", async () => {
    const share = await folderWith();
    const admin = (...args: string[]) => askwire(["admin", ...args], { env: { ASKWIRE_HOME: share } });
    expect((await admin()).stderr).toBe("nobody has a role: askwire admin grant NAME --role ROLE\n");
    await admin("grant", "Ben", "--role", "payments", "--may", "see");
    await admin("grant", "Ann", "--role", "payments");
    await admin("grant", "Ann", "--role", "leads");
    const rows = async () =>
      (await admin("list", "--json")).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(await rows()).toMatchObject([
      { name: "Ann", role: "leads", may: "answer" },
      { name: "Ann", role: "payments", may: "answer" },
      { name: "Ben", role: "payments", may: "see" },
    ]);
    expect((await admin()).stdout).toMatch(/^Ben {2}payments {2}granted .* ago, sees only$/m);
    const folder = join(share, "grants");
    for (const file of ["", ...readdirSync(folder)])
      expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
    expect((await admin("revoke", "Ann")).stdout).toBe(
      "Ann has no role leads any more\nAnn has no role payments any more\n",
    );
    expect(await rows()).toHaveLength(1);
    writeFileSync(join(folder, readdirSync(folder)[0] as string), "{");
    const damaged = await admin();
    expect([damaged.status, damaged.stderr]).toEqual([
      1,
      expect.stringContaining("damaged, so that it gives"),
    ]);
  });

  test.each([
    ["an empty name", ["grant", " ", "--role", "payments"], "admin grant: the name: expected a name"],
    [
      "a role of controls",
      ["grant", "Ann", "--role", "pay\u0007"],
      "admin grant: --role: expected no control",
    ],
    ["no role", ["grant", "Ann"], "--role"],
    [
      "a role that the person has not",
      ["revoke", "Ann", "--role", "x"],
      "this person has no role x: askwire admin lists",
    ],
    ["a person without roles", ["revoke", "Ann"], "this person has no role: askwire admin lists"],
  ])("askwire admin refuses %s in words", async (_, args, why) => {
    const env = { ASKWIRE_HOME: await folderWith() };
    const { stderr, stdout, status } = await askwire(["admin", ...args], { env });
    expect([stderr, stdout, status]).toEqual([expect.stringContaining(why), "", 2]);
  });
});

test.each([
  ["no server", ["--to", "Ann"], "ask: --to needs --connect ADDRESS"],
  [
    "a role without a name",
    ["--connect", "ws://x/wire/1", "--to", "role:"],
    "ask: --to role:: expected a name",
  ],
  [
    "a step without people before it",
    ["--connect", "ws://x/wire/1", "--escalate", "5m:Ann"],
    "ask: --escalate needs --to",
  ],
  [
    "a step without a time",
    ["--connect", "ws://x/wire/1", "--to", "Ann", "--escalate", "role:leads"],
    "ask: --escalate role:leads: expected a time of at most 24 days",
  ],
  [
    "a step in a year",
    ["--connect", "ws://x/wire/1", "--to", "Ann", "--escalate", "365d:role:leads"],
    "such as 30m:role:leads",
  ],
])("askwire ask refuses %s for those who are to answer, with the next step", async (_, args, why) => {
  const { stderr, status } = await askwire(["ask", ...args, ...question]);
  expect([stderr, status]).toEqual([expect.stringContaining(why), 2]);
});
