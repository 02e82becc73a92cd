import { expect, test } from "vitest";
import { connect } from "../src/index.js";
import { dialable, fakeTiming, greeting } from "./extended-server.js";

const row = {
  request_id: "r-1",
  kind: "question",
  text: "Deploy?",
  since: "2026-11-28T10:00:00.000Z",
  state: "open",
  session_id: "s-1",
};

/** A client that joined no session, and the other end of its line. */
async function inLobby(lobby: object = {}) {
  const { dial, nextLine } = dialable();
  const time = fakeTiming();
  const connected = connect(dial, { lobby: true, timing: time.timing });
  const line = await nextLine();
  const { id, params } = await line.next();
  const { session: _, ...introduction } = greeting();
  const welcome = (line: Awaited<ReturnType<typeof nextLine>>, id: string) =>
    line.reply(id, { ...introduction, lobby });
  welcome(line, id);
  return { session: await connected, line, params, nextLine, time, welcome };
}

test("a client in the lobby has no session, and watches what waits over a lost connection", async () => {
  const { session, line, params, nextLine, time, welcome } = await inLobby();
  expect([params.lobby, params.session, session.id]).toEqual([true, undefined, undefined]);
  const lists = session.watchRequests();
  const first = lists.next();
  line.reply((await line.next()).id, { requests: [row] });
  expect((await first).value).toEqual([row]);
  void line.cut();
  while (session.connection === "connected") await new Promise(setImmediate);
  time.fire();
  const second = await nextLine();
  welcome(second, (await second.next()).id);
  const watch = await second.next();
  expect(watch.method).toBe("watch_requests");
  second.reply(watch.id, { requests: [] });
  expect((await lists.next()).value).toEqual([]);
});

test("a client in the lobby knows what its role allows, and is refused a prompt by itself", async () => {
  const { session } = await inLobby({ role: "answer", permissions: ["list"] });
  expect([session.role, session.may("list"), session.may("prompt")]).toEqual(["answer", true, false]);
  expect(() => session.prompt("go")).toThrow(/joined no session/);
});

test("a client that wants no session gets one of a server that knows no lobby", async () => {
  const { dial, nextLine } = dialable();
  const connected = connect(dial, { lobby: true, timing: fakeTiming().timing });
  const line = await nextLine();
  line.reply((await line.next()).id, greeting());
  expect((await connected).id).toBe(greeting().session.id);
});
