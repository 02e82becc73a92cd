import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askwire } from "../askwire.js";
import { answeredAt, askedAt, placeWithDatabase } from "./in-database.js";

/** A place with a database, and what a person does there to move the session `mine`. */
async function movingPlace() {
  const place = await placeWithDatabase();
  const run = (...args: string[]) => askwire(args, { cwd: place.cwd, env: { ASKWIRE_HOME: place.home } });
  const [, url = "", ...schema] = place.store;
  return {
    ...place,
    run,
    toStore: (...more: string[]) => run("sessions", "move", "mine", ...place.store, ...more),
    toDisk: (...more: string[]) => run("sessions", "move", "mine", "--store", "disk", ...more),
    from: ["--from", url, ...schema],
    /** The lines of a file of the session on the disk. */
    async linesOnDisk(name = "wire.jsonl"): Promise<string[]> {
      const sessions = join(place.home, "sessions");
      const [work = ""] = await readdir(sessions);
      const text = await readFile(join(sessions, work, "mine", name), "utf8");
      return text.split("\n").slice(0, -1);
    },
    async linesInStore(table = "line"): Promise<unknown[]> {
      const rows = await place.rows(`select text from $schema.${table} order by number`);
      return rows.map(({ text }) => text);
    },
    /** Serves with these options until a question is there, and then kills the server. Gives the id of the question. */
    async askedAndKilled(...args: string[]): Promise<string> {
      const { child, ended, address } = await place.serve(...args);
      const id = await askedAt(address);
      await expect.poll(async () => (await run("sessions", "--json", ...args)).stdout).toContain(id);
      child.kill("SIGKILL");
      await ended;
      return id;
    },
    /** Serves with these options, answers what is open, and ends the server. Gives the ids of what was answered. */
    async answered(...args: string[]): Promise<string[]> {
      const { child, ended, address } = await place.serve("--script", "say.json", ...args);
      const ids = await answeredAt(address);
      child.kill("SIGTERM");
      expect((await ended).status).toBe(0);
      return ids;
    },
  };
}

/** Says that one line on standard error, and nothing else, was all. */
const refusal = (words: RegExp, status: number) => ({
  status,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^askwire: [^\\n]*${words.source}[^\\n]*\\n$`)),
});

describe("askwire sessions move", () => {
  test("a question that is open on the disk is answered in the database under its id, with every line before it, and the disk says where it is", async () => {
    const place = await movingPlace();
    const id = await place.askedAndKilled();
    const [lines, history] = [await place.linesOnDisk(), await place.linesOnDisk("context.jsonl")];
    expect(await place.toStore()).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/^session mine is in postgres:\/\/127\.0\.0\.1:\d+\/postgres#t_\w+\n$/),
    });
    expect([await place.linesInStore(), await place.linesInStore("history")]).toEqual([lines, history]);
    const listed = await place.run("sessions", "--json", ...place.store);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      ...{ id: "mine", title: "Choose a colour", state: "closed", work_dir: place.cwd },
      open: [{ request_id: id, text: "Which colour?" }],
    });
    expect((await place.run("sessions")).stdout).toBe("");
    expect(await place.run("chat", "--script", "say.json", "--session", "mine")).toMatchObject(
      refusal(
        /session mine is in postgres:.*: open it with askwire serve --store 'postgres:.* --session mine, or bring it back with askwire sessions move mine --store disk/,
        1,
      ),
    );
    expect(await place.answered(...place.store)).toEqual([id]);
  });

  test("a question that is open in the database is answered on the disk under its id, and the database says where it is", async () => {
    const place = await movingPlace();
    const id = await place.askedAndKilled(...place.store);
    await place.endLeases();
    const lines = await place.linesInStore();
    expect(await place.toDisk(...place.from)).toMatchObject({ status: 0, stderr: "" });
    expect(await place.linesOnDisk()).toEqual(lines);
    expect([await place.linesInStore(), await place.linesInStore("history")]).toEqual([[], []]);
    const [listed] = (await place.run("sessions", "--json")).stdout.split("\n");
    expect(JSON.parse(listed ?? "")).toMatchObject({ id: "mine", open: [{ request_id: id }] });
    expect((await place.run("sessions", ...place.store)).stdout).toBe("");
    const serve = ["serve", "--listen", "127.0.0.1:0", "--session", "mine", ...place.store];
    expect(await place.run(...serve)).toMatchObject(
      refusal(
        /the session was moved: it is on the disk of .*: open it there, or bring it back with askwire sessions move mine --store/,
        1,
      ),
    );
    expect(await place.answered()).toEqual([id]);
  });

  test("a session goes there and back again without its address being said again, and its processes count on", async () => {
    const place = await movingPlace();
    const id = await place.askedAndKilled();
    for (const _round of [1, 2]) {
      expect(await place.toStore()).toMatchObject({ status: 0, stderr: "" });
      expect((await place.toStore()).stdout).toMatch(/^session mine was already in postgres:/);
      expect(await place.toDisk()).toMatchObject({ status: 0, stderr: "" });
      expect((await place.toDisk(...place.from)).stdout).toMatch(/^session mine was already in \//);
    }
    expect(await place.toStore()).toMatchObject({ status: 0, stderr: "" });
    expect(await place.answered(...place.store)).toEqual([id]);
    const opened = (await place.linesInStore()).filter((line) => String(line).includes('"SessionOpened"'));
    const generations = opened.map((line) => JSON.parse(String(line)).message.payload.generation);
    expect(generations).toEqual([...generations].sort((one, other) => one - other));
    expect(new Set(generations).size).toBe(generations.length);
  });

  test("a session that a process has is moved nowhere", async () => {
    const place = await movingPlace();
    const { child, ended, address } = await place.serve();
    await askedAt(address);
    expect(await place.toStore()).toMatchObject(
      refusal(new RegExp(`the session is in use by process ${child.pid} .*: end that process`), 1),
    );
    child.kill("SIGTERM");
    await ended;
    expect(await place.toStore()).toMatchObject({ status: 0 });
    const there = await place.serve(...place.store);
    expect(await place.toDisk()).toMatchObject(
      refusal(new RegExp(`process ${there.child.pid} on .* has the session: close it there`), 1),
    );
  });

  test("another session of the same id is not written over, and the one on the disk is opened as before", async () => {
    const place = await movingPlace();
    await place.askedAndKilled(...place.store);
    const id = await place.askedAndKilled();
    expect(await place.toStore()).toMatchObject(refusal(/the store has another session of this id/, 1));
    expect(await place.toDisk(...place.from)).toMatchObject({ status: 0, stderr: "" });
    expect(await place.answered()).toEqual([id]);
  });

  test.each([
    [["none", "--store", "postgres://a@h/d"], /sessions move none: no session has this id/],
    [
      ["none", "--store", "disk"],
      /sessions move none: it was not moved from .*: add --from with the address/,
    ],
    [["none", "--store", "postgres://a@h/d", "--from", "postgres://a@h/d"], /--from goes with --store disk/],
    [["none", "--store", "postgres://a:s3cret@h/d"], /no session has this id|carries a password/],
    [["../x", "--store", "disk"], /is no name for a folder/],
  ])("askwire sessions move %j says why it does nothing, with exit code 2", async (args, words) => {
    const place = await movingPlace();
    const done = await place.run("sessions", "move", ...args);
    expect(done).toMatchObject(refusal(words, 2));
    expect(done.stderr).not.toContain("s3cret");
  });

  test("a session that the database does not have is said not to be there", async () => {
    const place = await movingPlace();
    expect(await place.toDisk(...place.from)).toMatchObject(
      refusal(/sessions move mine: postgres:.* has no session of this id: askwire sessions --all --store/, 2),
    );
  });
});
