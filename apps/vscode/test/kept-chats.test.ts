import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chatsFile, type KeptChats, keptChats } from "../src/chats/kept-chats.js";

let place: string;
beforeEach(async () => {
  place = chatsFile(await mkdtemp(join(tmpdir(), "askwire-kept-")), "/shop");
});
afterEach(() => rm(join(place, "../.."), { recursive: true, force: true }));

/** A window on the folder, which has read what is kept. */
async function window(): Promise<KeptChats> {
  const kept = keptChats(place, (problem) => expect.unreachable(problem));
  await kept.load();
  return kept;
}

test("a window resumes its sessions, the one that was shown last first", async () => {
  const before = await window();
  before.keep("a", { at: 1, drafts: "{}" });
  before.keep("b", { at: 2, isOpen: true, gateway: "s1" });
  before.keep("a", { at: 3 });
  await before.written();
  const after = keptChats(place, () => {});
  expect(await after.load()).toEqual(["a", "b"]);
  expect(after.of("a")).toEqual({ at: 3, drafts: "{}", isOpen: false });
  expect(after.of("b")).toEqual({ at: 2, drafts: "", isOpen: true, gateway: "s1" });
});

test("two windows on a folder write at the same time, and neither loses a session", async () => {
  const [one, other] = [await window(), await window()];
  for (let at = 0; at < 5; at++) {
    one.keep("a", { at });
    other.keep("b", { at, drafts: "other" });
  }
  await Promise.all([one.written(), other.written()]);
  const after = await window();
  expect([after.of("a").at, after.of("b")]).toEqual([4, { at: 4, drafts: "other", isOpen: false }]);
});

test("a session that a person closed is forgotten, and other folders do not know it", async () => {
  const before = await window();
  before.keep("a", { at: 1 });
  before.keep("b", { at: 2 });
  before.forget("b");
  await before.written();
  expect(await keptChats(place, () => {}).load()).toEqual(["a"]);
  expect(await keptChats(chatsFile(join(place, "../.."), "/other"), () => {}).load()).toEqual([]);
});

test("a session that was closed with a conversation is listed with its title, and no window resumes it", async () => {
  const before = await window();
  before.keep("a", { at: 1, title: "Set it up", isClosed: true });
  before.keep("b", { at: 2 });
  await before.written();
  const after = keptChats(place, () => {});
  expect(await after.load()).toEqual(["b"]);
  expect(after.all()).toEqual(["b", "a"]);
  expect(after.of("a")).toEqual({ at: 1, drafts: "", isOpen: false, title: "Set it up", isClosed: true });
});

test("a session that another window has open is remembered beside a hundred others, for a month", async () => {
  const before = await window();
  const now = Date.now();
  for (let at = 0; at < 130; at++) before.keep(`s${at}`, { at: now + at });
  before.keep("open", { at: now - 1, isOpen: true });
  before.keep("killed", { at: now - 31 * 24 * 60 * 60 * 1000, isOpen: true });
  await before.written();
  const after = await window();
  await after.written();
  expect((await readdir(place)).filter((name) => /^[ok]/.test(name))).toEqual(["open.json"]);
  expect(await readdir(place)).toHaveLength(101);
});

test("a file whose writing was cut off is gone after a minute", async () => {
  await mkdir(place, { recursive: true });
  for (const name of ["old", "new"]) await writeFile(join(place, `${name}.json.new`), "{");
  await utimes(join(place, "old.json.new"), new Date(0), new Date(0));
  await window();
  expect(await readdir(place)).toEqual(["new.json.new"]);
});

test("at most a hundred sessions are remembered", async () => {
  const before = await window();
  for (let at = 0; at < 130; at++) before.keep(`s${at}`, { at });
  await before.written();
  const after = keptChats(place, () => {});
  expect((await after.load())[0]).toBe("s129");
  await after.written();
  expect(await readdir(place)).toHaveLength(100);
});

test.each(["", "text", "[]", "{}", '{"at":"1","drafts":""}', '{"at":1}'])(
  "a kept file of another shape (%o) counts as no session",
  async (text) => {
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "a.json"), text);
    expect(await keptChats(place, () => {}).load()).toEqual([]);
  },
);

test("a place that cannot be written is reported, and the sessions continue", async () => {
  await mkdir(join(place, ".."), { recursive: true });
  await writeFile(place, "a file");
  const problems: string[] = [];
  const kept = keptChats(place, (problem) => problems.push(problem));
  expect(await kept.load()).toEqual([]);
  kept.keep("a", { at: 1 });
  await kept.written();
  expect(problems).toHaveLength(1);
  expect(kept.of("a").at).toBe(1);
});
