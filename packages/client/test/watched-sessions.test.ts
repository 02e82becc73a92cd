import { describe, expect, test } from "vitest";
import { type ExtendedLine, extendedServer } from "./extended-server.js";
import { rawServer } from "./raw-server.js";

const named = (id: string, title: string) => ({ id, state: "idle", connections: 0, title });
const change = (line: ExtendedLine, sessions: object[], closed: string[] = []) =>
  line.send({ method: "sessions_changed", params: { sessions, closed } });

/** A client whose server has listed the session `s-1`. */
async function watched() {
  const set = await extendedServer();
  const lists = set.session.watchSessions();
  const first = lists.next();
  const asked = await set.line.next();
  expect(asked).toMatchObject({ method: "watch_sessions" });
  set.line.reply(asked.id, { sessions: [named("s-1", "one")] });
  expect((await first).value).toEqual([named("s-1", "one")]);
  return { ...set, lists };
}

describe("watched sessions (P-XSE-5)", () => {
  test("the sessions of a server are watched as a loop over whole lists, of which a slow reader gets the newest", async () => {
    const { line, lists, session } = await watched();
    const next = lists.next();
    change(line, [named("s-2", "two")]);
    expect((await next).value).toEqual([named("s-1", "one"), named("s-2", "two")]);
    change(line, [named("s-2", "second")]);
    change(line, [], ["s-1", "nobody"]);
    await line.settled();
    expect((await lists.next()).value).toEqual([named("s-2", "second")]);
    await session.close();
    expect((await lists.next()).done).toBe(true);
  });

  test("changes that come with the first list of sessions are not lost", async () => {
    const { session, line } = await extendedServer();
    const lists = session.watchSessions();
    let seen = lists.next();
    line.reply((await line.next()).id, { sessions: [named("s-1", "one")] });
    change(line, [named("s-1", "first")]);
    while ((await seen).value?.[0]?.title !== "first") seen = lists.next();
    expect((await seen).value).toEqual([named("s-1", "first")]);
  });

  test("the sessions of a server are watched until the last loop is left, which the server is told once", async () => {
    const { line, lists, session } = await watched();
    const other = session.watchSessions();
    expect((await other.next()).value).toEqual([named("s-1", "one")]);
    await lists.return?.();
    await line.settled();
    const waiting = other.next();
    await other.return?.();
    expect((await waiting).done).toBe(true);
    const unwatch = await line.next();
    expect(unwatch.method).toBe("unwatch_sessions");
    const again = session.watchSessions().next();
    await line.settled();
    change(line, [named("s-9", "too late")]);
    line.reply(unwatch.id);
    const watch = await line.next();
    expect(watch.method).toBe("watch_sessions");
    line.reply(watch.id, { sessions: [] });
    expect((await again).value).toEqual([]);
  });

  test("the sessions of a server are watched over a lost connection, after which the list is asked for anew", async () => {
    const { line, lists, back } = await watched();
    const next = lists.next();
    await line.cut();
    const { line: second } = await back();
    const watch = await second.next();
    expect(watch.method).toBe("watch_sessions");
    second.reply(watch.id, { sessions: [named("s-3", "three")] });
    expect((await next).value).toEqual([named("s-3", "three")]);
  });

  test("a server that has no method to watch its sessions ends the loop with its error, and a later loop asks again", async () => {
    const { session, line } = await extendedServer();
    const refused = session.watchSessions().next();
    line.fail((await line.next()).id, -32601);
    await expect(refused).rejects.toMatchObject({ code: -32601 });
    const again = session.watchSessions().next();
    line.reply((await line.next()).id, { sessions: [] });
    expect((await again).value).toEqual([]);
  });

  test("a connection that ends for good ends the loops with its cause, also those that begin later", async () => {
    const { session, line, lists } = await watched();
    const next = lists.next();
    line.end();
    expect((await next).done).toBe(true);
    await session.closed;
    expect((await session.watchSessions().next()).done).toBe(true);
  });

  test("watching sessions fails at once in the base profile", async () => {
    const { session } = await rawServer();
    expect(() => session.watchSessions()).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
  });
});
