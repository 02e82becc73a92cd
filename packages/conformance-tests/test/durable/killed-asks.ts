import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Asked, AskInit, ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import fc from "fast-check";

/** Asks that are open at once, below the limit of a session. */
const AT_ONCE = 60;

/** The figures of asks whose server ended while they were open. */
export interface AskFigures {
  /** Asks that had a reply before their server ended. */
  asked: number;
  /** Those of them that were found under their key with the same id afterwards. */
  sameId: number;
  /** Those that were answered then, each with its own answer, as whoever sent the key again was told. */
  answered: number;
  /** Requests that a person was shown in the later process beyond one for each key. */
  shownTwice: number;
}

/** How the server of one round ends, and after how many replies. */
const round = fc.record({
  signal: fc.constantFrom("SIGKILL" as const, "SIGKILL" as const, "SIGTERM" as const),
  replies: fc.integer({ min: 1, max: AT_ONCE }),
});

/** Asks at a server that ends in the middle, starts it again, and asks again, until so many asks had a reply. */
export async function askAndKill(program: string, asks: number, seed: number): Promise<AskFigures> {
  const share = mkdtempSync(join(tmpdir(), "askwire-asks-"));
  const figures: AskFigures = { asked: 0, sameId: 0, answered: 0, shownTwice: 0 };
  const rounds = fc.sample(round, { seed, numRuns: asks });
  let running = await started(program, share);
  try {
    for (const [number, { signal, replies }] of rounds.entries()) {
      const most = Math.min(replies, asks - figures.asked);
      if (most === 0) break;
      const before = await askedUntil(running.address, number, most);
      running.child.kill(signal);
      await once(running.child, "exit");
      running = await started(program, share);
      await countAgain(running.address, before, figures);
    }
  } finally {
    running.child.kill("SIGKILL");
    await once(running.child, "exit").catch(() => {});
    rmSync(share, { recursive: true, force: true });
  }
  return figures;
}

/** Starts a server, and resolves with its process and the address of its session. */
export async function started(program: string, share: string) {
  const child: ChildProcess = fork(program, [share], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [address] = (await once(child, "message")) as [string];
  return { child, address };
}

/** Questions under each second key, and an approval with an option of its own under the others. */
function askOf(key: string): AskInit {
  if (Number(key.split("-")[1]) % 2 === 0)
    return { key, questions: [{ question: `Which for ${key}?`, options: [{ label: key }] }] };
  const options = [{ id: key, label: key, kind: "allow" as const }];
  return { key, approval: { action: key, description: `Do ${key}`, options }, origin: { folder: key } };
}

/** Asks many things at once. Resolves with the ids by key once so many have a reply, the others on their way. */
async function askedUntil(address: string, round: number, replies: number): Promise<Map<string, string>> {
  const program = await connectWebSocket(address, { reconnect: false });
  const ids = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    for (let n = 0; n < AT_ONCE; n += 1) {
      const key = `${round}-${n}`;
      program.ask({ ...askOf(key), wait: false }).then(
        ({ request_id }) => {
          if (ids.size < replies) ids.set(key, request_id);
          if (ids.size === replies) resolve();
        },
        (error) => (ids.size < replies ? reject(error) : undefined),
      );
    }
  });
  return ids;
}

/** Sends each key again, has a person answer what is open, and counts what became of it. */
async function countAgain(address: string, before: Map<string, string>, figures: AskFigures): Promise<void> {
  const program: ClientSession = await connectWebSocket(address);
  const waiting: Promise<Asked>[] = [];
  for (const [key, id] of before) {
    const { request_id, outcome } = await program.ask({ key, wait: false });
    figures.asked += 1;
    if (request_id === id && outcome === undefined) figures.sameId += 1;
    waiting.push(program.ask(askOf(key)));
  }
  const shown: string[] = [];
  const person = await connectWebSocket(address, {
    shows: { approvalOptions: true },
    handlers: {
      approval({ program: asking, options = [] }) {
        shown.push(asking?.key ?? "");
        return asking?.origin?.folder === asking?.key ? { option: options[0]?.id ?? "" } : "reject";
      },
      question({ program: asking, questions }) {
        shown.push(asking?.key ?? "");
        const [{ id = "", options = [] } = {}] = questions;
        return { items: [{ question_id: id, selected: [options[0]?.id ?? ""] }] };
      },
    },
  });
  const keys = [...before.keys()];
  for (const [n, { outcome, answers, option }] of (await Promise.all(waiting)).entries()) {
    const said = Object.values(answers)[0] ?? option;
    if (outcome?.status === "answered" && said === keys[n]) figures.answered += 1;
  }
  figures.shownTwice += shown.length - new Set(shown).size;
  await person.close();
  await program.close();
}
