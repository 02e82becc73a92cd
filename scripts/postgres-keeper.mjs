// Runs an engine of PostgreSQL for tests, and ends it, and removes its folder, once the process that is watched has
// ended, however that ended. Usage: node scripts/postgres-keeper.mjs FOLDER WATCHED_PID [TEMPLATE]. FOLDER/engine.json
// says where it listens, FOLDER/failed.txt why there is none. A parent with a channel may send `kill` and `start`.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const [folder = "", watched = "", template] = process.argv.slice(2);
const data = join(folder, "data");

/** The folder with the programs of the engine. */
function programs() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.ASKWIRE_POSTGRES_BIN ?? process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  const found = folders.find(
    (one) => one !== "" && ["initdb", "postgres"].every((name) => existsSync(join(one, name))),
  );
  // All programs are where a link to one of them leads.
  if (found !== undefined) return dirname(realpathSync(join(found, "postgres")));
  throw new Error(
    "These tests need PostgreSQL 15 or later: install it (Debian: apt-get install postgresql; macOS: brew install postgresql@17), or name the folder of initdb and postgres in ASKWIRE_POSTGRES_BIN.",
  );
}

/** The user that the engine runs as: root may not. */
function identity() {
  if (process.getuid?.() !== 0) return {};
  const number = (/** @type {string} */ flag) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: number("-u"), gid: number("-g") };
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** Makes a cluster with two users: `askwire`, who may do all without a password, and `walled`, who needs one. */
function makeCluster(/** @type {string} */ bin, /** @type {object} */ as) {
  const initdb = join(bin, "initdb");
  const args = ["-D", data, "-U", "askwire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = spawnSync(initdb, args, { ...as, cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
  const hba = join(data, "pg_hba.conf");
  const own = "host all walled 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 trust\n";
  writeFileSync(hba, `${own}${readFileSync(hba, "utf8")}`);
  cpSync(data, join(folder, "template"), { recursive: true });
}

function copyCluster(/** @type {string} */ from, /** @type {{ uid?: number, gid?: number }} */ { uid, gid }) {
  cpSync(from, data, { recursive: true });
  if (uid !== undefined && gid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, data]);
  execFileSync("chmod", ["700", data]);
}

const isReady = () => {
  const file = join(data, "postmaster.pid");
  return existsSync(file) && /\nready\s*$/.test(readFileSync(file, "utf8"));
};

/** Starts the engine, again where one that was killed is not quite gone. */
async function start(/** @type {string} */ bin, /** @type {object} */ as, /** @type {number} */ port) {
  const log = openSync(join(folder, "engine.log"), "a");
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    shared_buffers: "16MB",
  };
  const args = [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  for (let tries = 0; tries < 50; tries += 1) {
    rmSync(join(data, "postmaster.pid"), { force: true });
    const engine = spawn(join(bin, "postgres"), args, { ...as, cwd: folder, stdio: ["ignore", log, log] });
    while (engine.exitCode === null && engine.signalCode === null) {
      if (isReady()) return engine;
      await wait(20);
    }
    await wait(200);
  }
  throw new Error(
    `the engine does not start: ${readFileSync(join(folder, "engine.log"), "utf8").slice(-2_000)}`,
  );
}

/** Kills the engine with all of its processes, so that none of them can do anything more. */
function kill(/** @type {import("node:child_process").ChildProcess} */ engine) {
  const all = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = all
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === engine.pid);
  for (const pid of [engine.pid, ...children.map(([pid]) => pid)]) {
    try {
      process.kill(pid ?? 0, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

const lives = (/** @type {number} */ pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const end = () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
};

async function run() {
  const bin = programs();
  const as = identity();
  mkdirSync(folder, { recursive: true });
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  if (template === undefined) makeCluster(bin, as);
  else copyCluster(template, as);
  const port = await freePort();
  let engine = await start(bin, as, port);
  writeFileSync(join(folder, "engine.json.new"), JSON.stringify({ port, bin, ...as }));
  renameSync(join(folder, "engine.json.new"), join(folder, "engine.json"));
  let work = Promise.resolve();
  process.on("message", (message) => {
    work = work.then(async () => {
      if (message === "kill") kill(engine);
      if (message === "start") engine = await start(bin, as, port);
      if (process.connected) process.send?.("done");
    });
  });
  while (lives(Number(watched)) && (process.send === undefined || process.connected)) await wait(200);
  await work.catch(() => {});
  kill(engine);
  end();
}

run().catch((error) => {
  writeFileSync(join(folder, "failed.txt"), error.message);
  process.exit(1);
});
