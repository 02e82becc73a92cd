import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepIn, type Log, type Message, systemClock } from "../src/index.js";
import { type Disk, nodeDisk } from "../src/journal/disk.js";
import { openDiskHistory } from "../src/journal/disk-history.js";
import { KeptHistory } from "../src/journal/history.js";
import { diskWith } from "./failing-disk.js";
import { detailedLog, linesOf, temporaryFolder } from "./journal-folder.js";

const user = (content: string): Message => ({ role: "user", content });
const result = (tool_call_id: string, output: string): Message => ({
  role: "tool",
  tool_call_id,
  result: { is_error: false, output, message: "", display: [], extras: null },
});
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: [{ type: "text", text: "I look." }],
  tool_calls: ids.map((id) => ({
    type: "function",
    id,
    function: { name: "Look", arguments: "{}" },
    extras: null,
  })),
});

const historyIn = (folder: string, disk: Disk, log: Log) =>
  new KeptHistory({ opened: openDiskHistory({ folder, disk, syncs: true, log, clock: systemClock }), log });

function opened(folder: string) {
  const log = detailedLog();
  const history = historyIn(folder, nodeDisk, log);
  onTestFinished(() => history.close());
  return { history, told: log.told };
}

test("a conversation resumes unchanged in the next process (P-JRN-11)", async () => {
  const folder = temporaryFolder();
  const messages = [user("hi\u2028"), calls("tc-1", "tc-2"), result("tc-2", "b"), result("tc-1", "a")];
  const { history } = opened(folder);
  expect(history.load()).toEqual([]);
  history.append(messages.slice(0, 1));
  history.append(messages.slice(1));
  expect(history.load()).toEqual(messages);
  await history.close();
  expect(opened(folder).history.load()).toEqual(messages);
});

test("a shorter history takes the place of the longer, and what follows is added to it (P-JRN-11)", async () => {
  const folder = temporaryFolder();
  const { history } = opened(folder);
  history.append(Array.from({ length: 2_000 }, (_, n) => user(`message ${n} ${"x".repeat(100)}`)));
  history.replace([user("all in short")]);
  history.append([user("and more")]);
  expect(history.load()).toEqual([user("all in short"), user("and more")]);
  await history.close();
  expect(linesOf(folder, "context.jsonl")).toEqual([user("all in short"), user("and more")]);
  expect(readdirSync(folder)).toEqual(["context.jsonl"]);
});

test("a shorter history is synced before it takes the name, and until then the longer one is whole (P-JRN-11)", async () => {
  const folder = temporaryFolder();
  const story: string[] = [];
  let letGo = () => {};
  const disk = diskWith({
    async sync(file, sync) {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await sync();
      story.push(`sync ${file.split("/").at(-1)}`);
    },
    syncFolder: async () => void story.push("sync folder"),
  });
  const told = {
    ...disk,
    rename(from: string, to: string) {
      story.push(`rename ${from.split("/").at(-1)}`);
      disk.rename(from, to);
    },
  };
  const history = historyIn(folder, told, detailedLog());
  history.append([user("one"), user("two")]);
  history.replace([user("in short")]);
  history.append([user("three")]);
  history.flush();
  expect(linesOf(folder, "context.jsonl")).toEqual([user("one"), user("two"), user("three")]);
  letGo();
  await history.close();
  expect(linesOf(folder, "context.jsonl")).toEqual([user("in short"), user("three")]);
  expect(story).toEqual(["sync context.jsonl.next", "rename context.jsonl.next", "sync folder"]);
});

test.runIf(existsSync("/proc/self/fd"))(
  "a history that was replaced is not kept open (P-JRN-11)",
  async () => {
    const folder = temporaryFolder();
    const { history } = opened(folder);
    for (let n = 0; n < 20; n += 1) {
      history.append([user("long")]);
      history.replace([user("short")]);
    }
    await history.close();
    const open = () =>
      readdirSync("/proc/self/fd").map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          return "";
        }
      });
    // The wait of a close for a slow disk is bounded.
    await expect.poll(() => open().filter((path) => path.startsWith(folder))).toEqual([]);
  },
);

test("a torn line is skipped and named, and takes nothing with it (P-JRN-11, P-JRN-8)", async () => {
  const folder = temporaryFolder();
  const first = opened(folder).history;
  first.append([user("one")]);
  await first.close();
  appendFileSync(join(folder, "context.jsonl"), '{"role":"mayor"}\n\n{"role":"us');
  const { history, told } = opened(folder);
  expect(history.load()).toEqual([user("one")]);
  expect(told[0]?.details).toMatchObject({
    count: 2,
    lines: [{ line: 2 }, { line: 4, problem: "expected JSON" }],
  });
  history.append([user("two")]);
  await history.close();
  expect(opened(folder).history.load()).toEqual([user("one"), user("two")]);
});

test("a call whose result was lost has one that says so, so that a provider takes the conversation (P-JRN-11)", () => {
  const folder = temporaryFolder();
  const { history } = opened(folder);
  history.append([
    calls("tc-1", "same", "same"),
    result("same", "first"),
    result("unasked", "?"),
    user("go on"),
    result("late", "?"),
    calls("tc-2"),
  ]);
  const told = history.load().map((message) => {
    if (message.role !== "tool") return message.role;
    const { is_error, output, message: why } = message.result;
    return `${message.tool_call_id}: ${is_error ? why.split(" before ")[0] : output}`;
  });
  expect(told).toEqual([
    "assistant",
    "same: first",
    "tc-1: The process that ran this call ended",
    "same: The process that ran this call ended",
    "user",
    "assistant",
    "tc-2: The process that ran this call ended",
  ]);
});

test("a work directory's sessions are kept and given back together, journal and history (P-JRN-1, P-JRN-11)", async () => {
  const share = temporaryFolder();
  const keep = keepIn({ share, workDir: "/work", log: detailedLog(), clock: systemClock });
  const { journal, history } = keep("one");
  expect(() => keep("one")).toThrow("in use by process");
  expect(() => keep("../one")).toThrow("no name for a folder");
  journal.record({ type: "TurnEnd", payload: {} });
  history.append([user("hi")]);
  await journal.close();
  expect(readFileSync(journal.name, "utf8").split("\n").length).toBe(4);

  const again = keep("one");
  expect(again.history.load()).toEqual([user("hi")]);
  await again.journal.close();
  const unused = keep("two");
  await unused.journal.close();
  const [sessions] = readdirSync(join(share, "sessions"));
  expect(readdirSync(join(share, "sessions", sessions ?? ""))).toEqual(["one"]);
});
