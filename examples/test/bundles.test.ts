import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runProgram, temporaryFolder } from "./run-program.js";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Runs a program of this folder with Node and resolves with its output. */
async function node(...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await runProgram(process.execPath, args);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

describe.each(["cjs", "mjs"])("a single .%s file of esbuild's, in a folder without packages", (ending) => {
  /** Bundles programs of ./bundled as docs/guide.md says, and resolves with their files. */
  async function bundled(...names: string[]): Promise<string[]> {
    const folder = await temporaryFolder();
    const files = names.map((name) => join(folder, `${name}.${ending}`));
    for (const [at, name] of names.entries())
      expect(await node(here("../bundle.mjs"), here(`bundled/${name}.mjs`), files[at] as string)).toBe("");
    return files;
  }

  test("a bundled file can hold @askwire/protocol", async () => {
    const [protocol = ""] = await bundled("protocol");
    expect(JSON.parse(await node(protocol))).toEqual({ code: -32000, message: "no turn runs" });
  });

  test("a bundled file can hold @askwire/server and @askwire/client, over standard streams and WebSocket", async () => {
    const [server = "", client = ""] = await bundled("server", "client");
    expect((await node(client, process.execPath, server)).split("\n")).toEqual([
      "function,function,function,function",
      '{"answers": {"Name?": "One"}}',
      "Nothing was written.",
      "Question: Which?",
      "Answer: A:",
      "Done.",
      "",
    ]);
  });

  test("a bundled file can hold @askwire/conformance-tests", async () => {
    const [server = "", conformance = ""] = await bundled("server", "conformance");
    const { results } = JSON.parse(await node(conformance, process.execPath, server));
    expect(results).toMatchObject([{ id: "S01", status: "passed" }]);
  });
});
