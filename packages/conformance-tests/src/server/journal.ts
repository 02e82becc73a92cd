import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CheckFailure } from "../contract/check.js";
import { wantSame } from "../contract/expectations.js";
import type { ServerContext, ServerStart } from "./context.js";
import { begin, turn } from "./conversation.js";
import type { WireServer } from "./wire-server.js";

/** The session that checks of the journal run in. */
export const SESSION = "0c5a3c1e-7a53-4c39-9a53-6f2f4a7f0b11";

export const inSession = ["--session", SESSION];

/** The journal file of a session: by the work directory, then by the session. */
export function journalFile({ shareDir, workDir }: ServerContext, session = SESSION): string {
  const folder = createHash("md5").update(workDir).digest("hex");
  return join(shareDir, "sessions", folder, session, "wire.jsonl");
}

/** The lines of the journal. */
export async function journalLines(context: ServerContext, session = SESSION): Promise<string[]> {
  const file = journalFile(context, session);
  const text = await readFile(file, "utf8").catch(() => {
    throw new CheckFailure(
      "the journal at <share>/sessions/<md5 of the work directory>/<session>/wire.jsonl",
      "no such file",
    );
  });
  return text.split("\n").filter((line) => line !== "");
}

/** A record as the journal has it. */
export function record(type: string, payload: object, timestamp = 1_760_000_000.5): string {
  return `${JSON.stringify({ timestamp, message: { type, payload } })}\n`;
}

/** Ends the input of a server and wants it to end well. */
export async function endWell(server: WireServer): Promise<void> {
  server.end();
  const { status, signal } = await server.exit;
  wantSame("the exit status", signal ?? status, 0);
}

/** Runs one turn of the session in its own process, so that the session and its journal exist. */
export async function oneTurn(context: ServerContext, options: ServerStart = {}): Promise<void> {
  const server = await begin(context, { scripts: ["text: Hello."], flags: inSession, ...options });
  await turn(server);
  await endWell(server);
  await journalLines(context);
}

/** The journal is written in batches: resolves once a request is in it. */
export function untilRecorded(context: ServerContext, id: string): Promise<void> {
  return context.until(`the request ${id} in the journal at ${journalFile(context)}`, async () =>
    (await journalLines(context).catch(() => [])).some((line) => line.includes(id)),
  );
}
