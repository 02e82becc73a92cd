import { type CheckResult, isRed } from "./report.js";

/** The progress of a run, as its reader sees it. */
export interface Progress {
  result(result: CheckResult): void;
  end(): void;
}

/** Shows the progress on one line of a terminal, which goes away. */
export function progressLine(stderr: NodeJS.WriteStream, count: number): Progress {
  const told = progress(count);
  return {
    result: (result) => void stderr.write(`\r\u001b[K${told(result)}`),
    end: () => void stderr.write("\r\u001b[K"),
  };
}

/** The number of checks between two lines of the log. A run of fewer checks logs nothing. */
const LOGGED_CHECKS = 10;

/** Writes a line now and then, where nothing can be overwritten. */
export function progressLog(stderr: NodeJS.WriteStream, count: number): Progress {
  const told = progress(count);
  let heard = 0;
  return {
    result(result) {
      const line = told(result);
      heard += 1;
      if (heard % LOGGED_CHECKS === 0) stderr.write(`${line}\n`);
    },
    end() {},
  };
}

function progress(count: number): (result: CheckResult) => string {
  const red = new Set<string>();
  const done = new Set<string>();
  return (result) => {
    done.add(result.id);
    if (isRed(result)) red.add(result.id);
    else red.delete(result.id);
    return `${done.size} of ${count} checks${red.size === 0 ? "" : `, ${red.size} red`}`;
  };
}
