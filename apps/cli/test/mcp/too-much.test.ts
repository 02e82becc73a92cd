import { expect, test } from "vitest";
import { startAskwire } from "../askwire.js";
import { newHome } from "./hosts.js";
import { toolsInProcess } from "./way.js";

test("a message that is too long is told to the host and in the log before it has come to its end", async () => {
  const { child, ended } = startAskwire(["mcp"], {
    env: { ...process.env, ASKWIRE_HOME: await newHome() },
  });
  child.stdin.on("error", () => {});
  // The line has no end, and standard input stays open.
  child.stdin.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"${"x".repeat(11 * 2 ** 20)}`,
  );
  const { stdout, stderr, status } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({
    id: null,
    error: { code: -32700, message: expect.stringContaining("more than 10 MiB") },
  });
  expect(stderr).toContain("more than 10 MiB: expected shorter questions");
  expect(status).toBe(1);
});

test("the status of many questions lists the newest, and says how many older ones it leaves out", async () => {
  const tools = await toolsInProcess(60, { open: 70 });
  const { content, structuredContent } = await tools.call("ask_user_status", {});
  const { open, not_listed } = structuredContent as { open: { questions: string[] }[]; not_listed: number };
  expect(open).toHaveLength(64);
  expect(open[0]?.questions).toEqual(["Question 6?"]);
  expect(not_listed).toBe(6);
  expect(content[0]?.text).toContain("6 more of your questions, which are older, are open and not listed.");
});
