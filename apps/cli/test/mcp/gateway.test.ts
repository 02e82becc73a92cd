import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askwire, folderWith, startServe } from "../askwire.js";
import { colour, gatewayOf, newHome, personAt, startHost } from "./hosts.js";

const ASK = "ask_user_question";

test("only the person can read the files of the gateway", async () => {
  const home = await newHome();
  const host = await startHost(home, { args: ["--timeout", "1"] });
  await host.call(ASK, { questions: [colour] });
  for (const name of ["lock", "gateway.json", "handles.key", "log"]) {
    expect([name, (await stat(join(home, "gateway", name))).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect((await stat(join(home, "gateway"))).mode & 0o777).toBe(0o700);
  expect(await readFile(join(home, "gateway", "log"), "utf8")).not.toContain(gatewayOf(home)?.token);
});

test("the lock of a process that has ended is replaced", async () => {
  const home = await newHome();
  await mkdir(join(home, "gateway"), { mode: 0o700 });
  const gone = { pid: 999_999_999, started: "1", token: "x" };
  await writeFile(join(home, "gateway", "lock"), JSON.stringify(gone));
  const state = {
    ...gone,
    port: 1,
    token: "a-token-of-a-gateway-that-is-gone-since-long",
    address: "ws://127.0.0.1:1/wire/x",
  };
  await writeFile(join(home, "gateway", "gateway.json"), JSON.stringify(state));
  const host = await startHost(home, { args: ["--timeout", "1"] });
  const { structuredContent } = await host.call(ASK, { questions: [colour] });
  expect(structuredContent).toMatchObject({ outcome: null });
  expect(gatewayOf(home)?.pid).not.toBe(gone.pid);
});

test("a gateway whose port another program has taken listens elsewhere, with another token", async () => {
  const home = await newHome();
  const taken = createServer(() => {});
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  await mkdir(join(home, "gateway"), { mode: 0o700 });
  const gone = { pid: 999_999_999, port, token: "a-token-that-the-other-program-may-have-seen" };
  const state = { ...gone, address: `ws://127.0.0.1:${port}/wire/x` };
  await writeFile(join(home, "gateway", "gateway.json"), JSON.stringify(state));
  const host = await startHost(home, { args: ["--timeout", "1"] });
  expect((await host.call(ASK, { questions: [colour] })).structuredContent).toMatchObject({ outcome: null });
  expect(gatewayOf(home)?.port).not.toBe(port);
  expect(gatewayOf(home)?.token).not.toBe(gone.token);
});

test("a second gateway ends at once, and leaves the first undisturbed", async () => {
  const home = await newHome();
  const host = await startHost(home, { args: ["--timeout", "1"] });
  await host.call(ASK, { questions: [colour] });
  const first = gatewayOf(home);
  expect(await askwire(["gateway"], { env: { ASKWIRE_HOME: home } })).toMatchObject({
    status: 0,
    stderr: "",
  });
  expect(gatewayOf(home)).toEqual(first);
});

test("many agents that never came back for their answers leave room for others", async () => {
  const home = await newHome();
  const host = await startHost(home, { args: ["--timeout", "1"] });
  const asked = Array.from({ length: 70 }, (_, at) =>
    host.call(ASK, { questions: [{ question: `Number ${at}?` }] }),
  );
  const outcomes = (await Promise.all(asked)).map(({ structuredContent }) => structuredContent?.outcome);
  expect(outcomes).toEqual(asked.map(() => null));
});

test("a host that closes in the middle of a call ends the server, and the question stays open for the next", async () => {
  const home = await newHome();
  const host = await startHost(home);
  const called = host.call(ASK, { questions: [colour] });
  const refused = expect(called).rejects.toThrow();
  const person = await personAt(home);
  const asked = await person.asked();
  await host.close();
  await refused;
  const next = await startHost(home);
  const { structuredContent } = await next.call("ask_user_status", {});
  const open = structuredContent?.open as readonly { handle: string }[];
  asked.answer("Red");
  const told = await next.call(ASK, { handle: open[0]?.handle });
  expect(told.structuredContent).toMatchObject({ answers: { "Which colour?": "Red" } });
});

test("a gateway folder that cannot be made is an error that names another place", async () => {
  const home = await newHome();
  await writeFile(join(home, "gateway"), "");
  const { status, stderr } = await askwire(["mcp"], { env: { ...process.env, ASKWIRE_HOME: home } });
  expect(stderr).toMatch(
    /^askwire: the folder of the gateway cannot be made .*: set ASKWIRE_HOME to another folder\n$/,
  );
  expect(status).toBe(1);
});

test("--connect asks at a running server, and starts no gateway", async () => {
  const home = await newHome();
  const cwd = await folderWith();
  const { address } = await startServe([], { cwd, env: { ...process.env, ASKWIRE_HOME: cwd } });
  const host = await startHost(home, { args: ["--connect", address, "--timeout", "1"] });
  const messages: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => messages.push(message);
  const { structuredContent, content } = await host.call(ASK, { questions: [colour] }, { onprogress });
  expect(structuredContent).toMatchObject({ outcome: null, handle: expect.any(String) });
  expect(gatewayOf(home)).toBeUndefined();
  // That command would open another gateway, which does not have the questions.
  expect([content[0]?.text, ...messages].join()).not.toContain("askwire open");
  expect(content[0]?.text).toContain("the server of --connect");
});

test("the error about a server that cannot be reached contains no token", async () => {
  const args = ["--connect", "ws://127.0.0.1:1/wire/none#the-secret-of-that-server"];
  const host = await startHost(await newHome(), { args });
  const told = await host.call(ASK, { questions: [colour] });
  expect(told.isError).toBe(true);
  expect(told.content[0]?.text).toContain("The questions could not be asked:");
  expect(JSON.stringify(told)).not.toContain("the-secret");
});
