import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ApprovalView } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { gatewayOf, newHome, untilThere } from "../../apps/cli/test/mcp/hosts.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

test.each([
  ["approves", "approve", "deploying\n"],
  ["rejects", { response: "reject", feedback: "not on a Friday" }, /not on a Friday/],
] as const)("a program asks at a gateway that it starts itself, and a person %s", async (_, reply, said) => {
  const home = await newHome();
  const env = {
    ...process.env,
    ASKWIRE_HOME: home,
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
  };
  const ran = promisify(execFile)(process.execPath, [join(root, "examples/ask-at-gateway.mjs")], {
    env,
    cwd: home,
  });
  const { address } = await untilThere(() => gatewayOf(home));
  const shown: (ApprovalView["program"] & object)[] = [];
  const person = await connectWebSocket(address, {
    handlers: {
      approval({ program }) {
        if (program !== undefined) shown.push(program);
        return reply;
      },
    },
  });
  onTestFinished(() => person.close());
  expect((await ran).stdout).toMatch(said);
  expect(shown).toMatchObject([{ name: "release script", origin: { folder: home } }]);
});
