#!/usr/bin/env node
import { conformance, WrongUse } from "@askwire/conformance-tests";

const name = process.env.npm_command === "exec" ? "npx --no -- askwire-conformance" : "askwire-conformance";
const templates = new URL("../templates/", import.meta.url);

try {
  process.exitCode = await conformance(name, process.argv.slice(2), process, { templates });
} catch (error) {
  if (!(error instanceof WrongUse)) throw error;
  process.stderr.write(`askwire-conformance: ${error.message}\n`);
  process.exitCode = 2;
}
