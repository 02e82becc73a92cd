import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Asked, ClientSession } from "@askwire/client";
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

async function started(program: string, share: string) {
  const child: ChildProcess = fork(program, [share], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [address] = (await once(child, "message")) as [string];
  return { child, address };
}

const questionsOf = (key: string) => [{ question: `Which for ${key}?`, options: [{ label: key }] }];

/** Asks many things at once. Resolves with the ids by key once so many have a reply, the others on their way. */
async function askedUntil(address: string, round: number, replies: number): Promise<Map<string, string>> {
  const program = await connectWebSocket(address, { reconnect: false });
  const ids = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    for (let n = 0; n < AT_ONCE; n += 1) {
      const key = `${round}-${n}`;
      program.ask({ key, questions: questionsOf(key), wait: false }).then(
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
    waiting.push(program.ask({ key, questions: questionsOf(key) }));
  }
  const shown: string[] = [];
  const person = await connectWebSocket(address, {
    handlers: {
      question({ program: asking, questions }) {
        shown.push(asking?.key ?? "");
        const [{ id = "", options = [] } = {}] = questions;
        return { items: [{ question_id: id, selected: [options[0]?.id ?? ""] }] };
      },
    },
  });
  const keys = [...before.keys()];
  for (const [n, { outcome, answers }] of (await Promise.all(waiting)).entries()) {
    if (outcome?.status === "answered" && Object.values(answers)[0] === keys[n]) figures.answered += 1;
  }
  figures.shownTwice += shown.length - new Set(shown).size;
  await person.close();
  await program.close();
}
