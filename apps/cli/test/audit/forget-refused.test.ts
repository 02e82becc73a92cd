import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keepIn } from "../../../../packages/server/src/index.js";
import { forgetPerson, lockSession, writeMovedMark } from "../../../../packages/server/src/internal.js";
import { meetExtended } from "../../../../packages/server/test/extended/extended-client.js";
import { scenario } from "../../../../packages/server/test/scenario.js";
import { decidedHome } from "./decided.js";

type DecidedHome = Awaited<ReturnType<typeof decidedHome>>;

/** A home with such a session, and its files. */
async function forgettingHome() {
  const home = await decidedHome();
  const journal = join(home.folder, "wire.jsonl");
  return { ...home, journal, next: `${journal}.next`, text: () => readFile(journal, "utf8") };
}

/** Marks the session as one whose move was cut off. */
function cutOff({ folder, id }: DecidedHome, state: "leaving" | "coming"): string {
  const why = `the move of session ${id} was cut off: run askwire sessions move ${id} --store disk again`;
  writeMovedMark(folder, { state, move: "m", store: "postgres://db", name: "db", why });
  return why;
}

describe("moves:", () => {
  test("a session whose move was cut off keeps its words while it may be in a database, and is named with the step that ends the move", async () => {
    const home = await forgettingHome();
    const before = await home.text();
    const why = cutOff(home, "leaving");
    for (const option of ["--dry-run", "--yes"]) {
      const { stderr, status } = await home.run("forget", "Ann", option);
      expect([stderr, status]).toEqual([
        `askwire: audit forget: session ${home.id} stays as it is: ${why}\nno other decision has Ann as its person, by the word of the server\n`,
        1,
      ]);
    }
    expect(() => forgetPerson(home, "Ann")).toThrow(why);
    expect(await home.text()).toBe(before);
  });

  test("a session whose move was cut off is named while all of it is beside its place", async () => {
    const home = await forgettingHome();
    await rename(home.journal, `${home.journal}.coming`);
    const why = cutOff(home, "coming");
    const { stderr, status } = await home.run("forget", "Ann", "--yes");
    expect(stderr).toMatch(`session ${home.id} is not looked at: ${why}\n`);
    expect(stderr).not.toMatch(/no decision has/);
    expect(status).toBe(1);
    await writeFile(join(home.folder, "moved.json"), "{");
    expect(await home.run("forget", "Ann", "--yes")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/moved\.json says where the session is, and cannot be read/),
    });
  });

  test("a move leaves no copy of a journal behind that replaced nothing", async () => {
    const { id, folder, journal, next } = await forgettingHome();
    await writeFile(next, "Ann");
    await writeFile(`${journal}.coming`, "Ann");
    const held = lockSession(id, folder);
    held.clear();
    held.release();
    expect(existsSync(folder) ? await readdir(folder) : []).toEqual([]);
  });
});

test.each(["a turn that is not over", "a disk that fails"])(
  "a question waits in the lists as before once %s has kept the words of a cut-off session",
  async (reason) => {
    const home = await forgettingHome();
    const lines = (await home.text()).split("\n");
    const settled = lines.find((line) => line.includes('"Ann"') && line.includes("InteractionSettled")) ?? "";
    const opened = lines.findLast((line) => line.includes('"InteractionOpened"')) ?? "";
    const idOf = (line: string): string => JSON.parse(line).message.payload.request_id;
    if (reason === "a disk that fails") await mkdir(home.next);
    else
      await appendFile(
        home.journal,
        `${opened.replaceAll(idOf(opened), "r-2")}\n${settled.replaceAll(idOf(settled), "r-2")}\n`,
      );
    await rm(join(home.folder, "open.json"), { force: true });
    const listed = async () => JSON.parse((await home.command("sessions", "--all", "--json")).stdout).open;
    const before = await listed();
    expect(before).toHaveLength(1);
    expect((await home.run("forget", "Ann", "--yes")).status).toBe(1);
    expect(await listed()).toEqual(before);
  },
);

test("the files of a session keep their owner and their mode", async () => {
  const home = await forgettingHome();
  const files = [home.journal, join(home.folder, "open.json")];
  await writeFile(join(home.folder, "open.json"), '{"open":[]}');
  const rights = () =>
    Promise.all(files.map(async (file) => stat(file).then(({ uid, gid, mode }) => [uid, gid, mode])));
  for (const file of files) {
    await chmod(file, 0o640);
    if (process.getuid?.() === 0) await chown(file, 1234, 1235);
  }
  const before = await rights();
  expect((await home.run("forget", "Ann", "--yes")).status).toBe(0);
  expect(await home.text()).not.toMatch(/"Ann"/);
  expect(await rights()).toEqual(before);
});

test("a journal that is a link is not replaced while the file that it leads to keeps the words", async () => {
  const home = await forgettingHome();
  const target = join(home.home, "elsewhere.jsonl");
  await rename(home.journal, target);
  await symlink(target, home.journal);
  const before = await home.text();
  const { stderr, status } = await home.run("forget", "Ann", "--yes");
  expect(stderr).toMatch(/wire\.jsonl is a link, and the words would stay in the file that it leads to/);
  expect(status).toBe(1);
  expect((await lstat(home.journal)).isSymbolicLink()).toBe(true);
  expect(await home.text()).toBe(before);
});

test("a copy of a journal that replaced nothing goes with the next forget, whomever it forgets, and with the next opening", async () => {
  const home = await forgettingHome();
  await writeFile(home.next, "Ann");
  await home.run("forget", "Nobody", "--dry-run");
  expect(existsSync(home.next)).toBe(true);
  expect((await home.run("forget", "Nobody", "--yes")).status).toBe(0);
  expect(existsSync(home.next)).toBe(false);
  await writeFile(home.next, "Ann");
  const set = scenario([], {
    async run() {},
    keep: keepIn({ share: home.home, workDir: "/work/shop" }),
  });
  await meetExtended(set, { sessionId: home.id });
  expect(existsSync(home.next)).toBe(false);
  await set.server.close();
});

describe("unread lines:", () => {
  /** Adds the settlement by Ann under another kind. */
  async function otherKind(home: Awaited<ReturnType<typeof forgettingHome>>): Promise<void> {
    const lines = (await home.text()).split("\n");
    const settled = lines.find((line) => line.includes('"Ann"') && line.includes("InteractionSettled")) ?? "";
    await appendFile(home.journal, `${settled.replace('"question"', '"riddle"')}\n`);
  }

  test.each([
    ["a settlement of an unknown kind", otherKind],
    [
      "a last line that is cut",
      ({ journal }: { journal: string }) =>
        appendFile(journal, '{"timestamp": 130, "message": {"type": "InteractionSettled", "payl'),
    ],
    [
      "a line over the bound",
      async ({ journal }: { journal: string }) => {
        const file = await open(journal, "r+");
        await file.truncate((await file.stat()).size + 65 * 1024 * 1024);
        await file.close();
        await appendFile(journal, "\n");
      },
    ],
  ])("%s is counted and named, and not taken for nothing", async (_name, add) => {
    const home = await forgettingHome();
    await add(home);
    await home.run("forget", "Ann", "--yes");
    const audit = await home.run();
    expect(audit.status).toBe(1);
    expect(audit.stderr).toMatch(/a line of it could not be read/);
    expect(await home.run("forget", "Ann", "--yes")).toMatchObject({
      status: 1,
      stderr: `askwire: audit forget: session ${home.id}: a line of it could not be read, and may have had a decision (${home.folder})\nno other decision has Ann as its person, by the word of the server\n`,
    });
  });

  test("a journal of a later version, of which no line seems to match, is refused and named", async () => {
    const home = await forgettingHome();
    await appendFile(
      home.journal,
      `${JSON.stringify({ timestamp: 1, message: { type: "SessionOpened", payload: { generation: 9, version: 99 } } })}\n`,
    );
    expect(() => forgetPerson(home, "Nobody")).toThrow(/has records of version 99/);
    const { stderr, status } = await home.run("forget", "Nobody", "--yes");
    expect(stderr).toMatch(/stays as it is: .*has records of version 99/);
    expect(status).toBe(1);
  });
});
