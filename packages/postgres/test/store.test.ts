import { LocalError } from "@askwire/protocol";
import { expect, test } from "vitest";
import { freshSchema, commitOf, linesOf, storeAt, administrator } from "./at-work.js";

const closed = { name: "LocalError", code: "CLOSED" };

test("what was committed is there for the next process: lines, conversation, what is open, and the first title", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const first = await store.take("s1", "/work");
  expect([first.generation, first.count, first.history]).toEqual([1, 0, []]);
  const open = { turn_id: "t", open: [] };
  const history = { replaces: false, lines: ["m0", "m1"] };
  await first.commit(commitOf(1, ["a", "b"], { title: "First", open, history }));
  await first.commit(commitOf(2, ["c"], { title: "Second", history: { replaces: true, lines: ["m2"] } }));
  await store.close();

  const next = await storeAt({ schema });
  const found = { id: "s1", workDir: "/work", title: "First", state: "closed", turnId: "t", open: [] };
  expect(await next.find("s1")).toMatchObject(found);
  const session = await next.take("s1");
  expect([session.generation, session.count, session.history]).toEqual([2, 3, ["m2"]]);
  expect(await linesOf(session)).toEqual(["a", "b", "c"]);
  expect(await linesOf(session, 1, 2)).toEqual(["b"]);
  expect(await next.find("s1")).toMatchObject({ ...found, state: "in_use" });
  await session.commit(commitOf(1, [], { open: null }));
  expect(await next.list({ limit: 5, unfinished: true })).toEqual([]);
});
