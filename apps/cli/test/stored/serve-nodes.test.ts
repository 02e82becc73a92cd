import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { answeredAt, askedAt } from "./in-database.js";
import { LINK_SECRET, placeWithNodes } from "./nodes-in-database.js";

test("a question of one node is answered at another that was started with the same session, and counts at its own (P-NOD-1)", async () => {
  const place = await placeWithNodes();
  const first = await place.node();
  const id = await askedAt(first.address);
  const second = await place.node();
  expect(await answeredAt(second.address)).toEqual([id]);
  const owners = await place.rows(
    "select n.address from $schema.session s join $schema.node n on n.id = s.owner",
  );
  expect(owners).toEqual([{ address: new URL(first.address).origin }]);
  for (const { child, ended } of [second, first]) {
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
  }
});

test("a node that is told to stop gives its sessions to the next node at once: a question goes on there under its id (P-NOD-3)", async () => {
  const place = await placeWithNodes();
  const first = await place.node();
  const second = await place.node("--script", "say.json");
  const id = await askedAt(first.address);
  const codes: unknown[] = [];
  const person = await connectWebSocket(second.address, {
    handlers: { question: () => new Promise(() => {}) },
    onConnection: (change) => void (change.state === "lost" && codes.push(String(change.cause))),
    onProblem: () => {},
  });
  onTestFinished(() => person.close());
  first.child.kill("SIGTERM");
  await first.ended;
  await expect.poll(() => person.connection).toBe("connected");
  expect(await answeredAt(second.address)).toEqual([id]);
  expect(codes[0]).toContain("the server is stopping");
});

const store = ["--store", "postgres://ann@h/d"];
const address = ["--node-address", "ws://10.0.0.7:7001"];
const secret = ["--link-secret-file", "link.txt"];

test.each([
  [[...store, ...address], "--node-address: add --link-secret-file FILE"],
  [[...store, ...secret], "--link-secret-file: add --node-address ws://HOST:PORT"],
  [[...address, ...secret], "--node-address needs a database: add --store postgres://"],
  [
    [...store, "--node-address", "10.0.0.7:7001", ...secret],
    "expected an address such as ws://10.0.0.7:7001",
  ],
  [[...store, "--node-address", "ws://h:1/wire", ...secret], "without a path"],
  [[...store, ...address, "--link-secret-file", "weak.txt"], "expected at least 22 characters of base64url"],
  [[...store, ...address, "--link-secret-file", "open.txt"], "open.txt: others may read or change it"],
])("askwire serve says in one line what is missing of a node, for %j", async (args, words) => {
  const cwd = await folderWith({ "link.txt": LINK_SECRET, "weak.txt": "short", "open.txt": LINK_SECRET });
  for (const name of ["link.txt", "weak.txt"]) await chmod(join(cwd, name), 0o600);
  await chmod(join(cwd, "open.txt"), 0o644);
  const env = { ASKWIRE_HOME: await folderWith() };
  const { status, stdout, stderr } = await askwire(["serve", "--listen", "127.0.0.1:0", ...args], {
    cwd,
    env,
  });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^askwire: [^\n]*\n$/);
  expect(stderr).toContain(words);
});

test("askwire serve --stdio refuses the options of a node, which need an address", async () => {
  const { status, stderr } = await askwire(["serve", "--stdio", ...store, ...address, ...secret]);
  expect([status, stderr]).toEqual([2, expect.stringContaining("--node-address needs --listen HOST:PORT")]);
});
