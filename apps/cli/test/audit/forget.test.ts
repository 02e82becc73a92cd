import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleProgram } from "../../../../packages/conformance-tests/test/servers/bundle.js";
import { keepIn, wireSend } from "../../../../packages/server/src/index.js";
import { forgetPerson, nodeDisk, takeLock } from "../../../../packages/server/src/internal.js";
import { meetExtended } from "../../../../packages/server/test/extended/extended-client.js";
import { scenario } from "../../../../packages/server/test/scenario.js";
import { folderWith } from "../askwire.js";
import { auditedHome, decidedHome, decidedSession, red, shedQuestion } from "./decided.js";

const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

/** The lines of a journal by the types of their records. */
async function linesOf(folder: string): Promise<{ type: string; text: string }[]> {
  const lines = (await readFile(join(folder, "wire.jsonl"), "utf8")).split("\n").slice(0, -1);
  return lines.map((text) => ({ type: JSON.parse(text).message?.type ?? "header", text }));
}

test("askwire audit forget leaves digests in the place of a person's name and words, and every other record byte for byte", async () => {
  const home = await decidedHome();
  const [told, lines, at] = [
    await home.told("--open"),
    await linesOf(home.folder),
    (await stat(join(home.folder, "wire.jsonl"))).mtimeMs,
  ];
  const dry = await home.run("forget", "Ann", "--dry-run");
  expect(dry).toMatchObject({ status: 0, stderr: `session ${home.id} [go]: 2 decisions\n` });
  expect(dry.stdout).toMatch(
    /^2 decisions of Ann would lose its name and words\nThis stays, and may have their words too:/,
  );
  expect(await linesOf(home.folder)).toEqual(lines);

  const done = await home.run("forget", "Ann", "--yes");
  expect(done.status).toBe(0);
  expect(done.stdout).toMatch(
    /^2 decisions of Ann have digests in the place of name and words\nThis stays.*\n- in the same sessions/,
  );
  const after = await linesOf(home.folder);
  const changed = after.filter(({ text }, n) => text !== lines[n]?.text);
  expect(after.map(({ type }) => type)).toEqual(lines.map(({ type }) => type));
  expect(changed.map(({ type }) => type)).toEqual(["InteractionSettled", "InteractionSettled"]);
  expect(changed.map(({ text }) => text).join()).not.toMatch(/Ann|Firefox|"Red"|q1_o1|"page"/);
  // The list of sessions has its order by this time.
  expect((await stat(join(home.folder, "wire.jsonl"))).mtimeMs).toBeCloseTo(at, 0);

  const digests = {
    client: null,
    answer: hash,
    response: { answers: { "Which colour?": hash }, items: [] },
    forgotten: hash,
  };
  expect(await home.told("--open")).toEqual(
    told.map((one, n) =>
      n === 0 || n === 1 ? { ...one, ...digests, who: { via: n === 0 ? "token" : "device" } } : one,
    ),
  );
  expect((await home.run()).stdout).toMatch(
    /answered +removed \(token\) +Which colour\? → sha256:[0-9a-f]{64} +\[go\]/,
  );
  expect((await home.run("forget", "Ann", "--yes")).stderr).toBe(
    "no decision has Ann as its person, by the word of the server\n",
  );
});

test("an approval keeps that it was given, and a client that only calls itself so keeps its name", async () => {
  const home = await decidedHome();
  const told = await home.told();
  expect((await home.run("forget", "Olga", "--yes")).status).toBe(0);
  const response = { response: "approve_for_session", feedback: "" };
  const removed = {
    who: { via: "local" },
    client: null,
    answer: "approved for the session",
    response,
    forgotten: hash,
  };
  expect(await home.told()).toEqual(told.map((one, n) => (n === 4 ? { ...one, ...removed } : one)));
});

test("a session of which words were forgotten is opened, replayed and answered as before", async () => {
  const home = await decidedHome();
  await home.run("forget", "Ann", "--yes");
  const set = scenario([], {
    async run() {
      const question = shedQuestion();
      wireSend(question);
      await question.wait();
    },
    keep: keepIn({ share: home.home, workDir: "/work/shop" }),
  });
  const [listed] = (await home.command("sessions", "--all", "--json")).stdout.split("\n");
  const { open } = JSON.parse(listed ?? "");
  expect(open).toHaveLength(1);
  const { client } = await meetExtended(set, { sessionId: home.id });
  const { result } = await client.call("replay");
  expect(result).toMatchObject({ status: "finished" });
  const settled = client.events("InteractionSettled").map(({ payload }) => payload.outcome);
  expect(settled.length).toBeGreaterThan(3);
  expect(JSON.stringify(settled)).not.toContain("Ann");
  const count = client.requests().length;
  const prompt = client.call("prompt", { user_input: "go" });
  await expect.poll(() => client.requests().length).toBe(count + 1);
  const asked = client.requests().at(-1) ?? {};
  await client.answer(asked, red);
  await prompt;
  await set.server.close();
  expect((await home.told()).at(-1)).toMatchObject({
    status: "answered",
    answer: "Red",
    request_id: asked.id,
  });
});

test("a session that a process has, and one whose last turn needs the answers, stay as they are, and are named", async () => {
  const live = await auditedHome();
  const id = await decidedSession(live);
  const used = await live.run("forget", "Ann", "--yes");
  expect(used.status).toBe(1);
  expect(used.stderr).toMatch(
    new RegExp(`session ${id} stays as it is: the session is in use by process ${process.pid}`),
  );
  expect((await live.told("--who", "Ann")).length).toBe(2);

  const home = await decidedHome();
  const path = join(home.folder, "wire.jsonl");
  const text = await readFile(path, "utf8");
  // A turn that asked and was answered, and whose process died then.
  const settled =
    text.split("\n").find((line) => line.includes('"Ann"') && line.includes("InteractionSettled")) ?? "";
  const opened = text.split("\n").findLast((line) => line.includes('"InteractionOpened"')) ?? "";
  const { request_id } = JSON.parse(opened).message.payload;
  const asked = JSON.parse(settled).message.payload.request_id;
  await appendFile(path, `${settled.replaceAll(asked, request_id)}\n`);
  const needed = await home.run("forget", "Ann", "--yes");
  expect(needed.status).toBe(1);
  expect(needed.stderr).toMatch(/its last turn is not over, and needs the answers: open the session/);
  expect(await readFile(path, "utf8")).toContain(settled);
});

test("a process that is killed before any change of a file leaves the old journal or the new one, and the same again finishes it", async () => {
  const home = await decidedHome();
  const program = await bundleProgram(await folderWith(), new URL("forgetting-process.ts", import.meta.url));
  const read = async (folder: string) => readFile(join(folder, "wire.jsonl"), "utf8");
  const before = await read(home.folder);
  const whole = join(await folderWith(), "whole");
  await cp(home.folder, whole, { recursive: true });
  expect(forgetPerson({ id: "s", folder: whole }, "Ann")).toBe(2);
  const after = await read(whole);
  const seen = new Set<string>();
  let point = 1;
  for (let isWhole = false; !isWhole; point += 1) {
    const folder = join(await folderWith(), "s");
    await cp(home.folder, folder, { recursive: true });
    const child = fork(program, [folder, "Ann", String(point)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const [, signal] = await once(child, "exit");
    isWhole = signal !== "SIGKILL";
    const text = await read(folder);
    expect([before, after], `point ${point}`).toContain(text);
    seen.add(text);
    expect(forgetPerson({ id: "s", folder }, "Ann")).toBe(text === before ? 2 : 0);
    expect(await read(folder)).toBe(after);
    expect(existsSync(join(folder, "wire.jsonl.next"))).toBe(false);
    expect((await readdir(folder)).filter((name) => name === "lock")).toEqual([]);
    takeLock(nodeDisk, folder)();
  }
  expect(seen.size).toBe(2);
  expect(point).toBeGreaterThan(10);
});

test("askwire audit prune without a database says how decisions on the disk are removed", async () => {
  const home = await auditedHome();
  expect(await home.run("prune", "--before", "400d", "--yes")).toMatchObject({
    ...{ status: 2, stdout: "" },
    stderr: expect.stringMatching(
      /audit prune: decisions on the disk go with their sessions: askwire sessions prune --all --older-than 400d/,
    ),
  });
});
