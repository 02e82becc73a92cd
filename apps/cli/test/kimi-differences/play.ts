import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect } from "vitest";
import { launchOnly, type WireProcess } from "../wire-process.js";
import { normalised } from "./normalised.js";
import { type Scenario, type Step, sessionId } from "./scenario.js";
import { type Entry, keyOf } from "./transcript.js";

/** The time for a message to come and for a command to end. On a busy machine, Kimi's takes minutes to start. */
const PATIENCE_MS = 300_000;

/** A command that speaks the wire: the file to run and its first arguments. */
export type Program = readonly [string, ...string[]];

/** Plays a scenario with a command in folders of its own, and tells all that came of it, normalised. */
export async function play(scenario: Scenario, program: Program): Promise<Entry[]> {
  const root = await mkdtemp(join(tmpdir(), "askwire-kimi-"));
  try {
    return await playIn(root, scenario, program);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function playIn(root: string, scenario: Scenario, program: Program): Promise<Entry[]> {
  const folders = { work: join(root, "work"), share: join(root, "share"), home: join(root, "home") };
  for (const folder of Object.values(folders)) await mkdir(folder);
  for (const [path, text] of Object.entries(scenario.files ?? {})) {
    await mkdir(dirname(join(folders.work, path)), { recursive: true });
    await writeFile(join(folders.work, path), text);
  }
  if (scenario.journal !== undefined) {
    const md5 = createHash("md5").update(folders.work).digest("hex");
    const session = join(folders.share, "sessions", md5, sessionId);
    const lines = scenario.journal.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    await mkdir(session, { recursive: true });
    await writeFile(join(session, "wire.jsonl"), `${lines.join("\n")}\n`);
    await writeFile(join(session, "context.jsonl"), "");
  }
  const scripts = join(root, "scripts.json");
  const config = join(root, "config.json");
  await writeFile(config, JSON.stringify(configuration(scenario, scripts)));
  const flags = ["--wire", "--config-file", config, "--work-dir", folders.work];
  const env = {
    HOME: folders.home,
    ...{ KIMI_SHARE_DIR: folders.share, ASKWIRE_HOME: folders.share },
    ...{ KIMI_DISABLE_TELEMETRY: "1", KIMI_CLI_NO_AUTO_UPDATE: "1", DEBUG: "" },
  };
  const entries: Entry[] = [];
  for (const { scripts: texts = [], args: more = [], steps } of scenario.launches) {
    await writeFile(scripts, JSON.stringify(texts));
    const args = [...flags, ...more.map((argument) => argument.replace("$work", folders.work))];
    const wire = launchOnly(args, { cwd: folders.work, env, program });
    entries.push(
      ...(await drive(wire, steps, {
        patienceMs: scenario.patienceMs ?? PATIENCE_MS,
        records: () => journal(folders.share),
      })),
    );
  }
  entries.push(...(await journal(folders.share)), ...(await files(folders.work)));
  return normalised(entries, { ...folders, root });
}

function configuration({ config = {}, capabilities }: Scenario, scripts: string): object {
  return {
    default_model: "scripted",
    models: {
      scripted: {
        provider: "scripted",
        model: "scripted",
        max_context_size: 100_000,
        capabilities: capabilities ?? ["image_in", "video_in", "thinking"],
      },
    },
    providers: {
      scripted: {
        type: "_scripted_echo",
        ...{ base_url: "", api_key: "" },
        env: { KIMI_SCRIPTED_ECHO_SCRIPTS: scripts },
      },
    },
    loop_control: { max_retries_per_step: 1 },
    ...config,
  };
}

interface Drive {
  /** The time limit of a wait. */
  readonly patienceMs: number;
  /** Reads the journal. */
  records(): Promise<Entry[]>;
}

/** Takes the steps in turn. A wait in vain is told, and ends the run. */
async function drive(
  wire: WireProcess,
  steps: readonly Step[],
  { patienceMs, records }: Drive,
): Promise<Entry[]> {
  const read = new Map<string, number>();
  let probes = 0;
  let ends = false;
  const answered = new Set<number>();
  const stuck: Entry[] = [];

  async function next(from: number, fits: (key: string, index: number) => boolean): Promise<number> {
    const found = await wire.seen((message) => {
      const index = wire.messages.indexOf(message);
      return index >= from && fits(keyOf(message), index);
    }, patienceMs);
    return wire.messages.indexOf(found);
  }
  /**
   * Makes two round trips. Work that a server does beside reading begins with the first and is told before the second.
   */
  async function settle(): Promise<void> {
    for (let trip = 0; trip < 2; trip++) {
      probes += 1;
      const key = `response probe-${probes}`;
      wire.send({ jsonrpc: "2.0", id: `probe-${probes}`, method: "probe" });
      await next(0, (its) => its === key);
    }
  }
  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case "send":
        return wire.send(step.line);
      case "see": {
        const { key, nth = 1 } = step;
        // A client's ids may repeat: the same response can be waited for again.
        const isResponse = key.startsWith("response ");
        let from = isResponse ? 0 : (read.get(key) ?? 0);
        for (let count = 0; count < nth; count++) from = (await next(from, (its) => its === key)) + 1;
        if (!isResponse) read.set(key, from);
        return;
      }
      case "record": {
        const key = `journal ${step.type}`;
        const keys = async () => (await records()).map((entry) => entry.key);
        await expect.poll(keys, { timeout: patienceMs }).toContain(key);
        return;
      }
      case "answer": {
        const key = `request ${step.type}`;
        const index = await next(0, (its, at) => its === key && !answered.has(at));
        answered.add(index);
        const { id } = wire.messages[index] as { id: string };
        const response = JSON.parse(JSON.stringify(step.response).replaceAll('"$id"', JSON.stringify(id)));
        return wire.send({ jsonrpc: "2.0", id, ...response });
      }
      case "settle":
        return settle();
      case "end":
        ends = true;
        if (step.how === "eof") wire.end();
        else wire.child.kill(step.how);
    }
  }

  for (const step of steps) {
    try {
      await take(step);
    } catch {
      stuck.push({ key: `stuck at ${JSON.stringify(step).slice(0, 80)}`, value: null });
      break;
    }
  }
  if (!ends) {
    if (stuck.length === 0) await settle().catch(() => {});
    wire.end();
  }
  const patience = setTimeout(() => wire.child.kill("SIGKILL"), patienceMs);
  const { status, signal } = await wire.ended;
  clearTimeout(patience);
  return [
    ...wire.messages
      .map((message) => ({ key: keyOf(message), value: message }))
      .filter(({ key }) => !/^response probe-\d*[13579]$/.test(key))
      // The client's waits, which cut the messages into pieces.
      .map((entry) => (entry.key.startsWith("response probe-") ? { ...entry, value: null } : entry)),
    ...wire.noise.map((line) => ({ key: "noise", value: line })),
    ...stuck,
    { key: "end", value: { status, signal } },
  ];
}

async function journal(share: string): Promise<Entry[]> {
  const paths = (await walk(join(share, "sessions"))).filter((path) => path.endsWith("wire.jsonl")).sort();
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { message: params, ...record } = readRecord(line);
        return { key: `journal ${params?.type ?? record.type}`, value: { ...record, params } };
      }),
  );
}

function readRecord(line: string): { type?: string; message?: { type: string } } {
  try {
    return JSON.parse(line);
  } catch {
    return { type: `unread ${line}` };
  }
}

async function files(work: string): Promise<Entry[]> {
  const paths = (await walk(work)).sort();
  return Promise.all(
    paths.map(async (path) => ({
      key: `file ${relative(work, path)}`,
      value: await readFile(path, "utf8"),
    })),
  );
}

async function walk(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
