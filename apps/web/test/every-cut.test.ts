import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { type Fault, faultPlan } from "../../../packages/conformance-tests/test/faults/fault.js";
import { faultyProxy } from "../../../packages/conformance-tests/test/faults/proxy.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { calls, resultOf } from "./served-page.js";

const browser = testBrowser();
const database = {
  question: "Which database?",
  header: "DB",
  options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
};
const script = [
  calls("AskUserQuestion", { questions: [database] }, "call-1"),
  calls("Shell", { command: "echo $((40 + 2))" }, "call-2"),
  "text: All done.",
];
/** Drops each third message, and with `ASKWIRE_CRASHES=all` each. The tests of the client alone drop every message. */
const STEP = process.env.ASKWIRE_CRASHES === "all" ? 1 : 3;
/** More conversations than there are messages. The model goes on with its script from one session to the next. */
const MOST = 100;

async function serve() {
  const scripts = Array.from({ length: MOST }, () => script).flat();
  const files = { token: "the-token-of-all-page-tests", "script.json": JSON.stringify(scripts) };
  const cwd = await folderWith(files);
  const env = { ...process.env, ASKWIRE_HOME: cwd };
  const { address } = await startServe(["--script", "script.json", "--token-file", "token"], { cwd, env });
  const { host, port, hash } = new URL(address);
  return { newSession: `ws://${host}/wire${hash}`, port: Number(port), token: hash.slice(1) };
}

/** Looks at each frame, where a locator would wait half a second between two looks. */
const untilThere = (page: Page, selector: string) =>
  page.waitForFunction((selector) => document.querySelector(selector) !== null, selector);

/** Prompts and answers in the page, to whose connection the fault happens. A client beside it is told of the tools. */
async function converse(
  page: Page,
  { newSession, port, token }: Awaited<ReturnType<typeof serve>>,
  fault: Fault,
) {
  const plan = faultPlan([fault]);
  const proxy = await faultyProxy(port, plan);
  const prompts: unknown[] = [];
  const results: string[] = [];
  const other = await connectWebSocket(newSession, {
    handlers: {
      event(event) {
        if (event.type === "TurnBegin") prompts.push(event.payload.user_input);
        results.push(...resultOf(event));
      },
    },
  });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.goto(`http://127.0.0.1:${proxy.port}/#token=${token}&session=${other.id}`);
  await untilThere(page, "textarea");
  await page.getByRole("textbox", { name: "Message" }).fill("Set it up.");
  await button("Send").click();
  await untilThere(page, "[type=radio]");
  await page.getByLabel("SQLite").check();
  await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
  await untilThere(page, ".askwire-approval");
  await button("Approve once").click();
  const log = page.getByRole("log");
  await log.getByText("All done.").waitFor();
  await page.getByText("Nothing waits for you.").waitFor();
  const said = log.getByText(/^(?:Set it up|All done)/);
  const shown = await said.or(log.locator(".askwire-answer")).allTextContents();
  await other.close();
  await proxy.close();
  return { told: { prompts, results, shown }, struck: plan.struck.length };
}

const told = {
  prompts: ["Set it up."],
  results: ['{"answers": {"Which database?": "SQLite"}}', "42\n"],
  shown: ["Set it up.", "↩ SQLite", "↩ approved", "All done."],
};

test("a network that drops any message changes no answer, which the agent gets once and the page shows", async () => {
  const server = await serve();
  const { page } = await browser.newPage({});
  // The next connection is tried without a wait.
  await page.addInitScript(() => Object.assign(Math, { random: () => 0 }));
  for (const to of ["server", "client"] as const) {
    for (let n = 1, struck = 1; struck > 0; n += STEP) {
      const fault: Fault = { kind: "cut before", to, n };
      const conversation = await converse(page, server, fault);
      expect({ fault, told: conversation.told }).toEqual({ fault, told });
      struck = conversation.struck;
    }
  }
}, 600_000);
