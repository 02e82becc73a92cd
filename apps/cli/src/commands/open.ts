import { setTimeout as after } from "node:timers/promises";
import { findGateway } from "@askwire/client/gateway";
import { shareFolder } from "@askwire/server";
import type { OpenOptions } from "../command-line/mcp.js";
import { ownGateway } from "../gateway/own-gateway.js";
import { codesFolder, GATEWAY_SESSION } from "../gateway/place.js";
import { CommandFailure } from "../input/failure.js";
import { pageAddress } from "../reach/addresses.js";
import { builtPage } from "../reach/built-page.js";
import { keptCodes } from "../reach/kept-codes.js";

/** The time for the browser to use the code, and between two looks, in milliseconds. */
const BROWSER_MS = 60_000;
const LOOK_MS = 100;

/** Opens the questions of this person's agents, in the browser, or as the inbox in this terminal. */
export async function open({ terminal, idle, notify, notifyText, ...person }: OpenOptions): Promise<void> {
  const share = shareFolder(process.env, { kimi: false });
  const { port } = await findGateway(ownGateway(share, { idle, notify, notifyText }));
  if (terminal) {
    const { showInbox } = await import("./inbox.js");
    return showInbox(person);
  }
  if (builtPage() === undefined)
    throw new CommandFailure("open: the page is not built: use --terminal, or build it first");
  const { openInBrowser } = await import("../reach/open-browser.js");
  const codes = keptCodes(codesFolder(share));
  const code = codes.make();
  const page = pageAddress(`http://127.0.0.1:${port}`, { code, session: GATEWAY_SESSION });
  const failures: string[] = [];
  let remove = () => {};
  try {
    remove = openInBrowser(page, (why) => failures.push(why));
    for (
      let waited = 0;
      codes.counts(code) && failures.length === 0 && waited < BROWSER_MS;
      waited += LOOK_MS
    )
      await after(LOOK_MS);
  } finally {
    remove();
  }
  if (!codes.counts(code)) return;
  const [why = "the code was not used"] = failures;
  process.stderr.write(
    `askwire: open: could not open the browser (${why}): open this address, which works once, for a few minutes\n`,
  );
  process.stdout.write(`${page}\n`);
}
