import { existsSync, readFileSync, watch } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { addToken, tokensFolder } from "../../src/reach/kept-tokens.js";
import type { ReachNotice } from "../../src/reach/notice.js";
import { createNotifier } from "../../src/reach/notifier.js";
import { asksLine, askwire, colour, colourScript, folderWith, startServe } from "../askwire.js";

/** Resolves with the lines of a file, once it has so many. */
function lines(file: string, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const look = () => {
      const found = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
      if (found.length < count) return;
      watcher.close();
      resolve(found);
    };
    const watcher = watch(join(file, ".."), look);
    onTestFinished(() => watcher.close());
    look();
  });
}

/** A server with a command for its notices, and a person who answers the first question once asked and told to. */
async function notified(
  command: string,
  {
    script = colourScript,
    args = [] as readonly string[],
    env = {} as Record<string, string>,
    tokenOf = (_home: string): string => "the-token-of-all-servers",
  } = {},
) {
  const cwd = await folderWith({ "s.json": script, token: "the-token-of-all-servers" });
  const line = ["--script", "s.json", "--token-file", "token", "--notify", command, ...args];
  const home = await folderWith();
  const served = await startServe(line, { cwd, env: { ...process.env, ASKWIRE_HOME: home, ...env } });
  let ask = (_answer: (reply: object) => void) => {};
  const hasAsked = new Promise<(reply: object) => void>((resolve) => (ask = resolve));
  const asked = () => new Promise<never>((resolve) => ask(resolve as (reply: object) => void));
  const session = await connectWebSocket(served.address.replace(/#.*/, ""), {
    token: tokenOf(home),
    handlers: { question: asked, approval: asked },
  });
  return {
    ...served,
    cwd,
    session,
    answer: async (reply: object) => (await hasAsked)(reply),
    out: join(cwd, "out"),
  };
}

async function run(session: Awaited<ReturnType<typeof notified>>["session"]): Promise<void> {
  for await (const _ of session.prompt("go")) {
    // The turn is only to end.
  }
}

describe("askwire serve --notify-role", () => {
  test("the command of a role hears of requests for it, also once they escalate to it, and that of all hears whom they are for", async () => {
    const set = await notified("cat >> out", {
      args: ["--notify-role", "payments=cat >> payments", "--notify-role", "leads=cat >> leads"],
    });
    const question = { question: "Pay?", options: [{ label: "Yes" }, { label: "No" }] };
    const to = { roles: ["payments"] };
    const withdrawal = new AbortController();
    const asked = set.session.ask({
      ...{ key: "k", questions: [question], to, signal: withdrawal.signal },
      escalate: [{ after_ms: 3_000, to: { roles: ["leads"] } }],
    });
    const heard = async (file: string, count: number) =>
      (await lines(join(set.cwd, file), count)).map((line) => {
        const { event, to: whom } = JSON.parse(line) as ReachNotice;
        return [event, ...(whom?.roles ?? [])];
      });
    expect(await heard("leads", 1)).toEqual([["asked", "payments", "leads"]]);
    expect(await heard("payments", 2)).toEqual([
      ["asked", "payments"],
      ["escalated", "payments", "leads"],
    ]);
    withdrawal.abort();
    await asked;
    expect((await heard("leads", 2)).at(-1)).toEqual(["settled", "payments", "leads"]);
    expect((await heard("out", 3)).map(([event]) => event)).toEqual(["asked", "escalated", "settled"]);
    await set.session.close();
  });

  test("serve refuses a second --notify-role of the same role, which would silently take the place of the first", async () => {
    const roles = ["payments=cat >> one", " payments =cat >> two"].flatMap((each) => ["--notify-role", each]);
    const { stderr, status } = await askwire(["serve", "--listen", "127.0.0.1:0", ...roles]);
    expect([stderr, status]).toEqual([
      expect.stringContaining("the role payments has a command already: name each role once"),
      2,
    ]);
  });

  test.each([["payments"], ["=cat"], ["payments= "]])(
    "serve refuses --notify-role %j in words that show the form",
    async (given) => {
      const { stderr, status } = await askwire(["serve", "--listen", "127.0.0.1:0", "--notify-role", given]);
      expect([stderr, status]).toEqual([expect.stringContaining("expected ROLE=COMMAND, such as"), 2]);
    },
  );
});

describe("askwire serve --notify", () => {
  test("serve --notify reports each question that opens and is settled, without a secret or more than its header", async () => {
    const env = { ASKWIRE_TOKEN: "a-token-of-another-server", OPENAI_API_KEY: "key-1", TOPIC: "mine" };
    const set = await notified("env > env; cat >> out", { env });
    const turn = run(set.session);
    const [asked] = (await lines(set.out, 1)).map((line) => JSON.parse(line) as ReachNotice);
    const { origin } = new URL(set.address.replace("ws", "http"));
    expect(asked).toEqual({
      event: "asked",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: "question",
      title: "Question: Colour",
      body: "",
      options: [],
      url: `${origin}/#session=${set.session.id}`,
      session: set.session.id,
    });
    await set.answer({ answers: { "Which colour?": "Red" } });
    await turn;
    const [first = "", second = ""] = await lines(set.out, 2);
    expect(JSON.parse(second)).toEqual({ ...JSON.parse(first), event: "settled" });
    const inherited = readFileSync(join(set.cwd, "env"), "utf8");
    expect(inherited).toMatch(/^TOPIC=mine$/m);
    expect(inherited).not.toMatch(/the-token-of|a-token-of|key-1/);
  });

  test("serve --notify says who answered where the door knows the person (P-WHO-3)", async () => {
    const tokenOf = (home: string) => addToken(tokensFolder(home), { name: "Ann", role: undefined }) ?? "";
    const set = await notified("cat >> out", { tokenOf });
    const turn = run(set.session);
    await lines(set.out, 1);
    await set.answer({ answers: { "Which colour?": "Red" } });
    await turn;
    const [asked = "", settled = ""] = await lines(set.out, 2);
    expect(JSON.parse(asked)).not.toHaveProperty("by");
    expect(JSON.parse(settled)).toMatchObject({ event: "settled", by: "Ann" });
  });

  test("serve --notify sends words and options in full, or only that there is a request, as --notify-text says", async () => {
    const words = ["full", "none"].map(async (text) => {
      const set = await notified("cat >> out", { args: ["--notify-text", text, "--no-web"] });
      void run(set.session).catch(() => {});
      const [line = ""] = await lines(set.out, 1);
      const { title, body, options, url } = JSON.parse(line) as ReachNotice;
      return { title, body, options, url };
    });
    expect(await Promise.all(words)).toEqual([
      { title: "Question: Colour", body: "Which colour?", options: ["Red", "Blue"], url: undefined },
      { title: "Question", body: "", options: [], url: undefined },
    ]);
  });

  test("serve --notify reports approvals too, and names the public address", async () => {
    const call = { id: "c1", name: "Shell", arguments: JSON.stringify({ command: "echo hi" }) };
    const script = JSON.stringify([`tool_call: ${JSON.stringify(call)}`, "text: Done."]);
    const args = ["--notify-text", "full", "--public-url", "https://ask.example"];
    const cwd = await folderWith({ "s.json": script, token: "the-token-of-all-servers" });
    const line = ["--script", "s.json", "--token-file", "token", "--notify", "cat >> out", ...args];
    const { untilPrinted } = await startServe(line, { cwd });
    const session = await connectWebSocket(`ws://${await untilPrinted(/^Listening at (\S+)$/m)}/wire`, {
      token: "the-token-of-all-servers",
      handlers: {
        async approval() {
          await lines(join(cwd, "out"), 1);
          return { response: "reject" };
        },
      },
    });
    await run(session);
    const [asked] = (await lines(join(cwd, "out"), 2)).map((line) => JSON.parse(line) as ReachNotice);
    expect(asked).toMatchObject({
      kind: "approval",
      title: "Approval: run command",
      body: "Run the command `echo hi`",
      url: `https://ask.example/#session=${session.id}`,
    });
    expect(asked?.options.length).toBeGreaterThan(1);
  });

  test("serve --notify hands the agent's words over as text, with everything in them visible", async () => {
    const hostile = '$(touch pwned) `touch pwned` \'; touch pwned; "\u202e\u001b]0;x\u0007\n"';
    const question = { ...colour, question: hostile, header: "$(touch pwned)\u202e" };
    const script = JSON.stringify([asksLine([question]), "text: Thanks."]);
    const set = await notified("cat >> out", { script, args: ["--notify-text", "full"] });
    void run(set.session).catch(() => {});
    const { title, body } = JSON.parse((await lines(set.out, 1))[0] as string) as ReachNotice;
    expect(title).toMatch(/^Question: \$\(touch pwned\)/);
    expect(body).toContain('$(touch pwned) `touch pwned` \'; touch pwned; "\\u{202e}\\u{1b}]0;x\\u{7}\n"');
    expect(existsSync(join(set.cwd, "pwned"))).toBe(false);
  });

  test("serve --notify reports again what an earlier process left open, under the same id", async () => {
    const env = { ASKWIRE_HOME: await folderWith() };
    const one = await notified("cat >> out", { env, args: ["--session", "mine"] });
    void run(one.session).catch(() => {});
    const [first] = (await lines(one.out, 1)).map((line) => JSON.parse(line) as ReachNotice);
    one.child.kill("SIGKILL");
    await one.ended;
    const line = ["--script", "s.json", "--session", "mine", "--notify", "cat >> again"];
    await startServe(line, { cwd: one.cwd, env: { ...process.env, ...env } });
    const [again] = (await lines(join(one.cwd, "again"), 1)).map((line) => JSON.parse(line) as ReachNotice);
    expect(again).toEqual({ ...first, url: expect.stringMatching(/#session=mine$/) });
  });

  test("serve --notify reports a failure of the command once, and the questions continue", async () => {
    const set = await notified("echo no such topic >&2; echo x >> out; exit 3");
    const turn = run(set.session);
    await lines(set.out, 1);
    await set.answer({ answers: { "Which colour?": "Red" } });
    await turn;
    await lines(set.out, 2);
    await set.session.close();
    set.child.kill("SIGTERM");
    expect((await set.ended).stderr).toBe(
      "askwire: --notify: the command ended with 3: no such topic; further failures are not reported\n",
    );
  });

  test("serve --notify ends a running command together with the server", async () => {
    const set = await notified("trap '' TERM; echo $$ >> out; sleep 1000 & wait; sleep 1000");
    void run(set.session).catch(() => {});
    const [pid] = await lines(set.out, 1);
    set.child.kill("SIGTERM");
    expect((await set.ended).status).toBe(0);
    expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  });

  test.each([
    [["--stdio", "--notify", "cat"], "serve: --notify needs --listen HOST:PORT"],
    [
      ["--listen", "127.0.0.1:0", "--no-web", "--notify-text", "full"],
      "--notify-text needs --notify COMMAND",
    ],
    [
      ["--listen", "127.0.0.1:0", "--notify", "cat", "--notify-text", "all"],
      "Allowed choices are none, header, full.",
    ],
    [["--listen", "127.0.0.1:0", "--notify", " "], "--notify: expected a command"],
  ])("serve %j is a usage error", async (args, text) => {
    const { stderr, status } = await askwire(["serve", ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});

describe("notices", () => {
  const notice = (id: string, event: ReachNotice["event"] = "asked"): ReachNotice => ({
    event,
    id,
    kind: "question",
    title: "Question",
    body: "",
    options: [],
    session: "s",
  });

  /** A notifier whose command waits for a file `go`, and notes its beginning and its end. */
  async function waitingCommand(timeLimitMs = 600_000) {
    const folder = await folderWith();
    const [out, go] = [join(folder, "out"), join(folder, "go")];
    const told: string[] = [];
    const command = `read line; echo "+ $line" >> ${out}; while [ ! -e ${go} ]; do sleep 0.02; done; echo "- $line" >> ${out}`;
    const notifier = createNotifier(command, { tell: (line) => told.push(line), timeLimitMs });
    onTestFinished(() => notifier.close());
    return { notifier, told, out, goOn: () => writeFile(go, "") };
  }
  const eventOf = (line: string) => {
    const { id, event } = JSON.parse(line.slice(2)) as ReachNotice;
    return `${line[0]} ${id} ${event}`;
  };

  test("notices are sent by two processes at once, those of one request in turn", async () => {
    const { notifier, out, goOn } = await waitingCommand();
    notifier.send(notice("a"));
    notifier.send(notice("a", "settled"));
    for (const id of ["b", "c"]) notifier.send(notice(id));
    expect((await lines(out, 2)).map(eventOf).sort()).toEqual(["+ a asked", "+ b asked"]);
    await goOn();
    const events = (await lines(out, 8)).map(eventOf);
    expect(events.indexOf("+ a settled")).toBeGreaterThan(events.indexOf("- a asked"));
    let running = 0;
    for (const event of events) {
      running += event.startsWith("+") ? 1 : -1;
      expect(running).toBeLessThanOrEqual(2);
    }
  });

  test("notices of a request that was settled before its turn came are left out", async () => {
    const { notifier, out, goOn } = await waitingCommand();
    for (const id of ["a", "b", "c", "d"]) notifier.send(notice(id));
    notifier.send(notice("c", "settled"));
    await goOn();
    expect((await lines(out, 6)).map(eventOf).filter((event) => event.startsWith("+ c"))).toEqual([]);
  });

  test("the oldest notices beyond a hundred that wait are left out, which is reported once", async () => {
    const { notifier, told, out } = await waitingCommand();
    for (let index = 0; index < 110; index += 1) notifier.send(notice(`${index}`));
    expect(told).toEqual([
      "--notify: the command is slower than requests arrive: the oldest notices are dropped",
    ]);
    await lines(out, 2);
  });

  test("a notice command that takes too long is ended, which is reported once", async () => {
    const { notifier, told } = await waitingCommand(50);
    notifier.send(notice("a"));
    await expect
      .poll(() => told, { timeout: 60_000 })
      .toEqual([
        "--notify: the command took more than 0.05 s and was ended; further failures are not reported",
      ]);
  });
});
