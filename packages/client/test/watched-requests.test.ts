import { expect, test } from "vitest";
import { type ExtendedLine, extendedServer } from "./extended-server.js";
import { rawServer } from "./raw-server.js";

const waiting = (request_id: string, text: string) => ({
  request_id,
  kind: "question",
  text,
  since: "2026-11-28T10:00:00.000Z",
  state: "open",
  session_id: "s-1",
});
const change = (line: ExtendedLine, requests: object[], gone: string[] = []) =>
  line.send({ method: "requests_changed", params: { requests, gone } });

test("what waits in all sessions of a server is listed by pages", async () => {
  const { session, line } = await extendedServer();
  const listed = session.listRequests({ kinds: ["question"], limit: 1 });
  const { id, params } = await line.next();
  expect(params).toEqual({ kinds: ["question"], limit: 1 });
  line.reply(id, { requests: [waiting("r-1", "Deploy?")], next: "here" });
  const { requests, next } = await listed;
  expect([requests[0]?.text, next]).toEqual(["Deploy?", "here"]);
  const rest = session.listRequests(next === undefined ? {} : { after: next });
  const second = await line.next();
  expect(second.params).toEqual({ after: "here" });
  line.reply(second.id, { requests: [{ ...waiting("r-2", "Paint?"), kind: "poll", state: "later" }] });
  expect(await rest).toMatchObject({ requests: [{ kind: "poll", state: "later" }] });
});

test.each([
  [{ limit: 0 }, /limit/],
  [{ state: "settled" }, /state/],
  [{ kind: ["question"] }, /kind.*did you mean "kinds"/],
])("a list of what waits is not asked for with %j", async (wanted, why) => {
  const { session } = await extendedServer();
  await expect(session.listRequests(wanted as never)).rejects.toThrow(why);
});

test("what waits is watched as a loop over whole lists", async () => {
  const { session, line } = await extendedServer();
  const lists = session.watchRequests();
  const first = lists.next();
  const watch = await line.next();
  expect(watch.method).toBe("watch_requests");
  line.reply(watch.id, { requests: [waiting("r-1", "Deploy?")] });
  expect((await first).value).toEqual([waiting("r-1", "Deploy?")]);
  change(line, [waiting("r-2", "Paint?")], ["r-1"]);
  expect((await lists.next()).value).toEqual([waiting("r-2", "Paint?")]);
  void lists.return?.();
  expect((await line.next()).method).toBe("unwatch_requests");
});

test("what waits can be watched beside the sessions", async () => {
  const { session, line } = await extendedServer();
  const [sessions, requests] = [session.watchSessions().next(), session.watchRequests().next()];
  for (let n = 0; n < 2; n += 1) {
    const { id, method } = await line.next();
    line.reply(id, method === "watch_sessions" ? { sessions: [] } : { requests: [] });
  }
  expect([(await sessions).value, (await requests).value]).toEqual([[], []]);
});

test("what waits cannot be watched over a connection without the extended profile", async () => {
  const { session } = await rawServer();
  expect(() => session.watchRequests()).toThrow(/no extended profile/);
});
