import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNamedScript } from "../../src/installed/own-node.js";
import { startWords } from "../../src/installed/own-start.js";
import { shippedFiles } from "../../src/installed/shipped-files.js";
import { folderWith } from "../askwire.js";

describe("the words that start the command again", () => {
  test("a command that Node runs is started again by Node and its own file, not by a link to that", async () => {
    const folder = await folderWith({ "askwire.js": "" });
    await symlink(join(folder, "askwire.js"), join(folder, "askwire"));
    const process = { execPath: "/usr/bin/node", argv: ["/usr/bin/node", join(folder, "askwire"), "open"] };
    expect(startWords(process, false)).toEqual(["/usr/bin/node", join(folder, "askwire.js")]);
  });

  test("a single executable is started again by itself alone, since its second word is no file", () => {
    const process = { execPath: "/opt/askwire", argv: ["/opt/askwire", "askwire", "open"] };
    expect(startWords(process, true)).toEqual(["/opt/askwire"]);
  });
});

describe("the files that come with the command", () => {
  test("a command that Node runs has its files in a folder beside the bundle", () => {
    expect(shippedFiles("web", "/opt/dist")).toBe(join("/opt/dist", "web"));
  });

  test("a single executable carries the files of each folder by their path in it", () => {
    const assets: Readonly<Record<string, string>> = {
      "files.json": JSON.stringify(["web/index.html", "web/fonts/a.woff2", "templates/lua/client.lua"]),
      "web/index.html": "<!doctype html>",
      "web/fonts/a.woff2": "font",
      "templates/lua/client.lua": "print()",
    };
    function getAsset(key: string): ArrayBuffer;
    function getAsset(key: string, encoding: string): string;
    function getAsset(key: string, encoding?: string): string | ArrayBuffer {
      const text = assets[key];
      if (text === undefined) throw new Error(`no asset ${key}`);
      return encoding === undefined ? Uint8Array.from(Buffer.from(text)).buffer : text;
    }
    const files = shippedFiles("web", "/nowhere", { getAsset });
    const texts = [...(files as ReadonlyMap<string, Uint8Array>)].map(([path, content]) => [
      path,
      Buffer.from(content).toString(),
    ]);
    expect(texts).toEqual([
      ["index.html", "<!doctype html>"],
      ["fonts/a.woff2", "font"],
    ]);
  });
});

describe("a script that a single executable runs as Node does", () => {
  test("a script has the arguments that Node would give it", async () => {
    const folder = await folderWith({ "script.cjs": "globalThis.scriptArguments = [...process.argv];" });
    const file = join(folder, "script.cjs");
    const argv = ["/opt/askwire", "askwire", "run-script", file, "one"];
    expect(runNamedScript(argv)).toBe(true);
    expect(argv).toEqual(["/opt/askwire", file, "one"]);
    expect(globalThis).toHaveProperty("scriptArguments");
    Reflect.deleteProperty(globalThis, "scriptArguments");
  });

  test.each([[["askwire", "askwire", "info"]], [["askwire", "askwire", "run-script"]]])(
    "the words %j start a command, and no script",
    (argv) => {
      const before = [...argv];
      expect(runNamedScript(argv)).toBe(false);
      expect(argv).toEqual(before);
    },
  );
});
