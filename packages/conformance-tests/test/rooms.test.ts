import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { imports, root, sources } from "./imports.js";

/** The rooms of a folder of sources. Each name, of a folder or a loose file, has its allowed imports. */
interface House {
  readonly folder: string;
  readonly rooms: ReadonlyMap<string, readonly string[]>;
}

const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const named = (cell: string) => [...cell.matchAll(/`([^`]+?)\/?`/g)].map((match) => match[1] as string);

/** Reads the tables of rooms, which begin with "room of `folder`". */
const houses: readonly House[] = [
  ...contributing.matchAll(/^\| room of `([^`]+)` \|.*\n\|[ -|]+\n((?:\|.*\n)+)/gm),
].map(([, folder = "", rows = ""]) => {
  const rooms = rows
    .trim()
    .split("\n")
    .map((row) => row.split("|"));
  return {
    folder,
    rooms: new Map(rooms.map(([, room = "", , mayImport = ""]) => [named(room)[0] ?? "", named(mayImport)])),
  };
});

test("CONTRIBUTING.md has the rooms of server, client, components and command", () => {
  expect(houses.map(({ folder }) => folder)).toEqual(
    expect.arrayContaining([
      "packages/server/src",
      "packages/client/src",
      "packages/react/src",
      "apps/cli/src",
    ]),
  );
});

describe.each(houses)("$folder", ({ folder, rooms }) => {
  const files = sources(folder).filter((file) => !file.endsWith(".d.ts"));
  const roomOf = (file: string) => file.slice(folder.length + 1).split("/", 1)[0] as string;
  const imported = (file: string) =>
    imports(file)
      .filter((name) => name.startsWith("."))
      .map((name) => join(dirname(file), name).replace(/\.js$/, ".ts"))
      .flatMap((target) => files.filter((one) => one === target || one === `${target}x`));

  test("the table of rooms has a row for each folder and each loose file, and no other", () => {
    expect([...rooms.keys()].sort()).toEqual([...new Set(files.map(roomOf))].sort());
  });

  test("files import between rooms only what the row allows, and all of that", () => {
    const found = new Map([...rooms.keys()].map((room) => [room, new Set<string>()]));
    for (const file of files) {
      for (const target of imported(file)) {
        if (roomOf(target) === roomOf(file)) continue;
        expect(rooms.get(roomOf(file)), `${file} imports ${target}`).toContain(roomOf(target));
        found.get(roomOf(file))?.add(roomOf(target));
      }
    }
    for (const [room, mayImport] of rooms) {
      expect([...(found.get(room) ?? [])].sort(), `rooms that ${room} imports`).toEqual(
        [...mayImport].sort(),
      );
    }
  });

  test("files import only from rooms further down in the table, so that no rooms import each other in a circle", () => {
    const order = [...rooms.keys()];
    for (const [room, mayImport] of rooms) {
      for (const below of mayImport) {
        expect(order.indexOf(below), `${room} imports ${below}`).toBeGreaterThan(order.indexOf(room));
      }
    }
  });

  test("a room has no files that import each other in a circle", () => {
    const done = new Set<string>();
    const walk = (file: string, way: readonly string[]): void => {
      expect(way, `${file} imports itself by way of others`).not.toContain(file);
      if (done.has(file)) return;
      for (const target of imported(file)) walk(target, [...way, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
  });
});
