import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { type EndingName, endings } from "@askwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { asksLine, colour, command, folderWith } from "../askwire.js";
import { openTerminal, type Terminal } from "../terminal.js";
import { key, start } from "./at-panel.js";
import { serve } from "./served.js";

const write = {
  id: "tc-1",
  name: "WriteFile",
  arguments: JSON.stringify({ path: "a.txt", content: "a" }),
};
const scripts = {
  question: [asksLine([colour]), "text: Thanks."],
  approval: [`tool_call: ${JSON.stringify(write)}`, "text: Thanks."],
} as const;
type Kind = keyof typeof scripts;

/** The text on the screen once the person can answer. */
const SHOWN = /Esc decline|Esc reject|decline\) >|^! /m;

/** The ends of a client that no person meant as an answer, by their names in the table of P-WHO-2. */
const ends = {
  terminal_closed: (terminal: Terminal) => terminal.hangUp(),
  hangup: (terminal: Terminal) => terminal.send("SIGHUP"),
  terminate: (terminal: Terminal) => terminal.send("SIGTERM"),
  kill: (terminal: Terminal) => terminal.send("SIGKILL"),
} as const satisfies Partial<Record<EndingName, (terminal: Terminal) => void>>;
type End = keyof typeof ends;
/** The keys by which a person ends a request on purpose. Line by line Esc is no key. */
const acts = { escape: "\u001b", typed_end: "\u0004", interrupt: "\u0003" } as const;

const ways = { panel: [], "line by line": ["--plain"] } as const;
const whole = process.env.ASKWIRE_ENDS === "all";

/** Every end by every way at a request of each kind. */
const casesOf = <E extends string>(names: Readonly<Record<E, unknown>>) =>
  (Object.keys(names) as E[]).flatMap((end) =>
    (Object.keys(ways) as (keyof typeof ways)[]).flatMap((way) =>
      (Object.keys(scripts) as Kind[]).map((kind) => ({ end, way, kind })),
    ),
  );
/** By default each end once by each way, a question and an approval in turn; a closed terminal always. */
const isTried = ({ end }: { end: string }, index: number) =>
  whole || end === "terminal_closed" || (index + (index >> 1)) % 2 === 0;
const tried = casesOf(ends).filter(isTried);
const triedActs = casesOf(acts)
  .filter(({ end, way }) => end !== "escape" || way === "panel")
  .filter(isTried);

interface Recorded {
  readonly type: string;
  readonly payload: { readonly outcome?: object; readonly response?: { readonly response: string } };
}

/** The messages in the journal of the only session of a home. */
async function journal(home: string): Promise<Recorded[]> {
  const found = (await readdir(home, { recursive: true })).find((file) => file.endsWith("wire.jsonl"));
  const lines = (await readFile(join(home, found ?? "wire.jsonl"), "utf8")).trim().split("\n");
  return lines.flatMap((line) => JSON.parse(line).message ?? []);
}

function promised() {
  const { promise, resolve } = deferred();
  return { promise, resolve };
}

/** The exit of a client that left, or the signal that killed it: never a core dump. */
const left = (end: End) => (end === "kill" ? { signal: 9 } : { exitCode: endings[end].exit.chat, signal: 0 });

describe("closed terminals, where nobody has answered", () => {
  test.each(tried)(
    "a $kind stays open when its kept session ends by $end ($way)",
    async ({ end, way, kind }) => {
      const home = await folderWith();
      const cwd = await folderWith({ "s.json": JSON.stringify(scripts[kind]) });
      const args = ["chat", "--script", "s.json", "--prompt", "go", ...ways[way]];
      const terminal = start(args, { cwd, env: { ASKWIRE_HOME: home } });
      await terminal.waitForRows(SHOWN);
      ends[end](terminal);
      expect(await terminal.ended).toMatchObject(left(end));
      expect(endings[end][kind].kept).toBe("open");
      const types = (await journal(home)).map(({ type }) => type);
      expect(types.filter((type) => /InteractionSettled|ApprovalResponse|TurnEnd/.test(type))).toEqual([]);
      expect(types.at(-1)).toMatch(end === "kill" ? /^(?:\w+Request|InteractionOpened)$/ : /^TurnSuspended$/);
    },
  );

  const states: readonly (readonly [state: string, keys: string, seen: RegExp])[] = [
    ["while own words are typed", "3half an answer", /half an answer/],
    ["with an option chosen", "2", /❯ 2/],
    ["in the full text", key.ctrl("e"), /Esc back|Ctrl-E/],
    ["after one of two questions was answered", key.enter, /Which size\?/],
    ["on the page to review", `${key.enter}${key.down}${key.up}${key.enter}`, /Review your answers|Submit/],
  ];
  test.each(states)("a terminal that is closed %s leaves the questions open", async (_state, keys, seen) => {
    const home = await folderWith();
    const size = { question: "Which size?", options: [{ label: "S" }, { label: "M" }] };
    const script = [asksLine([colour, size]), "text: Thanks."];
    const cwd = await folderWith({ "s.json": JSON.stringify(script) });
    const terminal = start(["chat", "--script", "s.json", "--prompt", "go"], {
      ...{ cwd, env: { ASKWIRE_HOME: home } },
    });
    await terminal.waitForRows(SHOWN);
    terminal.type(keys);
    await terminal.waitForRows(seen);
    terminal.hangUp();
    expect(await terminal.ended).toMatchObject(left("terminal_closed"));
    const types = (await journal(home)).map(({ type }) => type);
    expect(types.filter((type) => /InteractionSettled|ApprovalResponse|TurnEnd/.test(type))).toEqual([]);
    expect(types.at(-1)).toBe("TurnSuspended");
  });

  test.each(tried)(
    "a $kind that others share is answered by them when one terminal ends by $end ($way)",
    async ({ end, way, kind }) => {
      const { address } = await serve(scripts[kind]);
      const settled: (object | undefined)[] = [];
      const shown = promised();
      const answer = promised();
      const other = await connectWebSocket(address, {
        client: { name: "other", version: "1" },
        handlers: {
          async question() {
            shown.resolve();
            await answer.promise;
            return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
          },
          async approval() {
            shown.resolve();
            await answer.promise;
            return "approve" as const;
          },
          event(event) {
            if (event.type === "InteractionSettled") settled.push(event.payload.outcome);
          },
        },
      });
      onTestFinished(() => other.close());
      const terminal = start(["chat", "--connect", address, "--prompt", "go", ...ways[way]]);
      await Promise.all([terminal.waitForRows(SHOWN), shown.promise]);
      ends[end](terminal);
      expect(await terminal.ended).toMatchObject(left(end));
      expect([endings[end][kind].shared, settled]).toEqual(["open", []]);
      answer.resolve();
      await expect.poll(() => settled).toMatchObject([{ status: "answered", client: { name: "other" } }]);
    },
  );

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    "a question of `ask` whose terminal is closed (%s) ends as client_lost, by the system, with exit code 4",
    async (way) => {
      const cwd = await folderWith();
      const line = `exec "$0" "$1" ask --question Which? --option Red --option Blue ${ways[way].join(" ")} >out 2>err`;
      const terminal = openTerminal("/bin/sh", ["-c", line, process.execPath, command], {
        cwd,
        env: { LC_ALL: "C.UTF-8" },
      });
      await terminal.waitForRows(SHOWN);
      terminal.hangUp();
      const { exit, question } = endings.terminal_closed;
      expect(await terminal.ended).toMatchObject({ exitCode: exit.ask, signal: 0 });
      const { outcome } = JSON.parse(await readFile(join(cwd, "out"), "utf8"));
      expect(outcome).toMatchObject(question.asked as object);
      expect(await readFile(join(cwd, "err"), "utf8")).toBe("");
    },
  );
});

test.each(triedActs)(
  "$end at a $kind ($way) is the person's own word, and recorded so (P-WHO-1)",
  async ({ end, way, kind }) => {
    const home = await folderWith();
    const cwd = await folderWith({ "s.json": JSON.stringify(scripts[kind]) });
    const args = ["chat", "--script", "s.json", "--prompt", "go", ...ways[way]];
    const terminal = start(args, { cwd, env: { ASKWIRE_HOME: home } });
    await terminal.waitForRows(SHOWN);
    terminal.type(acts[end]);
    const settled = async () =>
      (await journal(home)).flatMap(({ type, payload }) =>
        type === "InteractionSettled" ? [{ ...payload.outcome, ...payload.response }] : [],
      );
    await expect.poll(settled).toMatchObject([endings[end][kind].kept as object]);
    terminal.close();
  },
);

test("a terminal that reports its closing more than once does not change the exit code", async () => {
  const asked = spawn(process.execPath, [command, "ask", "--question", "Which?", "--option", "Red"], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => void asked.kill("SIGKILL"));
  // From its last words on, through all that it does to end.
  asked.stderr.once("data", function again() {
    if (asked.exitCode === null && asked.kill("SIGHUP")) setImmediate(again);
  });
  const [code, signal] = await once(asked, "exit");
  expect([code, signal]).toEqual([4, null]);
});

test("Ctrl-D in a terminal that delivers whole lines is the person's word, and declines", async () => {
  const cwd = await folderWith();
  const line = `exec "$0" "$1" chat --script s.json --prompt go >out`;
  const home = await folderWith({ "s.json": JSON.stringify(scripts.question) });
  const terminal = openTerminal("/bin/sh", ["-c", line, process.execPath, command], {
    cwd: home,
    env: { ASKWIRE_HOME: cwd, LC_ALL: "C.UTF-8" },
  });
  const out = () => readFile(join(home, "out"), "utf8").catch(() => "");
  await expect.poll(out, { timeout: 60_000 }).toMatch(SHOWN);
  terminal.type("\u0004");
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(await out()).toContain("User dismissed");
});
