import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { asks, lobbyOf, programAt, serverOf } from "./many.js";

/** A server with a request that waits, the inbox of Ann in a terminal, and a page of Ben, both by their tokens. */
async function setUp(args: readonly string[] = [], more: object = {}) {
  const home = await folderWith();
  const served = { env: { ASKWIRE_HOME: home } };
  const [ann = "", ben = ""] = await Promise.all(
    ["Ann", "Ben"].map(async (name) =>
      (await askwire(["tokens", "add", name, "--role", "answer"], served)).stdout.trim(),
    ),
  );
  const { address } = await serverOf(home);
  const program = await programAt(address, "builder");
  const { request_id } = await program.ask({ ...asks("Which colour?"), key: "k", wait: false, ...more });
  const lobby = lobbyOf(address).replace(/#.*/, "");
  const annsHome = await folderWith({ token: ann });
  const terminal = openAskwire(["inbox", "--connect", lobby, "--token-file", `${annsHome}/token`, ...args], {
    env: { ASKWIRE_HOME: annsHome },
    columns: 100,
  });
  const other = await connectWebSocket(lobby, { token: ben, lobby: true, client: { name: "page" } });
  onTestFinished(() => other.close());
  const reach = ["--connect", lobby, "--token-file", `${annsHome}/token`];
  /** Answers from the command line, as Ann. */
  const answer = (...how: string[]) =>
    askwire(["inbox", "answer", request_id ?? "", ...how, ...reach], { env: { ASKWIRE_HOME: annsHome } });
  const request = { request_id, session_id: program.id ?? "" };
  return { address, program, terminal, other, answer, request };
}

test("askwire inbox answer hangs over an exclusive request that another person has taken, or does not say who", async () => {
  const { terminal, other, answer, request } = await setUp([], { exclusive: true });
  await terminal.waitForRows("Which colour?");
  await other.claim(request);
  expect(await answer("--choose", "Red")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      "Ben has taken the request, and it is exclusive: wait until they give it back",
    ),
  });
  await other.unclaim(request);
  expect(await answer("--choose", "Red")).toMatchObject({ status: 0, stdout: "answered\n" });
});

test("t takes the request at the cursor, others read who has it, and g gives it back", async () => {
  const { terminal, other } = await setUp();
  await terminal.waitForRows(/Which colour\?[\s\S]*t take/);
  terminal.type("t");
  await terminal.waitForRows(/Which colour\? .* taken by you[\s\S]*g give back/);
  const held = async () => (await other.listRequests()).requests[0]?.answering;
  expect(await held()).toMatchObject([{ name: "askwire-inbox", principal: { name: "Ann" }, claim: {} }]);
  terminal.type("g");
  await terminal.waitForRows(/Which colour\?[\s\S]*t take/);
  await expect.poll(held).toBeUndefined();
});

test("a request that another person has taken is marked with their name, and can be answered", async () => {
  const { program, terminal, other, request } = await setUp();
  await terminal.waitForRows("Which colour?");
  await other.claim(request);
  await terminal.waitForRows(/Which colour\? .* taken by Ben/);
  terminal.type("t");
  terminal.type("\r");
  await terminal.waitForRows(/Ben is answering too[\s\S]*Esc back/);
  terminal.type("\r");
  await terminal.waitForRows("Nothing waits for you.");
  expect((await program.ask({ key: "k" })).outcome).toMatchObject({
    status: "answered",
    principal: { name: "Ann" },
  });
});

test("a request that is taken by somebody whom the server knows by the client alone is marked in words that do not say so", async () => {
  const { address, terminal, request } = await setUp();
  await terminal.waitForRows("Which colour?");
  // By the server's own token, whose person is the machine's user.
  const desk = await connectWebSocket(lobbyOf(address), { lobby: true, client: { name: "desk" } });
  onTestFinished(() => desk.close());
  await desk.claim(request);
  await terminal.waitForRows(/Which colour\? .* taken in desk/);
});

test("--plain takes a request by t and its number, gives it back by g, and tells who takes one", async () => {
  const { terminal, other, request } = await setUp(["--plain"]);
  await terminal.waitFor(/^1\. Question from builder, .*: Which colour\?/m);
  terminal.type("t 1\r");
  await terminal.waitFor("1 is taken by you.");
  terminal.type("g1\r");
  await terminal.waitFor("1 is free again.");
  await other.claim(request);
  await terminal.waitFor("1 is taken by Ben.");
  terminal.type("t 7\r");
  await terminal.waitFor("There is no 7: type the number of a line.");
});
