/** The log of this package: the used part of a pino logger. Never standard output, which is the wire. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** From which line on a log writes: each includes those after it. `silent` writes nothing. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
/** A value of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/**
 * A log of pino's on standard error. Pino is loaded at the first line that is written, not before.
 *
 * @param write takes its lines instead, JSON with a line feed each: where a terminal shows more than the log.
 */
export function standardErrorLog(level: LogLevel = "warn", write?: (line: string) => void): Log {
  let logger: Promise<Log> | undefined;
  const from = logLevels.indexOf(level);
  const log = (name: Exclude<LogLevel, "silent">) => (details: object, message: string) => {
    if (logLevels.indexOf(name) < from) return;
    // The default export: of a CommonJS module, bundlers that split give no other.
    logger ??= import("pino").then(({ default: pino }) =>
      pino(
        { name: "askwire", level },
        write === undefined ? pino.destination({ fd: 2, sync: true }) : { write },
      ),
    );
    void logger.then((loaded) => loaded[name](details, message));
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}
