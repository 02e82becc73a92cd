import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { registeredServers } from "../../src/gateway/registered-servers.js";
import { machinePlaces, serverPlace } from "../../src/inbox/places.js";
import { Waiting } from "../../src/inbox/waiting.js";
import { folderWith } from "../askwire.js";
import { injectedClock } from "./clock.js";
import { asks, fill, lobbyOf, programAt, serverOf } from "./many.js";

/** Everything that waits at a home, on a clock that passes while a test waits for something. */
function waitingAt(home: string, places = () => machinePlaces(home, "gateway")) {
  const { clock, pass } = injectedClock();
  const ended: string[] = [];
  const told = { changed() {}, ended: (name: string, count: number) => void ended.push(`${name}: ${count}`) };
  const waiting = new Waiting({ places, clock, ...told });
  onTestFinished(() => waiting.close());
  const texts = () => waiting.rows.map(({ request }) => request.text);
  /** Waits for the list to be like this; a second passes at each look. */
  const until = (look: () => unknown, wanted: unknown) =>
    expect
      .poll(
        () => {
          pass(1_000);
          return look();
        },
        { timeout: 60_000, interval: 20 },
      )
      .toEqual(wanted);
  return { waiting, texts, until, ended };
}

test("500 requests of 50 sessions in three processes are all shown, and one that is answered elsewhere goes", async () => {
  const home = await folderWith();
  const servers = await Promise.all([serverOf(home), serverOf(home), serverOf(home)]);
  const sessions = [17, 17, 16];
  const wanted: string[] = [];
  for (const [index, { address }] of servers.entries()) {
    const text = (session: number, n: number) => `Server ${index}, session ${session}, question ${n}?`;
    await fill(address, { sessions: sessions[index] as number, each: 10, text });
    for (let session = 0; session < (sessions[index] as number); session += 1)
      for (let n = 0; n < 10; n += 1) wanted.push(text(session, n));
  }
  const { waiting, texts, until } = waitingAt(home);
  await until(() => [...texts()].sort(), [...wanted].sort());
  expect(wanted).toHaveLength(500);
  expect(new Set(waiting.rows.map(({ request }) => request.session_id)).size).toBe(50);

  const [{ request } = { request: undefined }] = waiting.rows;
  const elsewhere = await connectWebSocket(lobbyOf(servers[0]?.address ?? ""), {
    session: request?.session_id ?? "",
    handlers: {
      question: ({ id, questions }) =>
        id === request?.request_id
          ? {
              items: [
                { question_id: questions[0]?.id ?? "", selected: [questions[0]?.options[0]?.id ?? ""] },
              ],
            }
          : new Promise(() => {}),
    },
  });
  onTestFinished(() => elsewhere.close());
  await until(() => texts().includes(request?.text ?? ""), false);
  expect(texts()).toHaveLength(499);
});

test("a server of the list that goes away is said to be away, and what waits there is back with it", async () => {
  const home = await folderWith({ token: "a".repeat(40) });
  const args = ["--token-file", join(home, "token"), "--session", "s-1"];
  const { address, child, ended } = await serverOf(home, args);
  const program = await connectWebSocket(address, { client: { name: "builder" }, reconnect: false });
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const named = serverPlace({ key: address, name: "mill", address, kept: true });
  const { waiting, texts, until } = waitingAt(home, () => [named]);
  await until(texts, ["Which colour?"]);
  child.kill("SIGKILL");
  await ended;
  await until(() => waiting.places.map(({ state }) => state), ["away"]);
  expect(texts()).toEqual([]);
  expect(waiting.places[0]?.why).toBeTruthy();

  await serverOf(home, args, { port: new URL(address).port });
  await until(texts, ["Which colour?"]);
  expect(waiting.places).toEqual([{ name: "mill", state: "here", waiting: 1 }]);
});

test("a server of this machine that has ended leaves the list, and what waited there is told", async () => {
  const home = await folderWith();
  const { address, child, ended } = await serverOf(home);
  const program = await programAt(address, "builder");
  await program.ask({ ...asks("Which colour?"), key: "k", wait: false });
  const { waiting, texts, until, ended: told } = waitingAt(home);
  await until(texts, ["Which colour?"]);
  child.kill("SIGKILL");
  await ended;
  await until(() => [texts(), waiting.places], [[], []]);
  expect(told).toEqual(["interview: 1"]);
});

test("a server writes itself down for its person alone, and takes that back at its end", async () => {
  const home = await folderWith();
  const { address, child, ended } = await serverOf(home);
  const folder = join(home, "servers");
  const [file = ""] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(registeredServers(home)).toMatchObject([{ address, name: "interview" }]);
  child.kill("SIGTERM");
  await ended;
  expect(readdirSync(folder)).toEqual([]);
});

test("a server that cannot be reached through what stands before it keeps its file", async () => {
  const gate = createServer((_request, response) => {
    response.writeHead(502).end("connect ECONNREFUSED 127.0.0.1:1");
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void gate.close());
  const { port } = gate.address() as AddressInfo;
  const home = await folderWith({
    [`servers/${process.pid}-00000000000d.json`]: JSON.stringify({
      pid: process.pid,
      address: `ws://127.0.0.1:${port}/wire#t`,
      name: "behind a gate",
    }),
  });
  const { waiting, until } = waitingAt(home);
  await until(() => waiting.places.map(({ state }) => state), ["away"]);
  expect(waiting.places[0]?.why).toContain("ECONNREFUSED");
  expect(readdirSync(join(home, "servers"))).toHaveLength(1);
});

test("the file of a process that has ended is removed, and so is one whose port nobody has", async () => {
  const home = await folderWith({
    "servers/1-00000000000a.json": "no JSON",
    "servers/999999-00000000000b.json": JSON.stringify({
      pid: 2 ** 30,
      address: "ws://127.0.0.1:9/wire#t",
      name: "old",
    }),
    [`servers/${process.pid}-00000000000c.json`]: JSON.stringify({
      pid: process.pid,
      address: "ws://127.0.0.1:9/wire#t",
      name: "nobody listens",
    }),
  });
  expect(registeredServers(home).map(({ name }) => name)).toEqual(["nobody listens"]);
  const { waiting, until } = waitingAt(home);
  await until(() => waiting.places, []);
  expect(readdirSync(join(home, "servers"))).toEqual([]);
});

test("a request of a person's session is shown however many of other sessions come before it", async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => ({
    ...{ request_id: `r${n}`, session_id: `s${n}`, kind: "question" as const, text: `Question ${n}?` },
    ...{ since: new Date(1_800_000_000_000 + n).toISOString(), state: "open" as const },
    ...(n === 1_199 && { mine: true }),
  }));
  const { clock } = injectedClock();
  const end = deferred();
  async function* lists() {
    yield rows;
    await end.promise;
  }
  const open = async () => ({ lists: lists(), close: () => end.resolve() });
  const reach = () => Promise.reject(new Error("nobody answers here"));
  const places = () => [{ key: "one", name: "one", open, reach, claim: reach }];
  const waiting = new Waiting({ places, clock, mine: true, changed() {} });
  onTestFinished(() => waiting.close());
  await expect.poll(() => waiting.rows.map(({ request }) => request.text)).toEqual(["Question 1199?"]);
  expect(waiting.all).toBe(1);
});
