import { expect, test } from "vitest";
import { keepIn } from "../../src/index.js";
import { detailedLog, temporaryFolder } from "../journal-folder.js";
import { approvedTool, callLine, scenario } from "../scenario.js";
import { meetExtended } from "./extended-client.js";

const tools = [approvedTool("Shell")];
const shell = (id: string) => callLine("Shell", {}, id);

test("what a rule decided is reported, kept and replayed, and not to a base client (P-XAO-11)", async () => {
  const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });
  const id = "11111111-1111-4111-8111-111111111111";
  const set = scenario([shell("tc-1"), shell("tc-2"), "text: ok"], { tools, keep });
  const { client, session } = await meetExtended(set, { sessionId: id });
  const { client: base } = await set.meet({ session });
  const { prompt, asked } = await client.begun("ApprovalRequest");
  await client.answer(asked, { response: "approve_for_session" });
  await prompt;
  const told = {
    tool_call_id: "tc-2",
    action: "run command",
    description: "ls",
    response: "approve",
    rule: "decided_before",
  };
  expect(client.events("PolicyDecided").map(({ payload }) => payload)).toEqual([told]);
  const story = client.story();
  expect(story.indexOf("PolicyDecided")).toBeLessThan(story.lastIndexOf("ToolResult"));
  expect(base.story()).not.toContain("PolicyDecided");
  await set.server.close();

  const again = scenario([], { tools, keep });
  const { client: later } = await meetExtended(again, { sessionId: id });
  await later.call("replay");
  expect(later.events("PolicyDecided").map(({ payload }) => payload)).toEqual([told]);
  await again.server.close();
});

test("where everything is approved the rule says so, for each call (P-APR-4)", async () => {
  const set = scenario([shell("tc-1"), shell("tc-2"), "text: ok"], { tools, yolo: true });
  const { client } = await meetExtended(set);
  await client.call("prompt", { user_input: "go" });
  expect(client.events("PolicyDecided").map(({ payload }) => payload)).toMatchObject([
    { tool_call_id: "tc-1", response: "approve", rule: "approve_all" },
    { tool_call_id: "tc-2", response: "approve", rule: "approve_all" },
  ]);
});
