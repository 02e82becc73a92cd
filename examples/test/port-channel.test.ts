import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { transportSuite } from "@askwire/protocol/testing";
import { expect, test } from "vitest";
import { portChannel } from "../port-channel.mjs";
import { runProgram } from "./run-program.js";

// #region run-suite
transportSuite(
  "a port between two threads",
  () => {
    const { port1, port2 } = new MessageChannel();
    return { left: portChannel(port1), right: portChannel(port2) };
  },
  test,
);
// #endregion run-suite

test("the example's agent in another thread is answered over its port, and both threads end", async () => {
  const program = fileURLToPath(new URL("../port-channel.mjs", import.meta.url));
  const { stdout, stderr, status } = await runProgram(process.execPath, [program]);
  expect({ stdout, stderr, status }).toEqual({
    stdout: '{"answers": {"Which colour?": "Red"}}\n',
    stderr: "",
    status: 0,
  });
});
