import { type Log, type LogLevel, logLevels, standardErrorLog } from "@askwire/server";
import { usageFailure } from "./failure.js";

/**
 * The log of the command on standard error, from the level of `ASKWIRE_LOG` on. Default: errors.
 *
 * @param write takes its lines instead.
 * @throws Failure for a level that does not exist.
 */
export const commandLog = (write?: (line: string) => void): Log => standardErrorLog(logLevel(), write);

function logLevel(): LogLevel {
  const level = process.env.ASKWIRE_LOG ?? "error";
  const known = logLevels.find((name) => name === level);
  if (known === undefined)
    throw usageFailure(`ASKWIRE_LOG=${level}: expected one of ${logLevels.join(", ")}`);
  return known;
}
