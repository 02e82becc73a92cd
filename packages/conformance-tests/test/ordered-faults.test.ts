import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FaultKind, faultKinds, readFaults } from "../src/faults/fault-kinds.js";
import { type Outgoing, playersOf } from "../src/faults/player.js";
import { onStream } from "../src/faults/stream.js";
import {
  clientSuite,
  gatewaySuite,
  isGreen,
  type Suite,
  serverSuite,
  textReport,
  WrongUse,
} from "../src/index.js";
import { sampleOf } from "./python-mutants.js";
import { bundleExtendedServer } from "./servers/bundle.js";
import { pace } from "./this-machine.js";

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ourCommand = beside("../../../apps/cli/dist/askwire.cjs");
const all = Object.keys(faultKinds) as FaultKind[];
const outgoing = (text: string): Outgoing => ({ bytes: Buffer.from(text), mayRepeat: true });

describe("the seed of ordered faults", () => {
  const messages = Array.from({ length: 40 }, (_, index) => outgoing(`{"n":${index},"text":"größer"}`));
  const played = (seed: number, check = "S01") => {
    const player = playersOf({ kinds: all, seed }, check)();
    return messages.map((message) => player.play(message));
  };

  test("the seed of ordered faults decides them: the same one gives the same bytes in the same places, another gives others", () => {
    expect(played(7)).toEqual(played(7));
    expect(played(7)).not.toEqual(played(8));
    expect(played(7)).not.toEqual(played(7, "S02"));
  });

  test("ordered faults change no message: between the faults each is there, whole and in order", () => {
    const bytes = played(7).flatMap(({ steps }) => steps.map(({ parts }) => onStream(parts)));
    const read = Buffer.concat(bytes)
      .toString()
      .split("\n")
      .map((line) => line.replace(/\r$/, ""));
    const sent = messages.map(({ bytes }) => bytes.toString());
    expect([...new Set(read.filter((line) => sent.includes(line)))]).toEqual(sent);
    expect(new Set(read.filter((line) => !sent.includes(line)))).toEqual(
      new Set(["", "\ufeff", '{"jsonrpc":"2.0","id":"conformance-nobody-asked","result":{}}']),
    );
  });

  test("the seed of ordered faults is taken from the command line, or drawn, and the report says how to have the same again", () => {
    expect(readFaults("split, CRLF", "42")).toEqual({ kinds: ["split", "crlf"], seed: 42 });
    const drawn = readFaults("all", undefined);
    expect(drawn?.kinds).toEqual(all);
    const report = { subject: "server", command: ["x"], results: [], durationMs: 1 } as const;
    expect(textReport({ ...report, faults: { kinds: all, seed: 42 } })).toContain(": --faults --seed 42\n");
    expect(textReport({ ...report, faults: { kinds: ["split", "bom"], seed: 1 } })).toContain(
      ": --faults split,bom --seed 1\n",
    );
    for (const [words, seed] of [["splat"], ["split", "-1"], ["split", "1e3"], [undefined, "1"]])
      expect(() => readFaults(words, seed)).toThrow(WrongUse);
  });
});

let folder: string;
let extendedServer: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extended-server-"));
  extendedServer = await bundleExtendedServer(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Peer {
  readonly suite: Suite;
  readonly ids: readonly string[];
  command(fault?: string): string[];
}

const server: Peer = {
  suite: serverSuite,
  ids: ["S28", "S43", "S44"],
  command: (fault = "none") => [process.execPath, beside("servers/base-server.mjs"), "--fault", fault],
};
const gateway: Peer = {
  suite: gatewaySuite,
  ids: ["X51", "X52"],
  command: (fault = "none") => [process.execPath, extendedServer, "--fault", fault, "--listen"],
};
const client: Peer = {
  suite: clientSuite,
  ids: ["C24", "C28", "C30"],
  command: (fault = "none") => [process.execPath, beside("clients/broken-client.mjs"), fault],
};
const connected: Peer = {
  suite: clientSuite,
  ids: ["CX16", "CX21"],
  command: (fault = "none") => [
    process.execPath,
    beside("clients/broken-extended-client.mjs"),
    fault,
    "{url}",
  ],
};

const run = (
  { suite, ids }: Peer,
  command: string[],
  kinds: readonly FaultKind[] | undefined,
  timeoutMs = 20_000,
) =>
  suite.run({
    command,
    only: new Set(ids),
    timeoutMs,
    probes: false,
    retries: 0,
    pace,
    concurrency: 3,
    ...(kinds && { faults: { kinds, seed: 4 } }),
  });

describe.concurrent("a correct program with ordered faults", () => {
  test.each([
    [
      "our command as a server",
      { ...server, ids: ["S28", "S40", "S44", "X22", "X24"] },
      [ourCommand, "--wire"],
    ],
    ["our command as a gateway", gateway, [ourCommand, "serve", "--listen", "127.0.0.1:0"]],
    [
      "our client",
      { ...client, ids: ["C24", "C41", "CX06", "CX24", "CX28"] },
      [beside("../../../examples/conformance-client.mjs"), "{url}"],
    ],
  ] as const)(
    "a correct program survives all ordered faults: %s",
    async (_name, peer, [program, ...args]) => {
      const report = await run(peer, [process.execPath, program, ...args], all, 60_000);
      expect(isGreen(report), textReport(report)).toBe(true);
      expect(report.results.map(({ status }) => status)).not.toContain("skipped");
    },
  );
});

/** What the program does wrong, the program, its name for that, and the kind of faults that shows it. */
const broken: [what: string, peer: Peer, fault: string, kind: FaultKind][] = [
  ["a server that reads only whole chunks", server, "whole-chunks", "split"],
  ["a server that reads one message of a chunk", server, "one-a-chunk", "together"],
  ["a server that dies on CR LF", server, "dies-on-cr", "crlf"],
  ["a server that dies on a blank line", server, "dies-on-blank", "blank"],
  ["a server that dies on a byte-order mark", server, "dies-on-mark", "bom"],
  ["a server that takes an answer twice", server, "settles-again", "repeat"],
  ["a gateway that forgets replies", gateway, "forgets-answers", "repeat"],
  ["a gateway that lets nobody come back", gateway, "no-second-visit", "drop"],
  ["a client that reads only whole chunks", client, "reads whole chunks only", "split"],
  ["a client that dies on CR LF", client, "dies on CR LF", "crlf"],
  ["a client that dies on a blank line", client, "dies on a blank line", "blank"],
  ["a client that dies on broken JSON", client, "dies on broken JSON", "bom"],
  ["a client that makes a turn of each prompt", connected, "makes a turn of each prompt", "drop"],
];

describe.concurrent("a broken program with ordered faults", () => {
  test.each(sampleOf(2, broken))(
    "a broken program is seen with ordered faults and not without: %s",
    async (_what, peer, fault, kind) => {
      const [plain, faulty] = await Promise.all([
        run(peer, peer.command(fault), undefined),
        run(peer, peer.command(fault), [kind], 2_000),
      ]);
      expect(isGreen(plain), textReport(plain)).toBe(true);
      expect(faulty.results.map(({ status }) => status)).toContain("failed");
    },
  );
});
