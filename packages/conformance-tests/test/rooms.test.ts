import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { imports, root, sources } from "./imports.js";

/** A row of ROOMS.md: a folder or loose files, and the rooms that these may import, each by its first name. */
interface Room {
  readonly names: readonly string[];
  readonly mayImport: readonly string[];
}

const folders = ["packages", "apps"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => `${group}/${name}/src`),
);
const tableOf = (folder: string) => `${folder}/ROOMS.md`;
const housed = folders.filter((folder) => existsSync(join(root, tableOf(folder))));

test("all packages with folders of sources have rooms, and CONTRIBUTING.md links to the rooms of each", () => {
  const hasFolders = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).some((entry) => entry.isDirectory());
  expect(housed).toEqual(folders.filter(hasFolders));
  const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const linked = [...contributing.matchAll(/\]\(([^)]+\/ROOMS\.md)\)/g)].map(([, target]) => target);
  expect(linked.sort()).toEqual(housed.map(tableOf).sort());
});

const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+?)\/?`/g)].map((match) => match[1] as string);

function roomsOf(folder: string): Room[] {
  const page = readFileSync(join(root, tableOf(folder)), "utf8");
  const [, rows = ""] = /^\| room \| holds \| may import \|\n\|[ -|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return rows
    .trim()
    .split("\n")
    .map((row) => row.split("|"))
    .map(([, names, , mayImport]) => ({ names: namesIn(names), mayImport: namesIn(mayImport) }));
}

const filesOf = (folder: string) => sources(folder).filter((file) => !file.endsWith(".d.ts"));

/** The files of a folder that one of them imports. */
const imported = (file: string, files: readonly string[]) =>
  imports(file)
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(file), name).replace(/\.js$/, ".ts"))
    .flatMap((target) => files.filter((one) => one === target || one === `${target}x`));

describe.each(housed)("%s", (folder) => {
  const files = filesOf(folder);
  const rooms = roomsOf(folder);
  const nameOf = (file: string) => file.slice(folder.length + 1).split("/", 1)[0] as string;
  const roomOf = (file: string) => rooms.find(({ names }) => names.includes(nameOf(file)))?.names[0] ?? "";

  test("the table of rooms names each folder and each loose file once, and nothing else", () => {
    expect(rooms.flatMap(({ names }) => names).sort()).toEqual([...new Set(files.map(nameOf))].sort());
  });

  test("files import between rooms only what the row allows, and all of that", () => {
    const found = new Map(rooms.map(({ names: [room = ""] }) => [room, new Set<string>()]));
    const allowed = new Map(rooms.map(({ names: [room = ""], mayImport }) => [room, mayImport]));
    for (const file of files) {
      for (const target of imported(file, files)) {
        if (roomOf(target) === roomOf(file)) continue;
        expect(allowed.get(roomOf(file)), `${file} imports ${target}`).toContain(roomOf(target));
        found.get(roomOf(file))?.add(roomOf(target));
      }
    }
    for (const [room, mayImport] of allowed) {
      expect([...(found.get(room) ?? [])].sort(), `rooms that ${room} imports`).toEqual(
        [...mayImport].sort(),
      );
    }
  });

  test("files import only from rooms further down in the table, so that no rooms import each other in a circle", () => {
    const order = rooms.map(({ names }) => names[0]);
    for (const { names, mayImport } of rooms) {
      for (const below of mayImport) {
        expect(order.indexOf(below), `${names[0]} imports ${below}`).toBeGreaterThan(order.indexOf(names[0]));
      }
    }
  });
});

test.each(folders)("no files of %s import each other in a circle", (folder) => {
  const files = filesOf(folder);
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    expect(way, `${file} imports itself by way of others`).not.toContain(file);
    if (done.has(file)) return;
    for (const target of imported(file, files)) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
});
