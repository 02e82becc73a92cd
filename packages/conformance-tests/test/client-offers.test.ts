import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer } from "@askwire/server";
import { expect, test } from "vitest";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";

/** A client of our own server, whose model calls the client's tool and then goes on. */
async function conversing(options: ConnectOptions): Promise<ClientSession> {
  const call = 'tool_call: {"id":"tc-1","name":"Weather","arguments":"{\\"city\\":\\"Bonn\\"}"}';
  const model = scriptedModel([call, "text: So it is.", "text: Yes."]);
  const { left, right } = linkedPair();
  const server = createServer({ agent: modelAgent({ model, tools: [] }) });
  server.connect(left);
  return await connect(right, options);
}

const weather = (run: (city: string) => Promise<string>) => ({
  name: "Weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }: { city: string }) => run(city),
});

test("a tool, a hook, steering and plan mode work together (P-CLI-5, P-CLI-6)", async () => {
  const asked: unknown[] = [];
  const problems: string[] = [];
  const session = await conversing({
    tools: [
      weather(async (city) => {
        await session.steer("in Fahrenheit");
        return `sunny in ${city}`;
      }),
    ],
    hooks: [{ event: "PreToolUse", matcher: "Weather", run: ({ target }) => void asked.push(target) }],
    onProblem: (problem) => void problems.push(problem),
  });
  const told: [string, unknown][] = [];
  for await (const { type, payload } of session.prompt("How is it?")) told.push([type, payload]);
  const events = new Map(told);
  expect(asked).toEqual(["Weather"]);
  expect(events.get("ToolResult")).toMatchObject({
    tool_call_id: "tc-1",
    return_value: { is_error: false, output: "sunny in Bonn" },
  });
  expect(events.get("SteerInput")).toEqual({ user_input: "in Fahrenheit" });
  expect(await session.setPlanMode(true)).toBe(true);
  expect(session.status.plan_mode).toBe(true);
  expect(problems).toEqual([]);
  await session.close();
});

test("a hook that blocks keeps the tool from running, and the model reads why (P-CLI-6)", async () => {
  let ran = false;
  const session = await conversing({
    tools: [
      weather(async () => {
        ran = true;
        return "";
      }),
    ],
    hooks: [{ event: "PreToolUse", run: () => ({ block: "not on Sundays" }) }],
  });
  const results: unknown[] = [];
  for await (const event of session.prompt("How is it?"))
    if (event.type === "ToolResult") results.push(event.payload.return_value);
  expect(ran).toBe(false);
  expect(results).toMatchObject([{ is_error: true, message: expect.stringContaining("not on Sundays") }]);
  await session.close();
});
