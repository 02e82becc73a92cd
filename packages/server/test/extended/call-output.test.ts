import { describe, expect, test } from "vitest";
import { defineTool, type ToolRun } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { payload, type RawClient } from "../raw-client.js";
import { callLine, scenario } from "../scenario.js";
import { meetExtended } from "./extended-client.js";

/** A turn with a call that prints as the test says, and a client that is told of it. */
async function printing(shows: object = { call_output: true }) {
  const clock = drivenClock();
  let run = (_run: ToolRun) => {};
  let end = (_output: string) => {};
  const started = new Promise<ToolRun>((resolve) => {
    run = resolve;
  });
  const tool = defineTool({
    name: "Build",
    description: "builds",
    parameters: { type: "object" },
    run(_params, toolRun) {
      run(toolRun);
      return new Promise<string>((resolve) => {
        end = resolve;
      });
    },
  });
  const set = scenario([callLine("Build", {}), "text: Done."], { clock, tools: [tool] });
  const { client } = await meetExtended(set, {}, { shows });
  const prompt = client.call("prompt", { user_input: "build" });
  const { printed } = await started;
  await client.seen("ToolCall");
  return { client, clock, printed, prompt, end: (output: string) => end(output) };
}

const told = (client: RawClient) =>
  client.received.filter(({ method }) => method === "call_output").map(({ params }) => params);

describe("the output of a running call (P-XCO-1)", () => {
  test("what a call prints is told as its last eight lines with the number of all, in pieces of a tenth of a second", async () => {
    const { client, clock, printed, prompt, end } = await printing();
    printed("one\ntw");
    printed("o\n");
    clock.advance(100);
    await client.settled();
    printed(Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join(""));
    clock.advance(99);
    await client.settled();
    expect(told(client)).toEqual([{ tool_call_id: "tc-1", text: "one\ntwo\n", lines: 2 }]);
    clock.advance(1);
    await client.settled();
    const last = Array.from({ length: 8 }, (_, n) => `line ${n + 2}\n`).join("");
    expect(told(client)[1]).toEqual({ tool_call_id: "tc-1", text: last, lines: 12 });
    end("all of it");
    await prompt;
  });

  test("a line without an end is cut to two thousand characters, and none of them in two", async () => {
    const { client, clock, printed, prompt, end } = await printing();
    printed(`a${"😀".repeat(5_000)}b`);
    clock.advance(100);
    await client.settled();
    expect(told(client)).toEqual([{ tool_call_id: "tc-1", text: `${"😀".repeat(999)}b`, lines: 1 }]);
    end("");
    await prompt;
  });

  test("nothing of a call is told after its result, whatever it printed last", async () => {
    const { client, clock, printed, prompt, end } = await printing();
    printed("late\n");
    end("all of it");
    await prompt;
    printed("later\n");
    clock.advance(1_000);
    await client.settled();
    expect(told(client)).toEqual([]);
    expect(payload(await client.seen("ToolResult")).return_value).toMatchObject({ output: "all of it" });
  });

  test("a client that did not declare it is told nothing of what calls print", async () => {
    const { client, clock, printed, prompt, end } = await printing({ notes: true });
    printed("one\n");
    clock.advance(1_000);
    await client.settled();
    expect(told(client)).toEqual([]);
    end("");
    await prompt;
  });
});
