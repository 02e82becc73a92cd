import { expect, test } from "vitest";
import * as z from "zod/mini";
import { defineTool } from "../src/index.js";
import { callLine, scenario, toolResult } from "./scenario.js";

const sizes = [
  ["plain text", "x", 20_000_000],
  ["text that grows when it is written", "\u0001", 3_000_000],
] as const;

test.each(sizes)(
  "a tool's output of too much %s is cut and says so, and the turn continues (P-LIM-4)",
  async (_, letter, length) => {
    const flood = defineTool({
      name: "Flood",
      description: "Returns a lot.",
      parameters: z.object({}),
      run: () => letter.repeat(length),
    });
    const { meet } = scenario([callLine("Flood", {}), "text: Enough."], { tools: [flood] });
    const { client } = await meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    const output = String((await toolResult(client)).output);
    expect(output.length).toBeLessThan(length);
    expect(output).toMatch(new RegExp(`\\n\\[cut: the first \\d+ of ${length} characters\\]$`));
    await client.seen("TurnEnd");
  },
);
