import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { events } from "@askwire/protocol";
import { isObject, want, wantSame } from "../../contract/expectations.js";
import { exitInWords } from "../../programs/process-group.js";
import type { ServerCheck, ServerContext } from "../context.js";
import { begin, openQuestion, sendPrompt, turn, wantError, wantResult } from "../conversation.js";
import { inSession, journalLines, SESSION } from "../journal.js";
import { payloadOf, wantedEvent } from "../messages.js";
import { askingLine } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** The time for a server to end on a quiet machine, in milliseconds. */
const END_MS = 3_000;

async function endsInTime(
  { pace }: ServerContext,
  server: WireServer,
): Promise<ReturnType<typeof exitInWords>> {
  const from = performance.now();
  const exit = await server.exit;
  const took = performance.now() - from;
  want(took < END_MS * pace, `the end of the process within ${END_MS} ms`, `${took.toFixed(0)} ms`);
  return exitInWords(exit);
}

/** S52, S53 and S74 to S76: the program as a process. */
export const commandChecks: readonly ServerCheck[] = [
  {
    id: "S52",
    title:
      "the end of input while a question is open: exit status 0 within 3 s, and the journal ends the turn or leaves it",
    rules: ["P-CLO-1", "P-JRN-1", "P-ENG-7"],
    timed: true,
    async run(context) {
      const { server } = await openQuestion(context, { scripts: [askingLine()], flags: inSession });
      server.end();
      wantSame("the end", await endsInTime(context, server), "the end of the process (exit status 0)");
      const types = (await journalLines(context)).map((line) => String(JSON.parse(line).message?.type));
      // Records of the server's own come in between (P-JRN-5).
      const last = types.findLast((type) => Object.hasOwn(events, type));
      const isLeft = types.includes("TurnSuspended");
      want(isLeft || last === "TurnEnd", "TurnEnd as the journal's last event, or TurnSuspended", last);
    },
  },
  {
    id: "S53",
    title: "SIGTERM while a question is open ends the process within 3 s",
    rules: ["P-CLO-2"],
    timed: true,
    async run(context) {
      const { server } = await openQuestion(context);
      server.terminate();
      await endsInTime(context, server);
    },
  },
  {
    id: "S74",
    title:
      "info --json prints kimi_cli_version and wire_protocol_version as one JSON object, and nothing else",
    rules: ["P-VER-1"],
    async run(context) {
      const { status, stdout } = await context.run(["info", "--json"]);
      wantSame("the exit status", status, 0);
      let facts: unknown;
      try {
        facts = JSON.parse(stdout);
      } catch {
        want(false, "JSON on standard output", stdout);
      }
      want(isObject(facts), "one JSON object", facts);
      const { kimi_cli_version, wire_protocol_version } = facts;
      const version = /^\d+(\.\d+)+$/;
      want(version.test(String(kimi_cli_version)), "kimi_cli_version as digits and points", facts);
      wantSame("wire_protocol_version", wire_protocol_version, "1.10");
    },
  },
  {
    id: "S75",
    title: "the launch flags of Kimi's clients are accepted, also those without an effect",
    rules: [],
    timed: true,
    async run(context) {
      const agentFile = join(context.workDir, "agent.yaml");
      await writeFile(agentFile, "version: 1\nagent:\n  extend: default\n");
      const servers = join(context.workDir, "mcp.json");
      await writeFile(servers, '{"mcpServers": {}}');
      const sets = [
        ["--session", SESSION, "--model", "scripted", "--no-thinking", "--yolo"],
        ["--thinking", "--auto-approve", "--skills-dir", context.workDir],
        ["--agent-file", agentFile, "--mcp-config-file", servers, "--continue"],
      ];
      for (const flags of sets) {
        const server = await begin(context, { flags, scripts: ["text: Hello."] });
        // The last one continues the session of this turn.
        await turn(server);
        server.end();
        wantSame("the end", await endsInTime(context, server), "the end of the process (exit status 0)");
      }
    },
  },
  {
    id: "S76",
    title: "a reader that stalls: nothing is lost, out of order or mixed up, and memory stays bounded",
    rules: ["P-LIM-5", "P-ENG-2", "P-FRM-1"],
    async run(context) {
      const count = 4_000;
      const texts = Array.from({ length: count }, (_, index) => `${index} ${"x".repeat(2_000)}`);
      const script = texts.map((text) => `text: ${text}`).join("\n");
      const server = await begin(context, { scripts: [script] });
      const before = await peakMemory(server.pid);
      server.stall();
      const running = sendPrompt(server);
      const probes = Array.from({ length: 100 }, () => server.request("conformance/none"));
      await server.write("\n");
      await context.until("an answer while nothing is read", () => server.unread > 0);
      server.resume();
      for (const probe of probes) await wantError(server, probe, -32601);
      await wantError(server, null, -32700);
      await wantResult(server, running, { status: "finished" });
      const said = server.messages
        .filter(wantedEvent("ContentPart").fits)
        .map((part) => String(payloadOf(part).text));
      want(said.join("") === texts.join(""), `${count} pieces of text in order`, `${said.length} pieces`);
      const grown = (await peakMemory(server.pid)) - before;
      want(grown < MAX_GROWTH, "at most 256 MB more memory than before 8 MB of text", `${grown} bytes more`);
    },
  },
];

const MAX_GROWTH = 256 * 1024 * 1024;

/** The most memory of a process so far, in bytes; 0 if the system does not tell. */
async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
