import { describe, expect, test } from "vitest";
import type { QueryPolicy } from "../../src/index.js";
import { adpScenario, type Settings, spoken } from "./adp-scene.js";

async function instructions(settings?: Settings): Promise<string> {
  const { model } = await spoken(["done"], settings);
  return model.requests[0]?.system ?? "";
}

describe("the instructions", () => {
  test("the instructions list services and actions by their names, and no parameters (P-ADP-1)", async () => {
    const system = await instructions();
    expect(system).toContain(
      [
        "Here are the available services and their tools. To see parameters for a specific tool, use the <tool_param> tag.",
        "",
        "**Service: microsandbox**",
        "Description: Runs Python.",
        "Tools:",
        "  - microsandbox_execute",
        "  - list_sessions",
        "",
        "**Service: browser_use**",
        "Description: Looks at pages.",
        "Tools:",
        "  - browser_click",
      ].join("\n"),
    );
    for (const parameter of ["session_id", "要执行的Python代码", "index"])
      expect(system).not.toContain(parameter);
  });

  test("the instructions show the two steps, with a service that exists", async () => {
    const system = await instructions();
    expect(system).toContain(
      "<tool_param>\n  <tool_id>microsandbox</tool_id>\n  <action>microsandbox_execute</action>\n</tool_param>",
    );
    expect(system).toMatch(/<microsandbox>\n {2}<microsandbox_execute>\n[^<]*<\/microsandbox_execute>/);
    expect(system).toContain("<execute_tools />");
    expect(system).toContain("Never write `<result>` yourself");
    expect(system).not.toMatch(/\{(service|action)\}/);
  });

  test.each<[QueryPolicy | undefined, string]>([
    ["optional", "whenever you are not sure"],
    [undefined, "before you call a tool for the first time"],
    ["once-per-tool", "before you call a tool for the first time"],
    ["always", "before every call"],
  ])("the instructions say when to ask: %s (P-ADP-1)", async (queryPolicy, said) => {
    const system = await instructions(queryPolicy === undefined ? {} : { queryPolicy });
    expect(system.toLowerCase()).toContain(said);
  });

  test("the provider is offered no tool of a service where calls are written in the text", async () => {
    const { model } = await spoken(["done"]);
    expect(model.requests[0]?.tools).toEqual([]);
  });

  test("the instructions say nothing without a service", async () => {
    const { meet, model } = adpScenario(["done"], { services: () => [] });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.system).toBeUndefined();
  });
});
