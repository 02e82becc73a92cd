import { basename } from "node:path";
import type { Disk, DiskFile } from "@askwire/server";
import { failure } from "./memory-disk.js";
import type { Process } from "./process.js";

/** A failure of the calls of a disk, by their numbers among the writes and syncs, from 1. */
export interface DiskFault {
  readonly n: number;
  /** The calls that fail. Default: one. */
  readonly times?: number;
  /** The code of the error. */
  readonly code: "ENOSPC" | "EIO" | "EROFS";
  /** The bytes of a write that are written before it fails, or the part of them below 1. Default: none. */
  readonly written?: number;
}

/** The disk of a process: each call that changes it is an act, and fails where it is to. */
export function faultyDisk(disk: Disk, process: Process, fault?: DiskFault): Disk {
  let calls = 0;

  function isFaulty(): boolean {
    calls += 1;
    return fault !== undefined && calls >= fault.n && calls < fault.n + (fault.times ?? 1);
  }

  async function synced(name: string, sync: () => Promise<void>): Promise<void> {
    if (process.isAlive && isFaulty()) throw failure(fault?.code ?? "EIO", name);
    process.act(`${name} begins`, () => {}, undefined);
    await sync();
    process.act(`${name} ends`, () => {}, undefined);
    if (!process.isAlive) await never;
  }

  function file(opened: DiskFile, path: string): DiskFile {
    const name = basename(path);
    return {
      ...opened,
      write(bytes) {
        if (!process.isAlive || !isFaulty()) {
          return process.write(`write ${name}`, bytes, opened.write);
        }
        const { written = 0, code } = fault as DiskFault;
        const count = Math.floor(written < 1 ? written * bytes.length : written);
        const part = bytes.subarray(0, Math.min(count, bytes.length));
        process.act(`write a part of ${name}`, () => opened.write(part), 0);
        throw failure(code, path);
      },
      truncate: (length) => process.act(`truncate ${name}`, () => opened.truncate(length), undefined),
      sync: () => synced(`sync ${name}`, opened.sync),
    };
  }

  return {
    ...disk,
    open: (path, mode) =>
      mode === "read"
        ? disk.open(path, mode)
        : file(
            process.act(`open ${basename(path)}`, () => disk.open(path, mode), emptyFile),
            path,
          ),
    rename: (from, to) => process.act(`rename ${basename(from)}`, () => disk.rename(from, to), undefined),
    link: (path, name) => process.act(`link ${basename(name)}`, () => disk.link(path, name), undefined),
    unlink: (path) => process.act(`unlink ${basename(path)}`, () => disk.unlink(path), undefined),
    mkdir: (path) => process.act("mkdir", () => disk.mkdir(path), undefined),
    rmdir: (path) => process.act("rmdir", () => disk.rmdir(path), undefined),
    syncFolder: (path) => synced("sync of a folder", () => disk.syncFolder(path)),
  };
}

const never = new Promise<never>(() => {});

/** The file of a process that has ended. */
const emptyFile: DiskFile = {
  size: () => 0,
  write: (bytes) => bytes.length,
  readSync: () => 0,
  read: async () => 0,
  truncate() {},
  sync: () => never,
  close() {},
};
