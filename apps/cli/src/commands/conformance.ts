import { pathToFileURL } from "node:url";
import { conformance as check, WrongUse } from "@askwire/conformance-tests";
import { usageFailure } from "../input/failure.js";
import { ownNode } from "../installed/own-node.js";
import { shippedFiles } from "../installed/shipped-files.js";

/** Checks a server, a client or a gateway. The package reads the options, and has the help. */
export async function runConformance(args: readonly string[]): Promise<void> {
  const files = shippedFiles("templates");
  const templates = typeof files === "string" ? pathToFileURL(`${files}/`) : files;
  try {
    process.exitCode = await check("askwire conformance", args, process, { templates, node: ownNode() });
  } catch (error) {
    if (error instanceof WrongUse) throw usageFailure(error.message);
    throw error;
  }
}
