import type { DisplayBlock } from "@askwire/protocol";
import { expect, test } from "vitest";
import { HEARS_LINES } from "../../../../packages/protocol/test/line-program.js";
import { askwire, withoutSlowStart } from "../askwire.js";

/** The lines of `askwire chat` for an approval with these blocks, before its prompt. */
async function shown(description: string, ...display: Partial<DisplayBlock>[]): Promise<string[]> {
  const payload = {
    id: "a",
    tool_call_id: "tc",
    sender: "Shell",
    action: "run command",
    description,
    display,
  };
  const program = `${HEARS_LINES}
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    let prompt;
    hearLines((line) => {
      const { id, method } = JSON.parse(line);
      const server = { name: "x", version: "1" };
      if (method === "initialize")
        return send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
      if (method === undefined) return send({ id: prompt, result: { status: "finished" } });
      prompt = id;
      const params = { type: "ApprovalRequest", payload: JSON.parse(process.argv[1]) };
      send({ method: "request", id: "a", params });
    });`;
  const args = ["chat", "--prompt", "go", "--", process.execPath, "-e", program, JSON.stringify(payload)];
  const { stdout, stderr } = await askwire(args, { input: "y\n" });
  expect(withoutSlowStart(stderr)).toBe("");
  const [before = ""] = stdout.split(/^! /m);
  return before.split("\n").slice(0, -1);
}

const shell = (command: string) => ({ type: "shell", language: "bash", command });
const diff = (path: string) => ({ type: "diff", path, old_text: "1\n", new_text: "2\n", old_start: 9 });

test("a command that the description quotes in full is not shown twice, and a command of several lines is shown unchanged", async () => {
  expect(await shown("Run `make`", shell("make"))).toEqual([]);
  expect(await shown("Run `make\nmake test`", shell("make\nmake test"))).toEqual(["  $ make", "  make test"]);
  expect(await shown("Build it", shell("make"))).toEqual(["  $ make"]);
});

test("a difference shows the path of its file, unless it is a single one that the description names", async () => {
  expect(await shown("Change it", diff("src/a.txt"))).toEqual([
    "  src/a.txt",
    "  @@ -9,1 +1,1 @@",
    "  -1",
    "  +2",
  ]);
  expect(await shown("Change a.txt", diff("a.txt"))).toEqual(["  @@ -9,1 +1,1 @@", "  -1", "  +2"]);
  expect(await shown("Change both", diff("a.txt"), diff("a.txt"), diff("b.txt"))).toEqual([
    "  a.txt",
    ...["  @@ -9,1 +1,1 @@", "  -1", "  +2", "  @@ -9,1 +1,1 @@", "  -1", "  +2"],
    ...["  b.txt", "  @@ -9,1 +1,1 @@", "  -1", "  +2"],
  ]);
});
