import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { claudeHandlers } from "../../../packages/adapters/src/claude.js";
import { people } from "../../../packages/adapters/test/people.js";
import { scriptedClaude } from "../../../packages/relays/test/acp/claude-provider.js";
import { folderWith } from "../../cli/test/askwire.js";
import { hostsFolder } from "./host-run.js";
import { claudeEnv, claudeResults } from "./real-hosts.js";

const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input }) as const;

test.skipIf(hostsFolder === undefined)(
  "the Claude Agent SDK takes what a person decides, refuses a change that does not fit, and its model reads both",
  async () => {
    const cwd = await folderWith();
    const file_path = join(cwd, "a.txt");
    let results: string[] = [];
    const provider = await scriptedClaude(
      [
        call("t0", "Write", { file_path, content: "one\n" }),
        call("t1", "Edit", { file_path, old_string: "one", new_string: "two" }),
        call("t2", "Bash", { command: "echo hi > c.txt", description: "Say hi" }),
        call("t3", "Bash", { command: "rm c.txt", description: "Remove it" }),
        { type: "text", text: "All done." },
      ],
      (conversation) => {
        results = claudeResults(conversation);
      },
    );
    const replies = [
      { option: "once" },
      { option: "once", edited: "one" },
      { option: "once", edited: "echo edited > c.txt" },
      { option: "reject", feedback: "keep it" },
    ];
    const { session } = await people({ approval: () => replies.shift() as never });
    const modules = join(hostsFolder ?? "", "node_modules");
    const sdk = await import(pathToFileURL(join(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")).href);
    const options = {
      ...claudeHandlers(session, { folder: cwd }),
      ...{ cwd, env: { ...process.env, ...claudeEnv(provider, cwd) }, permissionMode: "default" },
      ...{ pathToClaudeCodeExecutable: join(modules, ".bin/claude"), settingSources: [] },
    };
    const ends: unknown[] = [];
    for await (const { type, result } of sdk.query({ prompt: "go", options }))
      if (type === "result") ends.push(result);
    expect(ends).toEqual(["All done."]);
    expect(await readFile(file_path, "utf8")).toBe("one\n");
    expect(results[1]).toMatch(/No changes to make|Failed to apply edit/);
    expect(await readFile(join(cwd, "c.txt"), "utf8")).toBe("edited\n");
    expect(results[3]).toContain("do what they said: keep it");
  },
  300_000,
);
