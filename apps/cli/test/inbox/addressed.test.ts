import { expect, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { asks, lobbyOf, programAt, serverOf } from "./many.js";

/** A server with a request for a role that Ann has, and one for Ben, and the inbox of Ann in a terminal. */
async function addressed(...args: readonly string[]) {
  const home = await folderWith();
  const served = { env: { ASKWIRE_HOME: home } };
  const [ann = ""] = await Promise.all(
    ["Ann", "Ben"].map(async (name) =>
      (await askwire(["tokens", "add", name, "--role", "answer"], served)).stdout.trim(),
    ),
  );
  await askwire(["admin", "grant", "Ann", "--role", "payments"], served);
  const { address } = await serverOf(home);
  const program = await programAt(address, "builder");
  await program.ask({ ...asks("Pay it?"), key: "pay", wait: false, to: { roles: ["payments"] } });
  await program.ask({ ...asks("Tell Ben?"), key: "tell", wait: false, to: { principals: ["Ben"] } });
  const annsHome = await folderWith({ token: ann });
  const lobby = lobbyOf(address).replace(/#.*/, "");
  return openAskwire(["inbox", "--connect", lobby, "--token-file", `${annsHome}/token`, ...args], {
    env: { ASKWIRE_HOME: annsHome },
    columns: 100,
  });
}

test("askwire inbox does not say for whom a request is, or opens one that the person may not answer", async () => {
  const terminal = await addressed();
  await terminal.waitForRows(/Pay it\?.*for payments[\s\S]*Tell Ben\?.*only for Ben/);
  terminal.type("\u001b[B");
  terminal.type("\r");
  await terminal.waitForRows(/only Ben may answer this: it is not for you/);
});

test("askwire inbox --to-me shows what is for others, or hides what is for a role of the person", async () => {
  const terminal = await addressed("--to-me");
  await terminal.waitForRows(/Waiting for you \(1\)[\s\S]*Pay it\?/);
  expect(terminal.rows().join("\n")).not.toContain("Tell Ben?");
});
