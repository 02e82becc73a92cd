import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { HEARS_LINES } from "../../../../packages/protocol/test/line-program.js";
import {
  askwire,
  colourScript,
  command,
  folderWith,
  nodeProject,
  withoutSlowStart,
  workflow,
} from "../askwire.js";

const node = process.execPath;

/** `askwire chat -- node -e PROGRAM`. */
const chatWith = (program: string, input = "hello\n") =>
  askwire(["chat", "--", node, "-e", program], { input });

describe("chat -- COMMAND", () => {
  test("chat talks to the agent that it starts", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const args = ["chat", "--", node, command, "serve", "--stdio", "--script", "s.json"];
    const { stdout, stderr, status } = await askwire(args, { cwd, input: "hello\nBlue\n" });
    expect(stdout).toMatch(/Which colour\?[\s\S]*User answered\nThanks\.\n> \n$/);
    expect(withoutSlowStart(stderr)).toBe("");
    expect(status).toBe(0);
  });

  test("an interview held by an agent writes in the folder of that agent", async () => {
    const cwd = await folderWith(nodeProject);
    const args = ["chat", "--prompt", "go", "--", node, command, "serve", "--stdio"];
    const { stdout, status } = await askwire(args, { cwd, input: "1\n1\n1\ny\n" });
    expect(stdout).toContain(`Wrote ${workflow}.`);
    expect(await readFile(join(cwd, workflow), "utf8")).toContain("name: CI");
    expect(status).toBe(0);
  });

  test.each([
    [
      "ends at once",
      "process.exit(0)",
      /^askwire: "[^"]*node[^"]*" ended with status 0: expected an agent, which speaks the wire or ACP on [^\n]*\n$/,
    ],
    [
      "fails at once",
      "console.error('no key: set KEY'); process.exit(3)",
      /ended with status 3: no key: set KEY\n$/,
    ],
    [
      "is killed",
      "process.kill(process.pid, 'SIGKILL')",
      /^askwire: "[^"]*node[^"]*" ended by SIGKILL: expected an agent[^\n]*\n$/,
    ],
  ])(
    "an agent that %s is reported in one line that names it and says how it ended",
    async (_what, program, line) => {
      const { stdout, stderr, status } = await chatWith(program);
      expect(stderr).toMatch(line);
      expect(stdout).toBe("");
      expect(status).toBe(1);
    },
  );

  test("a program that sends back what it is sent is recognised at once", async () => {
    const { stdout, stderr, status } = await askwire(["chat", "--", "cat"], { input: "hello\n" });
    expect(stderr).toBe(
      'askwire: "cat" sends back what it is sent: expected an agent, which speaks the wire or ACP on its standard input and output\n',
    );
    expect([stdout, status]).toEqual(["", 1]);
  });

  test.each([
    ["nothing", "", ""],
    ["words", "console.log('Listening on 3000');", "; so far it printed: Listening on 3000"],
  ])(
    "a program that prints %s and waits is reported within seconds, and Ctrl-C ends it",
    async (_what, say, shown) => {
      const end = "process.on('SIGTERM', () => require('fs').writeFileSync('ended', '') ?? process.exit());";
      const program = `${end} ${say} setInterval(() => {}, 1_000)`;
      const cwd = await folderWith();
      const child = spawn(node, [command, "chat", "--", node, "-e", program], { cwd });
      let told = "";
      const exited = once(child, "exit");
      await new Promise<void>((resolve) =>
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          told += text;
          if (told.includes("introduced")) resolve();
        }),
      );
      expect(told).toContain(
        `has not introduced itself as an agent yet (waiting up to 180 s, Ctrl-C leaves)${shown}\n`,
      );
      child.kill("SIGINT");
      expect(await exited).toEqual([130, null]);
      await vi.waitUntil(() => existsSync(join(cwd, "ended")));
    },
  );

  test("the failure to start an agent names the agent and the next step", async () => {
    const { stderr, status } = await askwire(["chat", "--", "askwire-no-such-agent"]);
    expect(stderr).toBe(
      'askwire: could not start "askwire-no-such-agent": it was not found; check the name or the PATH\n',
    );
    expect(status).toBe(1);
  });

  test.each([
    ["chat", "with an agent of its own", []],
    ["chat", "with another agent", ["--", node, "-e", ""]],
    ["serve", "with an agent of its own", ["--stdio"]],
    ["serve", "with another agent", ["--stdio", "--", node, "-e", ""]],
  ])("a work folder that is not there is named in one sentence by %s %s", async (command, _, rest) => {
    const { stderr, status } = await askwire([command, "--work-dir", "/no/such/folder", ...rest]);
    expect(stderr).toBe("askwire: --work-dir /no/such/folder: no such folder\n");
    expect(status).not.toBe(0);
  });

  test("an agent that prints text other than the wire is reported, and its end is not waited for", async () => {
    const { stdout, stderr, status } = await chatWith("console.log('Welcome!'); console.log('> ')");
    expect(stderr).toMatch(
      /^askwire: from "[^"]*node[^"]*": Invalid JSON format: "Welcome!": [^\n]*print to standard error[^\n]*\naskwire: .* ended with status 0 after it printed "Welcome!\\n> ": expected an agent[^\n]*\n$/,
    );
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });

  /** An agent that introduces itself and then, at the first prompt, does something else. */
  const atPrompt = (action: string) => `${HEARS_LINES}
    const send = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
    const server = { name: "x", version: "1" };
    hearLines((line) => {
      const { id, method } = JSON.parse(line);
      if (method === "initialize") send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
      else { ${action} }
    });`;

  test.each([
    ["with status 0", "process.exit(0)", /ended with status 0\n$/],
    ["with status 3", "process.exit(3)", /ended with status 3\n$/],
    ["by a signal", "process.kill(process.pid, 'SIGTERM')", /ended by SIGTERM\n$/],
  ])(
    "an agent that ends %s in the middle of a turn does not leave the person waiting",
    async (_how, action, line) => {
      const { stderr, status } = await chatWith(atPrompt(action));
      expect(stderr).toMatch(line);
      expect(status).toBe(1);
    },
  );

  test("an agent that does not know initialize can be talked to as well", async () => {
    const action = `
      if (method === "prompt") {
        send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text: "Done." } } });
        send({ id, result: { status: "finished" } });
      }`;
    const older = atPrompt(action).replace(
      /if \(method === "initialize"\) .*\n/,
      'if (method === "initialize") send({ id, error: { code: -32601, message: "unknown" } });\n',
    );
    const { stdout, stderr, status } = await chatWith(older);
    expect(stdout).toBe("> \nDone.\n> \n");
    expect(withoutSlowStart(stderr)).toBe("");
    expect(status).toBe(0);
  });

  test("DEBUG is not passed on to an agent, and can be set for it alone (P-CLI-10)", async () => {
    const program = atPrompt(`
      const text = "DEBUG is " + process.env.DEBUG;
      send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text } } });
      send({ id, result: { status: "finished" } });`);
    const env = { DEBUG: "*" };
    const input = "hello\n";
    const without = await askwire(["chat", "--", node, "-e", program], { input, env });
    expect(without.stdout).toContain("DEBUG is undefined\n");
    const its = await askwire(["chat", "--", "env", "DEBUG=agent", node, "-e", program], { input, env });
    expect(its.stdout).toContain("DEBUG is agent\n");
  });

  test("noise between an agent's messages is reported once and the turn continues", async () => {
    const action = `
      for (let i = 0; i < 3; i++) process.stdout.write("debug " + i + "\\n");
      send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text: "Done." } } });
      send({ id, result: { status: "finished" } });`;
    const { stdout, stderr, status } = await chatWith(atPrompt(action));
    expect(stdout).toContain("Done.\n");
    expect(withoutSlowStart(stderr)).toMatch(
      /^askwire: from "[^"]*": Invalid JSON format: "debug 0": [^\n]*print to standard error[^\n]*\n$/,
    );
    expect(status).toBe(0);
  });

  test("the agent's log on standard error goes to standard error", async () => {
    const action = `console.error("working"); send({ id, result: { status: "finished" } });`;
    const { stdout, stderr, status } = await chatWith(atPrompt(action));
    expect(withoutSlowStart(stderr)).toBe("working\n");
    expect(stdout).not.toContain("working");
    expect(status).toBe(0);
  });

  test("an agent that hangs at the end of its input is ended", async () => {
    const action = `send({ id, result: { status: "finished" } }); setInterval(() => {}, 1000);`;
    const { status } = await chatWith(atPrompt(action));
    expect(status).toBe(0);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s leaves an agent that does not reply, even after the end of the input",
    async (signal) => {
      const agent = fileURLToPath(new URL("../prompted-agent.mjs", import.meta.url));
      const child = spawn(node, [command, "chat", "--", node, agent]);
      const exited = new Promise((resolve) => child.once("exit", (status) => resolve(status)));
      child.stdin.end("stall\n");
      await new Promise<void>((resolve) =>
        child.stdout.on("data", (text) => String(text).includes("Stalling") && resolve()),
      );
      child.kill(signal);
      expect(await exited).toBe(130);
    },
  );
});
