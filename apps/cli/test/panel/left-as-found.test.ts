import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TAKES_LINES } from "../../../../packages/protocol/test/line-program.js";
import { colourScript, folderWith } from "../askwire.js";
import { modesLeftOn } from "../lent-terminal.js";
import { key, press } from "./at-panel.js";
import { shell } from "./shell.js";

const CTRL_Z = "\u001a";
/** The mode in which a paste comes in brackets. */
const PASTE = "2004";
const FRAME = /Which colour\?[\s\S]*❯ 1\. Red[\s\S]*Esc/;
const ask = "run ask --question 'Which colour?' --option Red --option Green >out";
const chat = "run chat --script s.json --prompt go";

/** A script in a folder with a scripted model, once the panel is there. */
async function asking(script: string, options: { env?: Record<string, string>; columns?: number } = {}) {
  const cwd = await folderWith({ "s.json": colourScript, "throws.cjs": THROWS, "dies.mjs": DIES });
  const shown = shell(script, { cwd, ...options });
  await shown.terminal.waitForRows(FRAME);
  return {
    ...shown,
    read: (file: string) => readFile(join(cwd, file), "utf8"),
    write: (file: string) => writeFile(join(cwd, file), ""),
  };
}

/** A module that throws once a file `now` is there. */
const THROWS = `
  const { existsSync, watch } = require("node:fs");
  watch(".", () => {
    if (existsSync("now")) throw new Error("a bug");
  }).unref();`;

/** An agent that asks, and notes its number. */
const DIES = `${TAKES_LINES}
  import { writeFileSync } from "node:fs";
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const options = [{ label: "Red" }, { label: "Green" }];
  const questions = [{ question: "Which colour?", options }];
  const payload = { id: "q", tool_call_id: "t", questions };
  for await (const line of textLines(process.stdin)) {
    const { id, method } = JSON.parse(line);
    if (method === "initialize")
      send({ id, result: { protocol_version: "1.10", server: { name: "x", version: "1" }, slash_commands: [] } });
    if (method !== "prompt") continue;
    writeFileSync("agent.pid", String(process.pid));
    send({ method: "request", id: "q", params: { type: "QuestionRequest", payload } });
  }`;

describe("the terminal, restored without the panel", () => {
  test.each([
    ["Ctrl-C in `ask`", ask, key.ctrl("c"), 130],
    ["Esc in `ask`", ask, key.escape, 3],
    ["Ctrl-D in `ask`", ask, key.ctrl("d"), 3],
    ["an answer in `ask`", ask, key.enter, 0],
  ])("the terminal is restored after %s", async (_what, args, keys, code) => {
    const { terminal, changed } = await asking(`${args}; echo "exit $?"`);
    terminal.type(keys);
    expect(await terminal.waitFor("finished")).toMatch(new RegExp(`^[^❯]*exit ${code}\nfinished$`));
    expect(await changed()).toEqual([]);
    terminal.type("echoed?");
    await terminal.waitFor("echoed?");
  });

  const agent = `run chat --prompt go -- '${process.execPath}' dies.mjs`;
  const throwing = "export NODE_OPTIONS='--require ./throws.cjs'; ";
  type Asked = Awaited<ReturnType<typeof asking>>;
  const kill =
    (signal: NodeJS.Signals) =>
    async ({ pid }: Asked) =>
      void process.kill(await pid(), signal);
  const killAgent =
    (signal: NodeJS.Signals) =>
    async ({ read }: Asked) =>
      void process.kill(Number(await read("agent.pid")), signal);
  const fail = ({ write }: Asked) => write("now");
  const bug = /Error: a bug[\s\S]*exit [1-9]\d*\nfinished$/;
  const lost = /\(no longer open: [^\n]*\)[^\n]*\n[\s\S]*exit 1\nfinished$/;

  test.each<[string, string, (asked: Asked) => Promise<unknown>, RegExp]>([
    ["SIGINT in `ask`", ask, kill("SIGINT"), /exit 130\nfinished$/],
    ["SIGTERM in `ask`", ask, kill("SIGTERM"), /exit 130\nfinished$/],
    ["SIGHUP in `ask`", ask, kill("SIGHUP"), /exit 4\nfinished$/],
    ["SIGINT in `chat`", chat, kill("SIGINT"), /exit 130\nfinished$/],
    ["SIGTERM in `chat`", chat, kill("SIGTERM"), /exit 130\nfinished$/],
    ["SIGHUP in `chat`", chat, kill("SIGHUP"), /exit 130\nfinished$/],
    ["an uncaught error in `ask`, which is reported,", throwing + ask, fail, bug],
    ["an uncaught error in `chat`, which is reported,", throwing + chat, fail, bug],
    ["the end of the agent by SIGKILL", agent, killAgent("SIGKILL"), lost],
    ["the end of the agent by SIGTERM", agent, killAgent("SIGTERM"), lost],
  ])("the terminal is restored after %s while words are typed", async (_what, args, end, expected) => {
    const asked = await asking(`${args}; echo "exit $?"`);
    await press(asked.terminal, [["mauve", /❯ \d\..*mauve/]]);
    await end(asked);
    const screen = await asked.terminal.waitFor("finished");
    expect(screen).toMatch(expected);
    expect(screen).not.toContain("❯");
    expect(await asked.changed()).toEqual([]);
  });
});

describe("a panel that was stopped", () => {
  const stopped = (args: string) =>
    `set -m; ${args}; stty -a >while; echo "stopped"; fg >/dev/null; echo "exit $?"`;

  test.each([
    ["`ask`", ask, /→ Green\nexit 0/],
    ["`chat`", chat, /→ Green[\s\S]*Thanks/],
  ])(
    "a panel stopped with Ctrl-Z in %s is back with what was in it, and takes keys",
    async (_what, args, end) => {
      const { terminal, read } = await asking(stopped(args), { env: { TERM_PROGRAM: "none" } });
      await press(terminal, [["mau", /❯ 3\..*mau/]]);
      terminal.type(CTRL_Z);
      await terminal.waitForRows(/stopped\n[\s\S]*❯ 3\..*mau/);
      const whileStopped = terminal.sent.slice(0, terminal.sent.indexOf("stopped"));
      expect(modesLeftOn(whileStopped)).toEqual([]);
      expect(await read("while")).toBe(await read("before"));
      expect(terminal.screen().split("Which colour?")).toHaveLength(2);
      await press(terminal, [
        ["ve", /❯ 3\..*mauve/],
        [key.up, /❯ 2\. (Green|Blue)/],
      ]);
      expect(modesLeftOn(terminal.sent)).toContain(PASTE);
      const titles = terminal.sent.split("\u001b]0;❓").length - 1;
      // A slow machine may have it twice: at the continuation, and at the first key.
      if (args === ask) expect(titles).toBe(0);
      else expect(titles).toBeGreaterThanOrEqual(2);
      terminal.type(key.enter);
      await terminal.waitFor(args === ask ? end : /→ Blue[\s\S]*Thanks/);
    },
  );

  test.each([
    ["`ask`", ask],
    ["`chat`", chat],
  ])(
    "a panel stopped by somebody else in %s redraws itself, with the earlier settings",
    async (_what, args) => {
      const { terminal, pid } = await asking(
        `set -m; ${args}; echo "stopped"; stty sane; fg >/dev/null; echo "exit $?"`,
      );
      await press(terminal, [["mau", /❯ 3\..*mau/]]);
      process.kill(await pid(), "SIGSTOP");
      await terminal.waitForRows(/stopped\n[\s\S]*❯ 3\..*mau/);
      await press(terminal, [
        ["ve", /❯ 3\..*mauve/],
        // The terminal's own echo would look the same until here.
        [key.up, /❯ 2\./],
        [key.down, /❯ 3\..*mauve/],
      ]);
      terminal.type(key.enter);
      await terminal.waitFor(/→ mauve/);
    },
  );

  test("a panel can be stopped again and again", async () => {
    const { terminal, changed } = await asking(
      `set -m; ${ask}; for i in 1 2 3; do echo "stopped $i"; fg >/dev/null; done; echo "exit $?"`,
    );
    for (const count of [1, 2, 3]) {
      terminal.type(`${count}${CTRL_Z}`.replace(/^1/, "x"));
      await terminal.waitForRows(new RegExp(`stopped ${count}\\n[\\s\\S]*❯ 3\\..*x`));
    }
    expect(terminal.rows().join("\n").split("Which colour?")).toHaveLength(2);
    terminal.type(key.enter);
    expect(await terminal.waitFor("finished")).toMatch(/→ x23\nexit 0\nfinished$/);
    expect(await changed()).toEqual([]);
  });
});
