/** @import { Serve } from "../../contract.js" */
/** @import { AskwireServer } from "@askwire/server" */
import {
  createServer,
  keepIn,
  QuestionRequest,
  serveStdio,
  shareFolder,
  standardErrorLog,
  wireSend,
} from "@askwire/server";

/** Asks as `peers/askwire` does, and keeps the session under `ASKWIRE_HOME` as `ASKWIRE_BENCH_FLUSH` says. @type {(serve: Serve) => AskwireServer} */
const keptServer = (serve) =>
  createServer({
    agent: {
      run: () =>
        serve({
          async ask({ question, header, options }) {
            const questions = [{ question, header, options: [...options] }];
            const request = new QuestionRequest({ tool_call_id: "c1", questions });
            wireSend(request);
            return (await request.wait())[question] ?? "";
          },
        }),
    },
    keep: keepIn({
      share: shareFolder(process.env, { kimi: false }),
      workDir: process.cwd(),
      flush: process.env.ASKWIRE_BENCH_FLUSH === "process" ? "process" : "disk",
      log: standardErrorLog(),
    }),
  });

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  return serveStdio(keptServer(serve));
}
