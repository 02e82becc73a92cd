import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { conformance as check, WrongUse } from "@askwire/conformance-tests";
import { usageFailure } from "../input/failure.js";

/** Checks a server, a client or a gateway. The package reads the options, and has the help. */
export async function runConformance(args: readonly string[]): Promise<void> {
  // The build puts the templates beside the bundle.
  const templates = pathToFileURL(join(__dirname, "templates/"));
  try {
    process.exitCode = await check("askwire conformance", args, process, templates);
  } catch (error) {
    if (error instanceof WrongUse) throw usageFailure(error.message);
    throw error;
  }
}
