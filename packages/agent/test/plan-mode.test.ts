import { describe, expect, test } from "vitest";
import { payload, type RawClient } from "../../server/test/raw-client.js";
import { callLine, scenario, toolResult } from "../../server/test/scenario.js";
import { planModeTools } from "../src/index.js";

const tools = planModeTools;
const both = { supports_question: true, supports_plan_mode: true };
const plan = "# Paint\n\n1. Buy paint\n2. Paint";
const exit = (args: object = {}) => [callLine("ExitPlanMode", { plan, ...args }), "text: On."];
const enter = [callLine("EnterPlanMode", {}), "text: On."];

/** A client that shows plans, in a session whose plan mode is on unless said otherwise. */
async function meet(scripts: readonly string[], { planMode = true, ...options } = {}) {
  const wire = scenario(scripts, { tools, ...options });
  const { client, session } = await wire.meet({}, both);
  if (planMode) await client.call("set_plan_mode", { enabled: true });
  client.story();
  return { client, session, model: wire.model };
}

/** Prompts, answers the question, and gives what the model reads. */
async function answer(client: RawClient, answers: Record<string, string>): Promise<string> {
  const { prompt, asked: request } = await client.begin("QuestionRequest");
  client.reply(request, { request_id: request.id, answers });
  const { output, is_error } = await toolResult(client);
  expect(is_error).toBe(false);
  await prompt;
  return String(output);
}

const names = (model: { requests: readonly { tools: readonly { name: string }[] }[] }) =>
  model.requests[0]?.tools.map(({ name }) => name).filter((name) => name.endsWith("PlanMode"));

describe("the plan tools", () => {
  test.each([
    ["a client that shows plans and questions", both, ["EnterPlanMode", "ExitPlanMode"]],
    ["one that shows no plans", { supports_question: true }, []],
    ["one that shows no questions", { supports_plan_mode: true }, []],
  ])("the plan tools are offered for %s (P-PLN-3)", async (_, capabilities, offered) => {
    const { meet, model } = scenario(["text: a"], { tools });
    const { client } = await meet({}, capabilities);
    await client.call("prompt", { user_input: "go" });
    expect(names(model)).toEqual(offered);
  });

  test("the plan tools are not offered for a client that has not said that it shows plans (P-PLN-3)", async () => {
    const { meet, connect, server, model } = scenario(["text: a"], { tools });
    const session = server.createSession();
    await meet({ session }, { supports_question: true });
    const { client } = connect({ session });
    await client.call("prompt", { user_input: "go" });
    expect(names(model)).toEqual([]);
  });
});

describe("entering plan mode", () => {
  test("entering plan mode asks, and a Yes switches it on for every client (P-PLN-4)", async () => {
    const { client, session } = await meet(enter, { planMode: false });
    expect(await answer(client, { "Enter plan mode?": "Yes" })).toMatch(/^Plan mode is on\./);
    const asked = payload(await client.seen("QuestionRequest"));
    expect(asked).toMatchObject({
      tool_call_id: "tc-1",
      questions: [{ question: "Enter plan mode?", options: [{ label: "Yes" }, { label: "No" }] }],
    });
    expect(session.planMode).toBe(true);
    expect(client.story().indexOf("StatusUpdate")).toBeGreaterThan(-1);
  });

  test.each([
    ["a No", { "Enter plan mode?": "No" }, "the user said no."],
    ["own words", { "Enter plan mode?": "just do it" }, "the user said: just do it"],
    ["a dismissal", {}, "the user closed the question without an answer."],
  ])("plan mode stays off after %s, and the model is told (P-PLN-4)", async (_, answers, why) => {
    const { client, session } = await meet(enter, { planMode: false });
    const told = await answer(client, answers as Record<string, string>);
    expect(told).toMatch(/^Plan mode stays off: /);
    expect(told).toContain(why);
    expect(session.planMode).toBe(false);
  });

  test.each([
    [
      "EnterPlanMode is an error while plan mode is on, and asks nobody (P-PLN-4)",
      enter,
      true,
      "ask QuestionRequest",
    ],
    ["ExitPlanMode is an error outside plan mode, and shows no plan (P-PLN-5)", exit(), false, "PlanDisplay"],
  ])("the tool %s", async (_what, scripts, planMode, shown) => {
    const { client } = await meet(scripts, { planMode });
    await client.call("prompt", { user_input: "go" });
    expect(await toolResult(client)).toMatchObject({ is_error: true });
    expect(client.story()).not.toContain(shown);
  });
});

describe("a plan", () => {
  test("a plan is displayed, then asked about in the fields that Kimi's clients know (P-PLN-5)", async () => {
    const { client } = await meet(exit());
    await answer(client, { "Approve this plan": "Approve" });
    expect(payload(await client.seen("PlanDisplay"))).toEqual({ content: plan, file_path: "" });
    const { questions } = payload(await client.seen("QuestionRequest"));
    const [question] = questions as { options: { label: string }[]; other_description: string }[];
    expect(question).toMatchObject({
      header: "Plan",
      question: "Approve this plan",
      body: plan,
      other_label: "Revise",
      multi_select: false,
    });
    expect(question?.other_description).not.toBe("");
    expect(question?.options.map(({ label }) => label)).toEqual(["Approve", "Reject"]);
    const story = client.story();
    expect(story.indexOf("PlanDisplay")).toBeLessThan(story.indexOf("ask QuestionRequest"));
  });

  test("a plan that is approved ends plan mode and comes back with the variant that was chosen (P-PLN-6)", async () => {
    const options = [{ label: "Roller", description: "fast" }, { label: "Brush" }];
    const { client, session } = await meet(exit({ options }));
    // Under another key, as a client that translates would.
    const told = await answer(client, { "Diesen Plan annehmen": "Roller" });
    expect(told).toContain("The user approved the plan in this variant: Roller - fast");
    expect(told).toContain(plan);
    expect(session.planMode).toBe(false);
  });

  test.each([
    ["Reject", { "Approve this plan": "Reject" }, "The user rejected the plan."],
    ["words", { "Approve this plan": "use less paint" }, "They said: use less paint"],
    ["Revise alone", { "Approve this plan": "Revise" }, "They did not say how"],
    ["a dismissal", {}, "the user closed the question without an answer."],
    ["Approve where the options are others", { "Approve this plan": "Approve" }, "They said: Approve"],
  ])("a plan leaves plan mode on after %s, and the model is told (P-PLN-6)", async (_, answers, why) => {
    const { client, session } = await meet(exit({ options: [{ label: "Brush" }] }));
    const told = await answer(client, answers as Record<string, string>);
    expect(told).toContain(why);
    expect(told).toContain("Plan mode stays on");
    expect(session.planMode).toBe(true);
  });

  test.each([
    ["two options of one label", { options: [{ label: "A" }, { label: "A " }] }, "labels that differ"],
    ["an option called Reject", { options: [{ label: "Reject" }] }, "neither empty nor Reject or Revise"],
    ["four options", { options: ["A", "B", "C", "D"].map((label) => ({ label })) }, "options"],
    ["no text", { plan: " \n" }, "a plan that is not empty"],
  ])("a plan with %s is told to be corrected, and nobody is asked (P-PLN-5)", async (_, args, problem) => {
    const { client, session } = await meet(exit(args));
    await client.call("prompt", { user_input: "go" });
    const value = await toolResult(client);
    expect(value).toMatchObject({ is_error: true });
    expect(value.message).toContain(problem);
    const story = client.story();
    expect(story).not.toContain("PlanDisplay");
    expect(story).not.toContain("ask QuestionRequest");
    expect(session.planMode).toBe(true);
  });

  test("a plan that nobody can be asked about is not approved (P-PLN-6)", async () => {
    const { client, session } = await meet(exit(), { attendance: "decline" } as object);
    await client.call("prompt", { user_input: "go" });
    const { output } = await toolResult(client);
    expect(output).toContain("nobody could be asked (unavailable: unattended)");
    expect(session.planMode).toBe(true);
  });

  test("a plan of a cancelled turn has no result, and plan mode stays on (P-PLN-7)", async () => {
    const { client, session } = await meet(exit());
    const { prompt } = await client.begin("QuestionRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(client.story()).not.toContain("ToolResult");
    expect(session.planMode).toBe(true);
  });
});
