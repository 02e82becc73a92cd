import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endings } from "@askwire/protocol";
import { talkWords } from "@askwire/react";
import type { OpenRequest } from "@askwire/react/stores";
import { describe, expect, test, vi } from "vitest";
import { TAKES_LINES } from "../../../packages/protocol/test/line-program.js";
import { nameIt } from "../../cli/test/commands/name-interview.js";
import type { Chat } from "../src/chats/chat.js";
import { shortReason } from "../src/chats/short-reason.js";
import type { AgentLink } from "../src/view-state.js";
import { type HostWindow, testHost } from "./host.js";

const host = testHost();

/** Resolves with what `read` finds, once a change brings it. */
function once<T>({ chats }: HostWindow, read: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = read();
      if (found === undefined) return;
      end();
      resolve(found);
    };
    const end = chats.onChange(look);
    look();
  });
}
const shownChat = ({ chats }: HostWindow): Chat => {
  const chat = chats.current();
  if (chat === undefined) throw new Error("expected a session");
  return chat;
};
/** Waits for an open card of the shown session. */
const card = (window: HostWindow) => once(window, () => shownChat(window).open()[0]);
/** Does something while the clock of this process stands still: it waits for nothing but what happens. */
async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
/** Answers the first question of a card with its first option, or with words where it has none, or approves. */
function answer(card: OpenRequest): void {
  if (card.kind === "approval") return card.onReply("approve");
  const [asked] = card.request.questions;
  const selected = asked?.options.slice(0, 1).map(({ id }) => id) ?? [];
  const own_text = selected.length === 0 ? "make test" : "";
  card.onReply({ items: [{ question_id: asked?.id ?? "", selected, ...(own_text !== "" && { own_text }) }] });
}
/** A script of an ACP agent, which asks for permission. */
const permission = JSON.stringify([
  [
    "request",
    "session/request_permission",
    {
      toolCall: { toolCallId: "t", title: "Write a.txt", kind: "edit" },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    },
  ],
]);
const drivenBy = (name: string) => ({
  agent: "command",
  command: [process.execPath, fileURLToPath(new URL(name, import.meta.url))],
});
const lineOf = (window: HostWindow) => shownChat(window).line.current();
const startsOf = ({ log }: HostWindow) => log.filter((line) => line.startsWith("starts: ")).length;
const reasonOf = (line: AgentLink) => ("why" in line ? shortReason(line.why) : line.is);

test.each([
  ["unset", false],
  ["doNotAsk", true],
  ["ask", false],
])(
  "an agent that starts with the setting asking %s has a session where nobody is to be asked: %s",
  async (asking, stops) => {
    const { window } = await host();
    const one = await window({ asking });
    await one.chats.start();
    await once(one, () => shownChat(one).session()?.doNotAsk === stops || undefined);
  },
);

/** A window that goes on with the session of one before it, whose agent may still start. */
async function reopened() {
  const { window, open } = await host();
  const before = await window();
  await before.chats.start();
  const { id } = shownChat(before);
  await before.chats.close();
  const opened = open();
  await once(opened, () => opened.chats.of(id));
  return { id, opened };
}

describe("the sessions of a window", () => {
  test("sessions resume after a reload: the open question is shown once, and answered once", async () => {
    const { window } = await host();
    const before = await window();
    await before.chats.start();
    await shownChat(before).say("go", []);
    const { id } = await card(before);
    before.chats.keepDrafts(shownChat(before).id, "{typed}");
    await before.chats.close();

    const after = await window();
    const question = await card(after);
    expect(endings.window_closed.question.kept).toBe("open");
    expect([question.id, shownChat(after).open().length]).toEqual([id, 1]);
    expect(after.chats.drafts(shownChat(after).id)).toBe("{typed}");
    const [asked] = question.kind === "question" ? question.request.questions : [];
    const items = [{ question_id: asked?.id ?? "", selected: [], own_text: "make test" }];
    if (question.kind === "question") question.onReply({ items });
    const next = await once(after, () => shownChat(after).open()[0]);
    expect(next.id).not.toBe(id);
    const entries = () => JSON.stringify(shownChat(after).talk.current().entries);
    await once(after, () => entries().includes("make test") || undefined);
  });

  test("sessions belong to one of two windows on the folder, and both lists survive a reload of each", async () => {
    const { window } = await host();
    const one = await window();
    await one.chats.start();
    const other = await atOnce(() => window());
    const held = { id: shownChat(one).id, holder: expect.stringMatching(/^\d+$/), canWatch: false };
    expect([other.chats.held.current(), other.chats.all.current()]).toEqual([held, []]);
    await other.chats.start();
    expect(other.chats.all.current()).toEqual([]);
    await other.chats.begin();
    expect([other.chats.held.current(), lineOf(other)]).toEqual([undefined, { is: "connected" }]);
    const [first, second] = [shownChat(one).id, shownChat(other).id];
    expect(second).not.toBe(first);
    for (const each of [one, other]) await shownChat(each).say("go", []);
    const asked = await Promise.all([card(one), card(other)]);
    expect(asked[0].id).not.toBe(asked[1].id);

    await other.chats.close();
    const reloaded = await window();
    expect(reloaded.chats.all.current().map(({ id }) => id)).toEqual([second]);
    expect((await card(reloaded)).id).toBe(asked[1].id);
    expect(shownChat(one).open()).toHaveLength(1);
    await Promise.all([one.chats.close(), reloaded.chats.close()]);
    const all = (await window()).chats.all.current().map(({ id }) => id);
    expect(all.sort()).toEqual([first, second].sort());
  });

  test("sessions are left to their owner by a second window, even where somebody chose one there", async () => {
    const { window, open, place } = await host();
    const owner = await window();
    await owner.chats.start();
    const { id } = shownChat(owner);
    owner.chats.keepDrafts(id, "{owner}");
    await owner.kept.written();
    const before = await readFile(join(place, `${id}.json`), "utf8");
    const second = open();
    await once(second, () => second.chats.of(id));
    second.chats.show(id);
    second.chats.keepDrafts(id, "{second}");
    await second.restored;
    await second.kept.written();
    expect(await readFile(join(place, `${id}.json`), "utf8")).toBe(before);
    expect([second.chats.current(), second.chats.held.current()]).toMatchObject([undefined, { id }]);
    second.chats.putAway();
    await second.chats.start();
    expect(shownChat(second).id).not.toBe(id);
  });

  test.each<[string, Parameters<Awaited<ReturnType<typeof host>>["window"]>[0], string]>([
    ["the interview", {}, "go"],
    ["an agent of the wire", drivenBy("drive/agent.mjs"), "choice"],
    [
      "an agent of ACP",
      { ...drivenBy("../../../packages/relays/test/acp/scripted-agent.mjs"), protocol: "acp" },
      permission,
    ],
  ])(
    "a session with %s is watched and answered in a second window, and left to its owner",
    async (_, agent, words) => {
      const { window, place } = await host();
      const settings = { ...agent, inbox: true };
      const owner = await window(settings);
      await owner.chats.start();
      await shownChat(owner).say(words, []);
      const asked = await card(owner);
      const { id } = shownChat(owner);
      const second = await atOnce(() => window(settings));
      expect(second.chats.held.current()).toMatchObject({ id, canWatch: true });
      await owner.kept.written();
      const file = join(place, `${id}.json`);
      const before = await readFile(file, "utf8");
      await second.chats.watch();
      expect([second.chats.held.current(), lineOf(second)]).toEqual([undefined, { is: "connected" }]);
      const here = await card(second);
      expect(here.id).toBe(asked.id);
      answer(here);
      await once(
        owner,
        () =>
          shownChat(owner)
            .open()
            .every((open) => open.id !== asked.id) || undefined,
      );
      second.chats.keepDrafts(id, "{second}");
      await second.chats.end(id);
      await second.kept.written();
      expect(await readFile(file, "utf8")).toBe(before);
      expect(lineOf(owner)).toEqual({ is: "connected" });
    },
  );

  test("a session that is watched is the watching window's at its next start, once its owner has closed", async () => {
    const { window, place } = await host();
    const owner = await window({ inbox: true });
    await owner.chats.start();
    await shownChat(owner).say("go", []);
    const asked = await card(owner);
    const second = await window({ inbox: true });
    await second.chats.watch();
    await owner.chats.close();
    await second.chats.restart();
    expect((await card(second)).id).toBe(asked.id);
    const { id } = shownChat(second);
    const facts = async () => JSON.parse(await readFile(join(place, `${id}.json`), "utf8"));
    await second.kept.written();
    expect(await facts()).toMatchObject({ isOpen: true });
    await second.chats.close();
    expect(await facts()).toMatchObject({ isOpen: false });
  });

  test("a session that its owner takes back is the owner's again, whatever the watching window closes", async () => {
    const { window, place } = await host();
    const owner = await window({ inbox: true });
    await owner.chats.start();
    const { id } = shownChat(owner);
    owner.chats.keepDrafts(id, "{owner}");
    await owner.kept.written();
    const second = await window({ inbox: true });
    await second.chats.watch();
    expect(second.chats.drafts(id)).toBe("");
    await shownChat(owner).close();
    await second.chats.restart();
    await shownChat(second).close();
    await owner.chats.restart();
    await second.kept.written();
    const file = join(place, `${id}.json`);
    const before = await readFile(file, "utf8");
    await second.chats.restart();
    expect([lineOf(second), second.chats.isWatched(id)]).toEqual([{ is: "connected" }, true]);
    await second.chats.end(id);
    await second.kept.written();
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("a session that lets nobody in stays on offer, and is watched once its agent lets others in", async () => {
    const { window } = await host();
    const settings = { inbox: false };
    const owner = await window(settings);
    await owner.chats.start();
    const { id } = shownChat(owner);
    const second = await window();
    await second.chats.watch();
    expect(second.chats.all.current()).toEqual([]);
    expect(second.chats.held.current()).toMatchObject({ id, canWatch: false });
    settings.inbox = true;
    await owner.chats.restart();
    second.chats.putAway();
    expect(second.chats.held.current()).toBeUndefined();
    await second.chats.watch();
    expect([shownChat(second).id, lineOf(second)]).toEqual([id, { is: "connected" }]);
  });

  test("a session is this window's alone only where its agent lets nobody else in", async () => {
    const { window } = await host();
    const alone = await window();
    await alone.chats.start();
    expect(shownChat(alone).isAlone()).toBe(true);
    await alone.chats.close();
    const owner = await window({ inbox: true });
    await owner.chats.start();
    await owner.kept.written();
    const second = await window();
    await second.chats.watch();
    expect([owner, second].map((one) => shownChat(one).isAlone())).toEqual([false, false]);
    vi.stubEnv("ASKWIRE_INBOX", "1");
    try {
      await second.chats.begin();
    } finally {
      vi.unstubAllEnvs();
    }
    expect(shownChat(second).isAlone()).toBe(false);
  });

  test("a session whose window and agent were killed is the next window's", async () => {
    const { window } = await host();
    const owner = await window();
    await owner.chats.start();
    await shownChat(owner).say("go", []);
    const asked = await card(owner);
    const second = await window();
    const pid = Number(second.chats.held.current()?.holder);
    process.kill(pid, "SIGKILL");
    await once(owner, () => (lineOf(owner).is === "ended" ? true : undefined));
    const third = await window();
    expect((await card(third)).id).toBe(asked.id);
  });

  test("sessions keep what is written while their agents start", async () => {
    const { id, opened } = await reopened();
    opened.chats.keepDrafts(id, "{early}");
    expect(opened.chats.drafts(id)).toBe("{early}");
    await opened.restored;
    expect(opened.kept.of(id)).toMatchObject({ drafts: "{early}", isOpen: true });
  });

  test("a session of another vendor's agent loses its open question at a reload, and the next start says so", async () => {
    const { window } = await host();
    const agent = fileURLToPath(new URL("drive/agent.mjs", import.meta.url));
    const foreign = { agent: "command", command: [process.execPath, agent] };
    const before = await window(foreign);
    await before.chats.start();
    await shownChat(before).say("choice", []);
    await card(before);
    await before.chats.close();

    const after = await window(foreign);
    const asked = await once(after, () =>
      shownChat(after)
        .talk.current()
        .entries.find(({ kind }) => kind === "asked"),
    );
    const settled = asked?.kind === "asked" ? asked.settled?.outcome : undefined;
    expect(settled).toMatchObject({ status: "withdrawn", reason: "session_closed" });
    expect(settled && talkWords.en.ended(settled)).toBe("withdrawn at the end of the session");
    expect(shownChat(after).open()).toEqual([]);
    await shownChat(after).say("choice", []);
    await card(after);
  });

  test("sessions resume after a reload even if the closing window's agent takes a while to end", async () => {
    const { window, program, place } = await host();
    const slow = await program(`${TAKES_LINES}
      setInterval(() => {}, 1000);
      for await (const line of textLines(process.stdin)) {
        const { id, method } = JSON.parse(line);
        const result = { protocol_version: "1.10", server: { name: "slow", version: "0" }, slash_commands: [] };
        const error = { code: -32601, message: "Method not found" };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "initialize" ? { result } : { error }) }));
      }`);
    const before = await window({ ...slow, protocol: "wire" });
    await before.chats.start();
    const { id } = shownChat(before);
    const ends = before.chats.close();
    await expect.poll(() => readFile(join(place, `${id}.json`), "utf8")).toContain('"isOpen":false');
    const after = await window();
    expect([shownChat(after).id, after.chats.held.current()]).toEqual([id, undefined]);
    await ends;
  });

  test("a session is opened once if its agent is started twice in a row", async () => {
    const { window } = await host();
    const opened = await window();
    await opened.chats.start();
    await Promise.all([opened.chats.restart(), opened.chats.restart()]);
    expect(lineOf(opened)).toEqual({ is: "connected" });
    expect(startsOf(opened)).toBe(2);
  });

  test("a session does not start again if a person closes it during a restart", async () => {
    const { window } = await host();
    const opened = await window();
    await opened.chats.start();
    const restarted = shownChat(opened).start();
    await opened.chats.end(shownChat(opened).id);
    await restarted;
    expect([startsOf(opened), opened.chats.all.current()]).toEqual([1, []]);
  });

  test("a session closed before its window closes stays closed, even while its agent starts", async () => {
    const { id, opened } = await reopened();
    await opened.chats.close();
    await opened.restored;
    expect(opened.kept.of(id).isOpen).toBe(false);
  });

  test("a session that was closed is in the history of the next window, and opens again with its conversation", async () => {
    const { window } = await host();
    const before = await window();
    await before.chats.start();
    await shownChat(before).say("go", []);
    await card(before);
    await once(before, () => shownChat(before).title() === "go" || undefined);
    const { id } = shownChat(before);
    await before.chats.end(id);
    expect((await before.chats.history()).map((one) => [one.id, one.title, one.chat])).toEqual([
      [id, "go", undefined],
    ]);
    await before.chats.close();

    const after = await window();
    expect(after.chats.all.current()).toEqual([]);
    expect((await after.chats.history()).map(({ title }) => title)).toEqual(["go"]);
    await after.chats.reopen(id);
    await card(after);
    await once(after, () => shownChat(after).title() === "go" || undefined);
    expect([shownChat(after).id, after.kept.of(id).isClosed]).toEqual([id, false]);
    await after.chats.close();
    expect((await window()).chats.all.current().map((one) => one.id)).toEqual([id]);
  });

  test("a session of the history that another window has is offered there, and not begun twice", async () => {
    const { window } = await host();
    const one = await window();
    await one.chats.start();
    await shownChat(one).say("go", []);
    await card(one);
    await once(one, () => shownChat(one).title() === "go" || undefined);
    await one.kept.written();
    const other = await atOnce(() => window());
    await other.chats.begin();
    const past = (await other.chats.history()).find(({ title }) => title === "go");
    await other.chats.reopen(past?.id ?? "");
    expect(other.chats.held.current()).toMatchObject({ id: shownChat(one).id, canWatch: false });
    expect(other.chats.all.current()).toHaveLength(1);
  });

  test("sessions do not come back once a person closed them", async () => {
    const { window } = await host();
    const before = await window();
    await before.chats.start();
    await before.chats.end(shownChat(before).id);
    await before.chats.close();
    expect((await window()).chats.all.current()).toEqual([]);
  });
});

describe("a window whose folder is not there", () => {
  test("a window without a folder says so in place of an end, and starts no agent", async () => {
    const opened = await (await host()).window({ hasFolder: false });
    await opened.chats.start();
    expect([lineOf(opened), startsOf(opened)]).toEqual([{ is: "noFolder" }, 0]);
  });

  test("a window whose folder was renamed names the folder, and goes on once it is back", async () => {
    const { window, folder } = await host();
    const opened = await window();
    await opened.chats.start();
    await shownChat(opened).close();
    await rename(folder, `${folder}-renamed`);
    await opened.chats.start();
    expect([lineOf(opened), startsOf(opened)]).toEqual([{ is: "noFolder", missing: folder }, 1]);
    await rename(`${folder}-renamed`, folder);
    await opened.chats.start();
    expect(lineOf(opened)).toEqual({ is: "connected" });
  });
});

test("a turn that fails says why in the conversation, and not where the server's log has it", async () => {
  const { window, folder } = await host();
  const interview = join(folder, "q.yaml");
  await writeFile(interview, nameIt);
  await mkdir(join(folder, "name.txt"));
  const opened = await window({ interview });
  await opened.chats.start();
  await shownChat(opened).say("go", []);
  const asked = await card(opened);
  const question = asked.kind === "question" ? asked.request.questions[0] : undefined;
  const items = [{ question_id: question?.id ?? "", selected: [question?.options[0]?.id ?? ""] }];
  if (asked.kind === "question") asked.onReply({ items });
  const failed = await once(opened, () =>
    shownChat(opened)
      .talk.current()
      .entries.find((entry) => entry.kind === "note" && entry.event.type === "TurnEnd"),
  );
  expect(JSON.stringify(failed)).toContain("name.txt: expected a regular file, found a folder");
});

describe("an agent that cannot start", () => {
  test("a missing program is reported by one line that names it", async () => {
    const opened = await (await host()).window({ agent: "command", command: ["/no/such/program"] });
    await opened.chats.start();
    expect(reasonOf(lineOf(opened))).toBe(
      'could not start "/no/such/program": it was not found; check the name or the PATH',
    );
  });

  test.each([
    ["throws", 'throw new TypeError("no configuration");', /^TypeError: no configuration \(.+:1:7\)$/],
    ["exits", 'console.error("no licence\\nhow to get one"); process.exit(3);', /^no licence$/],
    [
      "floods its errors",
      'for (let i = 0; i < 1e5; i++) console.error("x".repeat(100)); process.exitCode = 1;',
      /^x{50,100}$/,
    ],
  ])("an agent that %s at its start is reported by one line, and in the log", async (_what, source, line) => {
    const { window, program } = await host();
    const opened = await window(await program(source));
    await opened.chats.start();
    expect(reasonOf(lineOf(opened))).toMatch(line);
    expect(opened.log.join("\n").length).toBeLessThan(250_000);
  });

  test("an agent that hangs is shown as still starting, and a restart with another agent replaces it", async () => {
    const { window, program } = await host();
    const settings = { ...(await program("setInterval(() => {}, 1000);")) };
    const opened = await window(settings);
    const started = opened.chats.start();
    await once(opened, () => {
      const line = opened.chats.current()?.line.current();
      return line?.is === "starting" && line.printed !== undefined ? line : undefined;
    });
    Object.assign(settings, { agent: "interview" });
    await opened.chats.restart();
    await started;
    expect(lineOf(opened).is).toBe("connected");
  });

  test("an agent of an older protocol is spoken to in that protocol", async () => {
    const { window, program } = await host();
    const old = await program(`${TAKES_LINES}
      const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
      for await (const line of textLines(process.stdin)) {
        const { id, method } = JSON.parse(line);
        const server = { name: "old", version: "0" };
        if (method === "initialize") say({ id, result: { protocol_version: "1.1", server, slash_commands: [] } });
        else if (method !== "prompt") say({ id, error: { code: -32601, message: "Method not found" } });
        else {
          say({ method: "event", params: { type: "TurnBegin", payload: { user_input: "go" } } });
          say({ method: "event", params: { type: "StepBegin", payload: { n: 1 } } });
          say({ method: "event", params: { type: "ContentPart", payload: { type: "text", text: "old words" } } });
          say({ id, result: { status: "finished" } });
        }
      }`);
    const opened = await window({ ...old, protocol: "wire" });
    await opened.chats.start();
    expect(lineOf(opened)).toEqual({ is: "connected" });
    await shownChat(opened).say("go", []);
    const entries = () => JSON.stringify(shownChat(opened).talk.current().entries);
    await once(opened, () => (entries().includes("old words") ? true : undefined));
  });
});

test.each([
  ['"/usr/bin/node" ended with status 1: askwire: no such agent', "no such agent"],
  ['"/x" ended with status 1: Traceback:\n  File "a"\nValueError: bad key\n', "ValueError: bad key"],
  ["the connection was lost", "the connection was lost"],
  ["\n\nlate words", "late words"],
  ["", ""],
])("the reason in the last words %o is %o", (why, reason) => {
  expect(shortReason(why)).toBe(reason);
});
