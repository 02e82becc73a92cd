import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../test-your-agent.test.mjs", import.meta.url));

test("the tests of docs/test-your-agent.md pass in the test runner of Node", async () => {
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", program], {
    // A runner that is started by another one reports to it instead.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const failed = stdout.split("\n").filter((line) => /^\s*not ok/.test(line));
  expect(failed).toEqual([]);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBe(6);
});
