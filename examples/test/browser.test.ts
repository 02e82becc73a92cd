import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, ApprovalRequest, defineTool, QuestionRequest, wireSend } from "@askwire/server";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { buildPage } from "../browser/build.mjs";
import { createPageServer } from "../browser/serve.mjs";
import { testBrowser } from "./test-browser.js";

const question = "Which <b>database</b>?";
const options = [{ label: "SQLite", description: "One file" }, { label: "PostgreSQL" }];

const ask = defineTool({
  name: "Ask",
  description: "Asks the person.",
  parameters: z.object({ multi_select: z.boolean() }),
  async run({ multi_select }, { toolCall }) {
    const questions = [{ question, header: "DB", options, multi_select }];
    const request = new QuestionRequest({ tool_call_id: toolCall.id, questions });
    wireSend(request);
    return (await request.wait())[question] ?? "nothing";
  },
});

/** Asks the question that its prompt names, and says the result. */
const agent: Agent = {
  async run(turn) {
    if (turn.input === "approval") {
      const display = [{ type: "shell", language: "sh", command: "rm -r build" } as const];
      const action = { sender: "Shell", action: "run command", description: "Removes the build", display };
      const request = new ApprovalRequest({ tool_call_id: turn.id, ...action });
      wireSend(request);
      const { response, feedback } = await request.wait();
      turn.say(`${response}: ${feedback}`);
      return;
    }
    const { output } = await turn.callTool(ask, { multi_select: turn.input === "several" });
    turn.say(`You chose ${output}.`);
  },
};

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildPage(await browser.folder());
});

const open = () => browser.open({ agent, files: createPageServer(folder) });

async function prompt(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

const said = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true }).waitFor();

test("a person in a browser clicks an option, and the agent continues with it", async () => {
  const { page, complaints } = await open();
  await prompt(page, "one");
  await page.getByText(question).waitFor();
  expect(await page.getByRole("button", { name: "Answer" }).isDisabled()).toBe(true);
  await page.getByLabel("SQLite").click();
  await page.getByRole("button", { name: "Answer" }).click();
  await said(page, "You chose SQLite.");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("several options may be chosen, with own text beside them", async () => {
  const { page } = await open();
  await prompt(page, "several");
  await page.getByLabel("SQLite").click();
  await page.getByLabel("PostgreSQL").click();
  await page.getByPlaceholder("In your own words").fill("a text file");
  await page.getByRole("button", { name: "Answer" }).click();
  await said(page, "You chose SQLite, PostgreSQL, a text file.");
});

test("own text is an answer in a browser", async () => {
  const { page } = await open();
  await prompt(page, "one");
  await page.getByPlaceholder("In your own words").fill("a text file");
  await page.keyboard.press("Enter");
  await said(page, "You chose a text file.");
});

test("Escape closes a question, which is no answer", async () => {
  const { page } = await open();
  await prompt(page, "one");
  await page.getByText(question).waitFor();
  await page.keyboard.press("Escape");
  await said(page, "You chose nothing.");
});

test("keys that were meant for another place answer nothing", async () => {
  const { page } = await open();
  await prompt(page, "one");
  await page.getByText(question).waitFor();
  await page.keyboard.type(" typed on ");
  await page.keyboard.press("Enter");
  expect(await page.getByRole("dialog").isVisible()).toBe(true);
  expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
});

test("a question that somebody else answered leaves the page", async () => {
  const { page, wire } = await open();
  const other = await connectWebSocket(wire, {
    handlers: {
      async question({ questions: [item] }) {
        await page.getByRole("dialog").waitFor();
        return { answers: { [item?.question ?? ""]: "PostgreSQL" } };
      },
    },
  });
  browser.ends.push(() => other.close());
  await prompt(page, "one");
  await said(page, "You chose PostgreSQL.");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("an approval shows what it is for, and a rejection carries the reason", async () => {
  const { page } = await open();
  await prompt(page, "approval");
  await page.getByText("rm -r build").waitFor();
  await page.getByPlaceholder("If you reject").fill("keep it");
  await page.getByRole("button", { name: "Reject" }).click();
  await said(page, "reject: keep it");
  await prompt(page, "approval");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await said(page, "approve: ");
});

test("the token leaves the address bar, and a reload still finds the session", async () => {
  const { page, gateway } = await open();
  await page.locator("button:enabled").waitFor();
  expect(page.url()).not.toContain(gateway.token);
  await page.reload();
  await prompt(page, "one");
  await page.getByText(question).waitFor();
});

test("the page says when the connection is lost, and a question survives that (P-XCL-2, P-XCL-3)", async () => {
  const { page, gateway, listen } = await open();
  await prompt(page, "one");
  await page.getByText(question).waitFor();
  await gateway.close();
  await page.getByText("The connection is lost.").waitFor();
  expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
  await page.getByLabel("SQLite").click();
  await page.getByRole("button", { name: "Answer" }).click();
  await listen();
  await said(page, "You chose SQLite.");
});
