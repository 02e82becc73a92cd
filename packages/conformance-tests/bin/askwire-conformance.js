#!/usr/bin/env node
import { conformance, WrongUse } from "@askwire/conformance-tests";

try {
  process.exitCode = await conformance("askwire-conformance", process.argv.slice(2), process);
} catch (error) {
  if (!(error instanceof WrongUse)) throw error;
  process.stderr.write(`askwire-conformance: ${error.message}\n`);
  process.exitCode = 2;
}
