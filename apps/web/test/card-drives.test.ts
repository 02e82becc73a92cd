import { fileURLToPath } from "node:url";
import { connectWebSocket } from "@askwire/client/websocket";
import { onTestFinished } from "vitest";
import type { Sent } from "../../../examples/test/drives/differences.js";
import { type PutRequest, type Surface, watchPresses } from "../../../examples/test/drives/drive.js";
import type { Driven } from "../../../examples/test/drives/requests.js";
import { testDrives } from "../../../examples/test/drives/test-drives.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";

const browser = testBrowser();
const agent = fileURLToPath(new URL("../../../examples/test/drives/asking-agent.mjs", import.meta.url));

/** The page of a server of its own, whose agent asks what it is told to. */
async function pageOfAgent({ isTouch }: { readonly isTouch: boolean }): Promise<Surface> {
  const home = await folderWith({ token: "the-token-of-all-page-tests" });
  const env = { ...process.env, ASKWIRE_HOME: home };
  const args = ["--token-file", "token", "--", process.execPath, agent];
  const served = await startServe(args, { cwd: home, env });
  const address = await served.untilPrinted(/^ +(http:\S+)$/m);
  const other = await connectWebSocket(served.address, { profile: "extended" });
  onTestFinished(() => other.close());
  const { page } = await browser.newPage({ viewport: { width: 1_000, height: 800 }, hasTouch: isTouch });
  if (page.context().browser()?.browserType().name() === "chromium") {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }
  await watchPresses(page);
  await page.goto(address);
  await page.getByText("Connected", { exact: true }).waitFor();
  const card = page.locator(".dock section.askwire-card .askwire-page:not(:disabled)");

  let count = 0;
  async function put(request: Driven): Promise<PutRequest> {
    count += 1;
    // An action that is approved for the session is not asked about again.
    const asked = "action" in request ? { ...request, action: `${request.action} ${count}` } : request;
    const turn = other.prompt(JSON.stringify(asked));
    const said = (async () => {
      let text = "";
      for await (const { type, payload } of turn) {
        if (type === "ContentPart" && payload.type === "text") text += payload.text;
      }
      return text;
    })();
    said.catch(() => {});
    await card.waitFor();
    return {
      sent: said.then((text) => (text === "" ? { stopped: true } : sentOf(JSON.parse(text)))),
      request: () => request,
      mind: async () => {},
      async end() {
        await other.cancel().catch(() => {});
        await said.catch(() => {});
        await page.evaluate(async () => {
          const card = () => document.querySelector(".dock section.askwire-card");
          while (card() !== null) {
            const buttons = [...(card()?.querySelectorAll("button") ?? [])];
            buttons.find(({ textContent }) => textContent === "Close")?.click();
            await new Promise((resolve) => setTimeout(resolve));
          }
        });
      },
    };
  }

  return {
    ...{ page, isTouch, put },
    async reload() {
      await page.reload();
      await card.waitFor();
    },
  };
}

/** The end of a request in the words of its agent. */
interface Said {
  readonly told: Sent | null;
  readonly status: string;
  readonly reason?: string;
  readonly note?: string;
}

function sentOf({ told, status, reason = "", note }: Said): Sent {
  if (status === "declined") return { declined: reason, ...(note !== undefined && { note }) };
  return told ?? { stopped: true };
}

testDrives("the page", pageOfAgent);
