import type { ListedSession } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { RawClient } from "../raw-client.js";
import { type StoreAtWork, stores, WORK_DIR } from "../stores.js";
import { asking, meetExtended, question } from "./extended-client.js";

/** A server that keeps its sessions there, and a client outside of them. */
async function keeping(store: StoreAtWork) {
  const set = asking(() => [], { host: "mill", ...store.options() });
  const { client } = await meetExtended(set, { sessionMethods: true });
  return { set, client };
}

/** Makes a session for each prompt, one active a minute after the other, and ends their process. */
async function leave(store: StoreAtWork, prompts: readonly string[]): Promise<string[]> {
  const { set } = await keeping(store);
  const ids: string[] = [];
  for (const user_input of prompts) {
    const session = await set.server.openSession();
    const { client } = await meetExtended(set, { session });
    await client.call("prompt", { user_input });
    ids.push(session.id);
  }
  await set.server.close();
  for (const [minute, id] of ids.entries()) await store.setActive(id, minute * 60_000);
  return ids;
}

const page = async (client: RawClient, wanted: object = {}) =>
  (await client.call("list_sessions", { state: "kept", ...wanted })).result as {
    sessions: ListedSession[];
    next?: string;
  };

const titles = ({ sessions }: { sessions: ListedSession[] }) => sessions.map(({ title }) => title);

describe.each(stores)("sessions that are kept %s", (_where, make) => {
  test("kept sessions that nobody has open are listed, the last active first, and those in memory apart (P-XSE-7)", async () => {
    const store = make();
    const [old] = await leave(store, ["Build the shop", "Mend the roof"]);
    const { set, client } = await keeping(store);
    const listed = await page(client);
    expect(titles(listed)).toEqual(["Mend the roof", "Build the shop"]);
    expect(listed).toEqual({
      sessions: [
        expect.anything(),
        {
          id: old,
          state: "kept",
          connections: 0,
          title: "Build the shop",
          folder: WORK_DIR,
          host: "mill",
          active_at: "1970-01-01T00:00:00.000Z",
          open: 0,
        },
      ],
    });
    const { result } = await client.call("list_sessions");
    expect((result as { sessions: ListedSession[] }).sessions.map(({ state }) => state)).toEqual(["idle"]);
    // A session that is opened here is one in memory.
    await meetExtended(set, { sessionId: old ?? "" });
    expect(titles(await page(client))).toEqual(["Mend the roof"]);
  });

  test("kept sessions come by pages, each behind the last row of the one before, also where that is gone (P-XSE-7)", async () => {
    const store = make();
    const ids = await leave(store, ["A", "B", "C", "D", "E"]);
    const { set, client } = await keeping(store);
    const first = await page(client, { limit: 2 });
    expect(titles(first)).toEqual(["E", "D"]);
    await meetExtended(set, { sessionId: ids[3] ?? "" });
    const second = await page(client, { limit: 2, after: first.next });
    expect(titles(second)).toEqual(["C", "B"]);
    expect(await page(client, { limit: 2, after: second.next })).toMatchObject({
      sessions: [{ title: "A" }],
    });
    expect(await page(client, { limit: 1, after: JSON.stringify([0, ids[0]]) })).toEqual({ sessions: [] });
  });

  test("a kept session with an open question says what waits there, as the lists of sessions in memory do (P-XSE-7)", async () => {
    const store = make();
    const first = asking(() => [question()], {
      ...store.options(),
      attendance: "hold" as const,
    });
    const session = await first.server.openSession();
    const { client: program } = await meetExtended(first, { session });
    const questions = [{ question: "Still open?", options: [{ label: "Yes" }] }];
    await program.call("ask", { key: "k", questions, wait: false });
    await first.server.close();
    const { client } = await keeping(store);
    expect((await page(client)).sessions).toMatchObject([
      { id: session.id, open: 1, oldest: { kind: "question", text: "Still open?" } },
    ]);
  });

  test.each([
    ["an after that no page gave", { after: '["E","D"]' }],
    ["an after that is no JSON", { after: "next" }],
    ["a limit of 0", { limit: 0 }],
    ["a limit of 201", { limit: 201 }],
    ["a state that is none", { state: "running" }],
  ])("a list of kept sessions refuses %s", async (_what, wanted) => {
    const { client } = await keeping(make());
    expect((await client.call("list_sessions", { state: "kept", ...wanted })).error?.code).toBe(-32602);
  });
});

test.each(stores)(
  "a server that lists sessions kept %s declares that, and another answers with none",
  async (_where, make) => {
    const declared = ({ received }: RawClient) =>
      (received[0]?.result as { capabilities?: { askwire: { kept_sessions?: boolean } } })?.capabilities
        ?.askwire.kept_sessions;
    const { client } = await keeping(make());
    const { client: without } = await meetExtended(
      asking(() => []),
      { sessionMethods: true },
    );
    expect([declared(client), declared(without)]).toEqual([true, undefined]);
    expect(await page(without)).toEqual({ sessions: [] });
  },
);
