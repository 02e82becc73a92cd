// The page of 25 November 2026 spoke revision 2 of the extended profile, which no server speaks now. One may stay open in
// a browser while its server is updated. Its messages here are as it sent them.
import { describe, expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import type { Message } from "../raw-client.js";
import { asks, toolResult } from "../scenario.js";
import { listening, red } from "./gateway.js";

/** The introduction of that page; `session` is where it was before its connection was lost. */
const hello = (session?: object) => ({
  protocol_version: "1.10",
  client: { name: "askwire-web", version: "0.1.0" },
  capabilities: {
    supports_question: true,
    supports_plan_mode: true,
    askwire: {
      revision: 2,
      client_id: "eca3ed2b-ec89-43c3-8013-e997eea8a27a",
      ...{ previews: true, notes: true, attachments: true, skip: true, deadline: true, fields: true },
      ...{ approval_options: true, edits: true, history: true },
    },
  },
  ...(session !== undefined && { session }),
});

/** True for an introduction in the base profile: by this the page knows that it cannot go on where it was. */
const isBase = ({ result }: Message) => {
  const { session, capabilities } = result as { session?: unknown; capabilities?: { askwire?: unknown } };
  return session === undefined && capabilities?.askwire === undefined;
};

/** A server that holds questions while nobody is there, as `askwire serve` does. */
async function updated() {
  const clock = drivenClock();
  const set = await listening([asks(), "text: b"], {
    clock,
    attendance: "hold",
    listen: { clock, heartbeatMs: 1e9 },
  });
  const session = set.server.createSession({ stay: true });
  const oldPage = () => set.open(`/wire/${session.id}`);
  return { ...set, clock, session, oldPage };
}

describe("a page of revision 2 that outlived an update of its server (P-XNG-1)", () => {
  test("a page of revision 2 is served in the base profile: it prompts, is asked, answers and is told the end", async () => {
    const { oldPage } = await updated();
    const page = await oldPage();
    expect(isBase(await page.call("initialize", hello()))).toBe(true);
    const { prompt, asked } = await page.begin("QuestionRequest");
    page.reply(asked, red(asked.id));
    expect(await toolResult(page)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
    expect((await prompt).result).toEqual({ status: "finished" });
    const marked = page.received.filter(({ params }) => params !== undefined && "seq" in params);
    expect(marked).toEqual([]);
  });

  test("a page of revision 2 that comes back is told at once that its session cannot go on there, and takes nothing with it when it goes", async () => {
    const { clock, session, oldPage, join } = await updated();
    const other = await join(session);
    const { prompt } = await other.begin("QuestionRequest");
    other.socket.terminate();
    prompt.catch(() => {});
    const page = await oldPage();
    const place = { id: session.id, stream: "b0a5f7e4-6c1d-4d7e-9a51-2f3f0c1f8d11", after_seq: 7 };
    expect(isBase(await page.call("initialize", hello(place)))).toBe(true);
    // The old page ends its connection now, tells its person that it is over, and offers to be loaded anew.
    page.socket.close();
    expect(await page.ended).toMatch(/^1005|^1000/);
    clock.advance(600_000);
    expect([session.running, session.pending.length]).toEqual([true, 1]);

    const anew = await join(session);
    const asked = await anew.seen("QuestionRequest");
    anew.reply(asked, red(asked.id));
    expect(await toolResult(anew)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
  });

  test("a page of revision 2 whose session is gone is closed with 4404, which ends its tries, and no session is made for it", async () => {
    const { server, open } = await updated();
    const before = server.sessions.size;
    const page = await open("/wire/01a228ad-979e-76fd-a7e4-1791262cc615");
    expect(await page.ended).toBe("4404 there is no such session");
    expect(server.sessions.size).toBe(before);
  });
});
