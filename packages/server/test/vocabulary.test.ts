import { eventIntroduced } from "@askwire/protocol";
import { expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { payload } from "./raw-client.js";
import { delegating, scenario } from "./scenario.js";
import { tellVersionedEvents } from "./versioned-events.js";

/** Each event that a version takes away, and one that no version does. */
async function run(turn: Turn) {
  await tellVersionedEvents(turn);
  turn.emit("CompactionBegin", {});
}

const never: string[] = [];
const since5 = ["SteerInput"];
const since7 = [...since5, "PlanDisplay", "HookTriggered", "HookResolved"];
const since9 = [...since7, "BtwBegin", "BtwEnd"];

test.each<[string | undefined, string[] | "all"]>([
  [undefined, never],
  ["1.1", never],
  ["1.4", never],
  ["soon", never],
  ["1.5", since5],
  ["1.6", since5],
  ["1.7", since7],
  ["1.9", since9],
  ["1.10", "all"],
  ["2.0", "all"],
])("a client of version %s is sent only what that version knows", async (version, known) => {
  const { client } = scenario([], { run }).connect();
  if (version !== undefined) {
    const params = { protocol_version: version, client: { name: "raw" } };
    const { result } = await client.call("initialize", params);
    expect(result?.protocol_version).toBe("1.10");
    client.story();
  }
  await client.call("prompt", { user_input: "go" });
  const newer = known === "all" ? Object.keys(eventIntroduced) : known;
  const told = client.story();
  expect(told.filter((word) => word in eventIntroduced).sort()).toEqual([...newer].sort());
  expect(told.filter((word) => !(word in eventIntroduced))).toEqual([
    "TurnBegin",
    "CompactionBegin",
    "TurnEnd",
    "prompt: finished",
  ]);
});

test("an event unknown to a client is not sent inside a sub-agent's event either (P-VER-2)", async () => {
  async function delegate(turn: Turn) {
    await turn.callTool(delegating({ agent: { run }, type: "t", input: "x" }), {});
  }
  const { client } = scenario([], { run: delegate }).connect();
  await client.call("initialize", { protocol_version: "1.9", client: { name: "raw" } });
  await client.call("prompt", { user_input: "go" });
  const inner = client.received
    .filter(({ params }) => params?.type === "SubagentEvent")
    .map((message) => (payload(message).event as { type: string }).type);
  expect(inner).toEqual(["TurnBegin", ...since9, "CompactionBegin", "TurnEnd"]);
});

test.each<[string, object[], boolean]>([
  ["neither its name nor its abilities", [{}], false],
  ["null for both", [{ client: null, capabilities: null }], false],
  ["only the tools that it brings", [{ external_tools: [] }], false],
  ["its name", [{ client: { name: "raw" } }], true],
  ["its abilities", [{ capabilities: {} }], true],
  ["its name the first time only", [{ client: { name: "raw" } }, {}], true],
])(
  "a client of 1.10 that says %s is told of a further try, or not (P-VER-3)",
  async (_what, said, isTold) => {
    const { client } = scenario([], { run }).connect();
    for (const params of said) await client.call("initialize", { protocol_version: "1.10", ...params });
    client.story();
    await client.call("prompt", { user_input: "go" });
    expect(client.story().includes("StepRetry")).toBe(isTold);
  },
);
