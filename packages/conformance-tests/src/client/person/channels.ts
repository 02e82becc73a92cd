import type { ActsTo, AtTerminal } from "../../contract/acts-to.js";
import { exitInWords, startGroup } from "../../programs/process-group.js";
import type { ClientProcess } from "../client-process.js";
import type { ActChannel } from "./person.js";

/** The exit status by which a program says that the client has no way to do an act. */
const CANNOT = 3;

/** @param env the environment of the client, for a program. */
export function actChannel(acts: ActsTo, client: ClientProcess, env: NodeJS.ProcessEnv): ActChannel {
  if (acts.to === "stdin") return toClient(client);
  return acts.to === "program" ? toProgram(acts.file, env) : toHuman(acts, client);
}

/** A client that cannot do an act says so by a line such as `{"cannot": "steer"}` on its output, at any time. */
function toClient({ write, onOutput }: ClientProcess): ActChannel {
  const unable = new Set<string>();
  const asked = new Map<string, () => void>();
  onOutput((line) => {
    const name = actThatCannot(line);
    unable.add(name);
    asked.get(name)?.();
  });
  return {
    async deliver(line, _words, cannot) {
      const { do: name } = JSON.parse(line) as { do: string };
      if (unable.has(name)) return cannot();
      asked.set(name, cannot);
      write(line);
    },
  };
}

function actThatCannot(line: string): string {
  try {
    return String((JSON.parse(line) as { cannot?: unknown } | null)?.cannot);
  } catch {
    return "";
  }
}

function toProgram(file: string, env: NodeJS.ProcessEnv): ActChannel {
  return {
    async deliver(line, _words, cannot) {
      const { child, ended } = startGroup([file], { cwd: process.cwd(), env });
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          said = (said + text).slice(-MAX_SAID);
        });
      child.stdin.end(line);
      const exit = await ended;
      if (exit.status === CANNOT) return cannot();
      if (exit.status !== 0)
        throw new Error(
          `${file}: ${exitInWords(exit)} at ${line.trim()}${said === "" ? "" : `: ${said.trim()}`}`,
        );
    },
  };
}

/** The kept end of a program's output, in characters. */
const MAX_SAID = 2_000;

/** A human who cannot do an act types `s` and Enter. */
function toHuman({ hear, output }: AtTerminal, { ended }: ClientProcess): ActChannel {
  let cannotNow = () => {};
  const stop = hear((line) => {
    if (line.trim().toLowerCase() === "s") cannotNow();
  });
  void ended.then(stop);
  return {
    async deliver(_line, words, cannot) {
      cannotNow = cannot;
      output.write(`${words}\n`);
    },
  };
}
