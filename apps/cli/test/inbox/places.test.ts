import { readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { connectProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { asksLine, askwire, colour, command, folderWith } from "../askwire.js";
import { gatewayOf, newHome, startHost } from "../mcp/hosts.js";
import { openAskwire } from "../terminal.js";
import { asks, serverOf } from "./many.js";

/** The waiting requests as a script reads them, once there are any. */
async function untilListed(home: string) {
  const env = { ASKWIRE_HOME: home };
  const list = async () =>
    JSON.parse((await askwire(["inbox", "--once", "--json"], { env })).stdout).requests;
  await expect.poll(async () => (await list()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  return (await list()) as { request_id: string; text: string; state: string; server: string }[];
}

/** An agent over standard input and output that asks at once, with the outcome of its turn. */
async function stdioAgent(home: string, more: Record<string, string>, options: readonly string[] = []) {
  const script = join(home, "script.json");
  const args = [command, "serve", "--stdio", "--script", script, ...options];
  const env = { ...process.env, ASKWIRE_HOME: home, ...more };
  const ends: unknown[] = [];
  const session = await connectProcess(process.execPath, args, {
    cwd: home,
    env,
    handlers: {
      question: (_view, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            ends.push(signal.reason);
            reject(signal.reason);
          });
        }),
    },
  });
  onTestFinished(() => session.close());
  return { session, turn: session.prompt("Paint it"), ends };
}

const script = { "script.json": JSON.stringify([asksLine([colour]), "text: Done."]) };

test("an agent over standard input and output is in the inbox where ASKWIRE_INBOX is set", async () => {
  const home = await folderWith(script);
  const { session, turn } = await stdioAgent(home, { ASKWIRE_INBOX: "1" });
  const [row] = await untilListed(home);
  expect(row).toMatchObject({ text: "Which colour?", state: "open" });
  const answered = await askwire(["inbox", "answer", row?.request_id ?? "", "--choose", "Blue"], {
    env: { ASKWIRE_HOME: home },
  });
  expect(answered.stdout).toBe("answered\n");
  expect((await turn.result).status).toBe("finished");
  await session.close();
  await expect.poll(() => readdirSync(join(home, "servers")), { timeout: 60_000 }).toEqual([]);
});

test.each([
  [["--name", "Olga"], "Olga"],
  [[], userInfo().username],
])(
  "an answer from the inbox to an agent over standard streams is that of this machine's user: %j (P-WHO-3)",
  async (options, name) => {
    const home = await folderWith(script);
    const { turn, ends } = await stdioAgent(home, { ASKWIRE_INBOX: "1" }, options);
    const [row] = await untilListed(home);
    await askwire(["inbox", "answer", row?.request_id ?? "", "--choose", "Blue"], {
      env: { ASKWIRE_HOME: home },
    });
    await turn.result;
    const principal = { id: "local", name, via: "local" };
    expect(ends).toMatchObject([{ outcome: { client: { name: "askwire-inbox" }, principal } }]);
  },
);

test("what a chat asks is in the inbox, and the chat goes on with an answer from there", async () => {
  const home = await folderWith(script);
  const args = ["chat", "--script", join(home, "script.json"), "--prompt", "Paint it"];
  const chat = openAskwire(args, { env: { ASKWIRE_HOME: home } });
  await chat.waitForRows("Which colour?");
  const [row] = await untilListed(home);
  expect(row).toMatchObject({ text: "Which colour?", state: "open" });
  const answered = await askwire(["inbox", "answer", row?.request_id ?? "", "--choose", "Blue"], {
    env: { ASKWIRE_HOME: home },
  });
  expect(answered.stdout).toBe("answered\n");
  await chat.waitForRows("Done.");
  expect(chat.screen()).toContain("askwire-inbox answered it");
  chat.type("/exit\r");
  await chat.ended;
  expect(readdirSync(join(home, "servers"))).toEqual([]);
});

test("an agent over standard input and output keeps to itself where ASKWIRE_INBOX is 0 or not set", async () => {
  const home = await folderWith(script);
  const { session } = await stdioAgent(home, { ASKWIRE_INBOX: "0" });
  await expect.poll(() => session.state, { timeout: 60_000 }).toBe("waiting");
  const { stdout } = await askwire(["inbox", "--once", "--json"], { env: { ASKWIRE_HOME: home } });
  expect(JSON.parse(stdout).requests).toEqual([]);
});

test("a question of a stored session is listed, and opens its session again to be answered", async () => {
  const home = await folderWith();
  const { address, child, ended } = await serverOf(home, ["--session", "s-1"]);
  const program = await connectWebSocket(address, { client: { name: "builder" }, reconnect: false });
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  await expect
    .poll(() => readdirSync(home, { recursive: true }).some((name) => String(name).endsWith("open.json")), {
      timeout: 60_000,
    })
    .toBe(true);
  child.kill("SIGKILL");
  await ended;
  const [row] = await untilListed(home);
  expect(row).toMatchObject({ text: "Which colour?", state: "kept", server: "stored sessions" });
  const env = { ASKWIRE_HOME: home };
  const answered = await askwire(["inbox", "answer", row?.request_id ?? "", "--choose", "Blue"], { env });
  expect(answered).toMatchObject({ stdout: "answered\n", stderr: "" });

  const again = await serverOf(home, ["--session", "s-1"]);
  const back = await connectWebSocket(again.address, { client: { name: "builder" } });
  onTestFinished(() => back.close());
  expect((await back.ask({ key: "k" })).answers).toEqual({ "Which colour?": "Blue" });
});

test("what an agent of an MCP host asks is in the inbox, and its call has the answer", async () => {
  const home = await newHome();
  const host = await startHost(home);
  const called = host.call("ask_user_question", { questions: [colour] });
  await expect.poll(() => gatewayOf(home), { timeout: 60_000 }).toBeDefined();
  const [row] = await untilListed(home);
  expect(row).toMatchObject({ text: "Which colour?", server: "your gateway" });
  await askwire(["inbox", "answer", row?.request_id ?? "", "--choose", "Blue"], {
    env: { ASKWIRE_HOME: home },
  });
  expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Blue" } });
});
