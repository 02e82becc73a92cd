import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, callTools, makePipe, useFolders } from "./session.js";

const folders = useFolders();
const read = (path: string, more: object = {}) => callTool(folders.work, "ReadFile", { path, ...more });
const numbered = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${String(from + index).padStart(6)}\tline ${from + index}\n`,
  ).join("");

describe("ReadFile", () => {
  test("ReadFile returns numbered lines, asks nobody, and says where the file ends", async () => {
    await writeFile(join(folders.work, "a.txt"), "one\r\n\nzwölf 🦆");
    const { output, message, is_error, approvals } = await read("a.txt");
    expect({ output, message, is_error }).toEqual({
      output: "     1\tone\r\n     2\t\n     3\tzwölf 🦆",
      message: "Lines 1 to 3. The file ends with line 3.",
      is_error: false,
    });
    expect(approvals).toEqual([]);
  });

  test("ReadFile reads a long file in parts, each of which says where the next begins", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}\n`);
    await writeFile(join(folders.work, "long.txt"), lines.join(""));
    const path = "long.txt";
    const { results } = await callTools(folders.work, [
      ["ReadFile", { path }],
      ["ReadFile", { path, line_offset: 1_001, n_lines: 2 }],
      ["ReadFile", { path, line_offset: 2_500 }],
      ["ReadFile", { path, line_offset: 2_501 }],
    ]);
    expect(results.map(({ output, message }) => [output, message])).toEqual([
      [numbered(1, 1_000), "Lines 1 to 1000. The file goes on: read it with line_offset 1001."],
      [numbered(1_001, 2), "Lines 1001 to 1002. The file goes on: read it with line_offset 1003."],
      [numbered(2_500, 1), "Lines 2500 to 2500. The file ends with line 2500."],
      ["", "No lines. The file ends with line 2500."],
    ]);
  });

  test("ReadFile counts a negative first line from the end of the file", async () => {
    await writeFile(
      join(folders.work, "log"),
      `${Array.from({ length: 70_000 }, (_, index) => `line ${index + 1}\n`).join("")}last`,
    );
    const path = "log";
    const { results } = await callTools(folders.work, [
      ["ReadFile", { path, line_offset: -1 }],
      ["ReadFile", { path, line_offset: -3, n_lines: 2 }],
      ["ReadFile", { path: "short", line_offset: -1_000 }],
      ["ReadFile", { path, line_offset: 0 }],
      ["ReadFile", { path, line_offset: -1_001 }],
    ]);
    expect(results.slice(0, 2).map(({ output, message }) => [output, message])).toEqual([
      [" 70001\tlast", "Lines 70001 to 70001. The file ends with line 70001."],
      [
        " 69999\tline 69999\n 70000\tline 70000\n",
        "Lines 69999 to 70000. The file goes on: read it with line_offset 70001.",
      ],
    ]);
    expect(results[2]?.message).toBe("short: there is no such file.");
    expect(results[3]?.message).toContain("line_offset: expected a line from 1, or from -1 at the end");
    expect(results[4]?.is_error).toBe(true);
  });

  test("ReadFile cuts long lines, never inside a character, and names them", async () => {
    const duck = "🦆";
    await writeFile(join(folders.work, "wide"), `${duck.repeat(9_000)}\nshort\nx${duck.repeat(2_000)}\n`);
    const { output, message } = await read("wide");
    const [first, second, third] = String(output).split("\n");
    expect(first).toBe(`     1\t${duck.repeat(1_000)}`);
    expect(second).toBe("     2\tshort");
    expect(third).toBe(`     3\tx${duck.repeat(999)}`);
    expect(message).toContain("Cut after 2000 characters: lines 1, 3.");
  });

  test("ReadFile stops before an answer grows too long, and says where to continue", async () => {
    await writeFile(join(folders.work, "wide"), `${"x".repeat(1_999)}\n`.repeat(100));
    const { output, message } = await read("wide");
    expect(output.length).toBeLessThan(101_000);
    expect(message).toMatch(/^Lines 1 to 50\. Stopped at 100000 characters.*line_offset 51\.$/);
  });

  test("ReadFile reports an empty or a missing file", async () => {
    await writeFile(join(folders.work, "empty"), "");
    expect(await read("empty")).toMatchObject({ output: "", message: "No lines. The file is empty." });
    expect(await read("missing")).toMatchObject({
      is_error: true,
      message: "missing: there is no such file.",
    });
  });

  test("ReadFile takes an absolute path inside the work directory, by either of its names", async () => {
    await mkdir(join(folders.work, "src"));
    await writeFile(join(folders.work, "src", "a"), "inside");
    await symlink(folders.work, join(folders.base, "alias"));
    const alias = join(folders.base, "alias");
    for (const path of [join(folders.work, "src/a"), join(alias, "src/a")]) {
      expect((await callTool(alias, "ReadFile", { path })).output).toBe("     1\tinside");
    }
  });

  test.each([
    ["../other/secret", 'without ".."'],
    ["src/../../other/secret", 'without ".."'],
    ["/etc/passwd", "found the absolute path /etc/passwd"],
    ["away/secret", "leads outside the work folder"],
    ["link", "leads outside the work folder"],
    ["nowhere", "a link on the way leads nowhere"],
    ["", "expected a path inside the work folder"],
    ["src", "expected a regular file"],
    ["pipe", "expected a regular file"],
    ["socket", "expected a regular file"],
    ["picture", "this is no text in UTF-8"],
    ["latin", "this is no text in UTF-8"],
  ])("ReadFile refuses %j and says why", async (path, problem) => {
    await mkdir(join(folders.work, "src"));
    await writeFile(join(folders.other, "secret"), "secret");
    await symlink(folders.other, join(folders.work, "away"));
    await symlink("../other/secret", join(folders.work, "link"));
    await symlink("missing", join(folders.work, "nowhere"));
    await writeFile(join(folders.work, "picture"), Buffer.from([0x89, 0x50, 0x00, 0x0a]));
    await writeFile(join(folders.work, "latin"), Buffer.from("caf\xe9\n", "latin1"));
    makePipe(join(folders.work, "pipe"));
    const socket = createServer().listen(join(folders.work, "socket"));
    const { is_error, output, message } = await read(path);
    socket.close();
    expect({ is_error, output }).toEqual({ is_error: true, output: "" });
    expect(message).toContain(problem);
    expect(message).not.toContain("secret\n");
  });

  test("ReadFile reads in plan mode too", async () => {
    await writeFile(join(folders.work, "a"), "x");
    const result = await callTool(folders.work, "ReadFile", { path: "a" }, { planMode: true });
    expect(result).toMatchObject({ is_error: false });
  });
});
