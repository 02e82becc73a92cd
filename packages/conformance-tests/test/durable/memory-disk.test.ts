import { expect, test } from "vitest";
import { faultyDisk } from "./faulty-disk.js";
import { memoryDisk } from "./memory-disk.js";
import { everyCrash, startProcess } from "./process.js";

const bytes = Buffer.from("0123456789");
const half = (rest: Buffer) => rest.subarray(0, rest.length / 2);

test("a power cut leaves what was synced, and as much of the rest as it likes", async () => {
  const { disk, afterKill, afterPowerCut } = memoryDisk();
  const file = disk.open("/a", "append");
  await disk.syncFolder("/");
  file.write(bytes);
  const syncing = file.sync();
  file.write(bytes);
  const during = afterPowerCut({ names: "all", rest: () => Buffer.alloc(0) });
  await syncing;
  file.write(bytes);
  expect(during.text("/a")).toBe("");
  expect(afterKill().text("/a")).toBe("0123456789".repeat(3));
  const left = [half, () => Buffer.alloc(2)].map((rest) => afterPowerCut({ names: "all", rest }).text("/a"));
  expect(left).toEqual([`${"0123456789".repeat(2)}`, "0123456789\0\0"]);
});

test("a name is lost in a power cut unless its folder was synced, and so is its folder's", async () => {
  const { disk, safeText, afterPowerCut } = memoryDisk();
  disk.mkdir("/f");
  const file = disk.open("/f/a.next", "append");
  file.write(bytes);
  await file.sync();
  disk.rename("/f/a.next", "/f/a");
  const left = () => afterPowerCut({ names: "synced", rest: half }).paths;
  expect([left(), safeText("/f/a")]).toEqual([["/"], ""]);
  await disk.syncFolder("/f");
  expect([left(), safeText("/f/a")]).toEqual([["/"], ""]);
  await disk.syncFolder("/");
  expect([left(), safeText("/f/a")]).toEqual([["/", "/f", "/f/a"], "0123456789"]);
  disk.unlink("/f/a");
  expect(left()).toEqual(["/", "/f", "/f/a"]);
});

test("a process ends right before an act or right after it, and does nothing more", () => {
  const ends = everyCrash(3).map((crash) => {
    const memory = memoryDisk();
    const process = startProcess(crash);
    const file = faultyDisk(memory.disk, process).open("/a", "append");
    const counts = [file.write(bytes), file.write(bytes)];
    return [memory.text("/a").length, process.isAlive, counts];
  });
  const counts = [10, 10];
  expect(ends.map(([length]) => length)).toEqual([0, 0, 0, 10, 10, 20]);
  expect(new Set(ends.map(([, isAlive]) => isAlive))).toEqual(new Set([false]));
  expect(ends.map(([, , count]) => count)).toEqual(Array(6).fill(counts));
});

test("a write fails where it is to, after a part of it", () => {
  const memory = memoryDisk();
  const fault = { n: 2, code: "ENOSPC", written: 0.5 } as const;
  const file = faultyDisk(memory.disk, startProcess(), fault).open("/a", "append");
  file.write(bytes);
  expect(() => file.write(bytes)).toThrow("ENOSPC");
  file.write(bytes);
  expect(memory.text("/a")).toBe("012345678901234" + "0123456789");
});

test("a sync fails where it is to, and makes nothing safe", async () => {
  const memory = memoryDisk();
  const file = faultyDisk(memory.disk, startProcess(), { n: 2, code: "EIO" }).open("/a", "append");
  await memory.disk.syncFolder("/");
  file.write(bytes);
  await expect(file.sync()).rejects.toThrow("EIO");
  expect(memory.safeText("/a")).toBe("");
  await file.sync();
  expect(memory.safeText("/a")).toBe("0123456789");
});
