import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepIn, QuestionRequest } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { colour, keptLog, scenario } from "./scenario.js";
import { until } from "./until.js";

/** A server that keeps its sessions in a folder of its own, and the journal of one. */
function keeping(...scripts: string[]) {
  const share = mkdtempSync(join(tmpdir(), "askwire-turn-end-"));
  onTestFinished(() => rmSync(share, { recursive: true, force: true }));
  const open = keepIn({ share, workDir: share, log: keptLog() });
  let file = "";
  const wire = scenario(scripts, {
    keep(id) {
      const kept = open(id);
      file = kept.journal.name;
      return kept;
    },
  });
  return { wire, journal: () => readFileSync(file, "utf8") };
}

test("TurnEnd is written when it is sent, and a prompt that follows it at once comes after the first one's result (P-TRN-2)", async () => {
  const { wire, journal } = keeping("text: a", "text: b");
  const { client } = await wire.meet();
  const first = client.call("prompt", { user_input: "1" });
  await client.seen("TurnEnd");
  expect(journal()).toContain('"TurnEnd"');
  const second = client.call("prompt", { user_input: "2" });
  expect((await first).result).toEqual({ status: "finished" });
  expect((await second).result).toEqual({ status: "finished" });
  const story = client.story();
  expect(story.indexOf("prompt: finished")).toBe(story.indexOf("TurnEnd") + 1);
});

test("a turn that is cancelled twice, the second time while its end is written, is answered twice (P-TRN-6)", async () => {
  const { wire } = keeping("text: a");
  const { client } = await wire.meet();
  const turn = client.call("prompt", { user_input: "1" });
  await client.seen("TurnBegin");
  const cancels = [client.call("cancel"), client.call("cancel")];
  expect((await Promise.all(cancels)).map(({ result }) => result)).toEqual([{}, {}]);
  expect((await turn).result).toEqual({ status: "cancelled" });
});

test("an agent's waits that all fail at once harm nobody, also when it awaits one after the other (P-OUT-5)", async () => {
  const asked = [1, 2, 3].map(
    (n) => new QuestionRequest({ tool_call_id: "tc", questions: [{ ...colour, question: `${n}?` }] }),
  );
  const wire = scenario([], {
    async run(turn) {
      for (const request of asked) turn.wire.send(request);
      const waits = asked.map((request) => request.wait());
      for (const wait of waits) await wait;
    },
  });
  const { client } = await wire.meet();
  const turn = client.call("prompt", { user_input: "1" });
  await client.seen("QuestionRequest", 3);
  await client.call("cancel");
  expect((await turn).result).toEqual({ status: "cancelled" });
  // An unhandled rejection would end this process a turn of the event loop later.
  await new Promise((resolve) => setImmediate(resolve));
});

test("a session that never had a turn leaves memory soon, one that had stays longer (P-SES-3)", async () => {
  const clock = drivenClock();
  const wire = scenario(["text: a"], { clock });
  const idle = wire.server.createSession();
  const used = wire.server.createSession();
  const visit = await wire.meet({ session: idle });
  const talk = await wire.meet({ session: used });
  await talk.client.call("prompt", { user_input: "hi" });
  for (const { client, closed } of [visit, talk]) {
    client.close();
    await closed;
  }
  const { sessions } = wire.server;
  clock.advance(30_000);
  await until(() => !sessions.has(idle.id));
  expect([...sessions.keys()]).toEqual([used.id]);
  clock.advance(570_000);
  await until(() => sessions.size === 0);
});
