import { expect, test } from "vitest";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { drivenClock } from "./driven-clock.js";
import { payload } from "./raw-client.js";
import { callLine, delegating, scenario } from "./scenario.js";

const hook = (event: string) => ({ id: event, event });

test("a notification reaches every client, between turns too, and then its hooks (P-NOT-1)", async () => {
  const wire = scenario([], { workDir: "/work folder" });
  const { client, session } = await wire.meet();
  await client.call("initialize", { protocol_version: "1.10", hooks: [hook("Notification")] });
  const told = session.notify({
    category: "task",
    type: "done",
    source_kind: "task",
    source_id: "t1",
    title: "Done",
    body: "The build is done.",
    severity: "info",
    payload: {},
  });
  const request = await client.seen("HookRequest");
  expect(payload(request).input_data).toMatchObject({
    hook_event_name: "Notification",
    title: "Done",
    body: "The build is done.",
    severity: "info",
  });
  client.reply(request, { request_id: request.id });
  await told;
  expect(payload(await client.seen("Notification"))).toMatchObject({ title: "Done", payload: {} });
});

test("the end of a session is announced to its hooks, which hold it for a second at most (P-HOK-6)", async () => {
  const clock = drivenClock();
  const { client, session } = await scenario([], { clock }).meet();
  await client.call("initialize", { protocol_version: "1.10", hooks: [hook("SessionEnd")] });
  const closed = session.close("shutdown");
  const request = await client.seen("HookRequest");
  expect(payload(request).input_data).toMatchObject({ hook_event_name: "SessionEnd", reason: "shutdown" });
  clock.advance(1000);
  await closed;
  expect(client.isClosed).toBe(true);
});

test("a sub-agent's beginning and end, a compaction and a failure are announced to their hooks (P-HOK-6)", async () => {
  const agent = modelAgent({ model: scriptedModel(["text: found it"]) });
  const delegate = delegating({ agent, type: "searcher", input: "look" });
  const wire = scenario(
    [`${callLine("Task", {})}\nusage: input_other=90 output=5`, "text: summary", "error: 400 no"],
    {
      tools: [delegate],
      model: { maxContextTokens: 100 },
    },
  );
  const { client } = await wire.meet();
  const events = ["SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "StopFailure"];
  await client.call("initialize", { protocol_version: "1.10", hooks: events.map(hook) });
  const turn = client.call("prompt", { user_input: "go" });
  for (const [index, event] of events.entries()) {
    const request = await client.seen("HookRequest", index + 1);
    expect(payload(request).event).toBe(event);
    if (event === "PostCompact") {
      const { estimated_token_count } = payload(request).input_data as Record<string, number>;
      expect(estimated_token_count).toBeGreaterThan(0);
    }
    client.reply(request, { request_id: request.id });
  }
  expect((await turn).error).toMatchObject({ code: -32003 });
});
