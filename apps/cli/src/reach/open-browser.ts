import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The program that opens a file with the browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens an address in the person's browser by a file that redirects. Other users of the machine can read the arguments
 * of a process, and the address holds a code.
 *
 * @param failed told why the browser was not opened.
 * @returns a function that removes the file.
 */
export function openInBrowser(address: string, failed: (why: string) => void): () => void {
  // The folder has mode 0700.
  const folder = mkdtempSync(join(tmpdir(), "askwire-"));
  const file = join(folder, "open.html");
  writeFileSync(file, redirect(address), { mode: 0o600, flag: "wx" });
  const [program = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, pathToFileURL(file).href], { stdio: "ignore", detached: true });
  child.once("error", (error) => failed(`${program}: ${error.message}`));
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) failed(`${program} ended with ${code}`);
  });
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}

const redirect = (address: string) => {
  const escaped = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${escaped}">
<title>Askwire</title>
<a href="${escaped}">Askwire</a>
`;
};
