import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, test } from "vitest";
import { administrator } from "../../../../packages/postgres/test/at-work.js";
import { mortalEngine, sharedEngine } from "../../../../scripts/postgres-engine.js";
import { askwire, command, folderWith, startAskwire } from "../askwire.js";
import { answeredAt, askedAt, placeWithDatabase } from "./in-database.js";

describe("askwire serve --store", () => {
  test("a question of a killed server is open under its id in the next one, which goes on with the answer and tells it", async () => {
    const place = await placeWithDatabase();
    const first = await place.serve(...place.store);
    const id = await askedAt(first.address);
    await expect
      .poll(() => place.rows("select open from $schema.session"))
      .toMatchObject([{ open: expect.stringContaining(id) }]);
    first.child.kill("SIGKILL");
    await first.ended;
    await place.endLeases();
    const next = await place.serve(...place.store, "--script", "say.json");
    expect(await answeredAt(next.address)).toEqual([id]);
    const told = await askwire(["audit", "--connect", next.address], { env: place.env });
    expect(told.stdout).toMatch(/^\S+ \S+ +answered .* → Red +\[/);
    next.child.kill("SIGTERM");
    expect(await next.ended).toMatchObject({ status: 0, stderr: "" });
    expect(await place.rows("select id, owner, open from $schema.session")).toEqual([
      { id: "mine", owner: null, open: null },
    ]);
    expect(await place.rows("select id from $schema.node")).toEqual([]);
  });

  test("a session that another server has is refused in one line, and a server that ends gives it back at once", async () => {
    const place = await placeWithDatabase();
    const first = await place.serve(...place.store);
    const args = ["serve", "--listen", "127.0.0.1:0", "--session", "mine", ...place.store];
    const refused = await askwire(args, { cwd: place.cwd, env: { ASKWIRE_HOME: place.home } });
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      new RegExp(
        `^askwire: [^\\n]*process ${first.child.pid} on [^\\n]* has the session: close it there[^\\n]*\\n$`,
      ),
    );
    first.child.kill("SIGTERM");
    await first.ended;
    const next = await place.serve(...place.store);
    next.child.kill("SIGTERM");
    expect((await next.ended).status).toBe(0);
  });

  test("a server whose session another one has taken keeps and acknowledges nothing more of it", async () => {
    const place = await placeWithDatabase();
    const first = await place.serve(...place.store);
    const before = await connectWebSocket(first.address, { handlers: {}, reconnect: false });
    await place.endLeases();
    const next = await place.serve(...place.store);
    await expect(before.prompt("Choose a colour").result).rejects.toThrow();
    first.child.kill("SIGTERM");
    const { stderr } = await first.ended;
    expect(stderr).toMatch(/fenced: .*nothing more of the session is kept/);
    expect(stderr).not.toContain("it is tried again");
    expect(await askedAt(next.address)).toBeDefined();
    const opened = await place.rows("select text from $schema.line where text like '%SessionOpened%'");
    expect(opened).toEqual([{ text: expect.stringContaining(`"process":${next.child.pid},`) }]);
  });

  test("a client over standard streams has its session in the database, and --continue finds it there", async () => {
    const place = await placeWithDatabase();
    const say = async (...args: string[]) => {
      const line = ["serve", "--stdio", "--script", "say.json", ...place.store, ...args];
      const { child, ended } = startAskwire(line, { cwd: place.cwd, env: place.env });
      const prompt = { jsonrpc: "2.0", method: "prompt", id: "1", params: { user_input: "Good morning" } };
      child.stdin.write(`${JSON.stringify(prompt)}\n`);
      let text = "";
      child.stdout.on("data", (piece: string) => {
        text += piece;
        if (text.includes('"status":"finished"')) child.stdin.end();
      });
      return ended;
    };
    expect(await say("--session", "mine")).toMatchObject({ status: 0, stderr: "" });
    expect(await say("--continue")).toMatchObject({ status: 0, stderr: "" });
    expect(await place.rows("select id, title, generation, owner from $schema.session")).toEqual([
      { id: "mine", title: "Good morning", generation: 2, owner: null },
    ]);
  });

  test("a session that another process has is refused before an agent is started, and the command ends", async () => {
    const place = await placeWithDatabase();
    const line = ["serve", "--stdio", "--session", "mine", ...place.store];
    const { child } = startAskwire([...line, "--script", "say.json"], { cwd: place.cwd, env: place.env });
    const prompt = { jsonrpc: "2.0", method: "prompt", id: "1", params: { user_input: "Good morning" } };
    child.stdin.write(`${JSON.stringify(prompt)}\n`);
    let said = "";
    child.stdout.on("data", (piece: string) => {
      said += piece;
    });
    await expect.poll(() => said, { timeout: 60_000 }).toContain('"status":"finished"');
    const silent = "require('fs').writeFileSync('started', ''); setInterval(() => {}, 60_000)";
    const args = [...line, "--", process.execPath, "-e", silent];
    const { status, stdout, stderr } = await startAskwire(args, { cwd: place.cwd, env: place.env }).ended;
    expect([status, stdout, existsSync(join(place.cwd, "started"))]).toEqual([1, "", false]);
    expect(stderr).toMatch(
      /^askwire: the session is in use by another process \([^\n]*\/mine\): end that process or use another session\n$/,
    );
  });
});

/** The words on standard error of `askwire serve --stdio --store …` where it cannot begin. */
async function refusal(args: readonly string[], cwd?: string) {
  const { status, stdout, stderr } = await askwire(["serve", "--stdio", ...args], {
    cwd: cwd ?? (await folderWith()),
    env: { ASKWIRE_HOME: await folderWith() },
  });
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^askwire: [^\n]*\n$/);
  return { status, line: stderr.trimEnd() };
}

describe("askwire serve --store says in one line why it cannot begin, and what to do", () => {
  test.each([
    ["mysql://ann:s3cret@h/d", "expected disk, or an address such as postgres://"],
    ["postgres://ann:s3cret@h/d", "the address carries a password, .*add --store-password-file FILE$"],
    ["postgres://ann@h/d?password=s3cret", "the address carries a password"],
    ["", "expected disk, or an address"],
  ])("where the address is %j, without showing its password", async (address, words) => {
    const { status, line } = await refusal(["--store", address]);
    expect(status).toBe(2);
    expect(line).toMatch(new RegExp(words));
    expect(line).not.toContain("s3cret");
  });

  test.each([
    [["--store-password-file", "db.txt"], "--store-password-file needs a database: add --store postgres://"],
    [["--store", "disk", "--store-schema", "x"], "--store-schema needs a database"],
    [
      ["--store", "postgres://a@h/d", "--store-schema", "A b"],
      "--store-schema A b: expected at most 63 small",
    ],
  ])("for %j", async (args, words) => {
    const { status, line } = await refusal(args);
    expect([status, line]).toEqual([2, expect.stringContaining(words)]);
  });

  test("where others may read the file of the password, or it has no password", async () => {
    const cwd = await folderWith({ "db.txt": "s3cret\n", "empty.txt": "\n" });
    const args = (file: string) => ["--store", "postgres://a@h/d", "--store-password-file", file];
    await chmod(join(cwd, "db.txt"), 0o644);
    await chmod(join(cwd, "empty.txt"), 0o600);
    expect(await refusal(args("db.txt"), cwd)).toEqual({
      status: 2,
      line: expect.stringMatching(/db\.txt: others may read or change it \(mode 0644\): chmod 600 db\.txt$/),
    });
    expect((await refusal(args("empty.txt"), cwd)).line).toContain(
      "expected the password alone, in one line",
    );
    expect((await refusal(args("none.txt"), cwd)).line).toContain("no such file");
  });

  test("where the file of the password is root's and its group may read it, as Kubernetes and systemd give it to a service", async () => {
    const cwd = await folderWith({ "db.txt": "s3cret\n" });
    await chmod(join(cwd, "db.txt"), 0o440);
    const isOfRoot = process.getuid?.() === 0;
    const { line } = await refusal(
      ["--store", "postgres://a@127.0.0.1:1/d", "--store-password-file", "db.txt"],
      cwd,
    );
    expect(line).toContain(isOfRoot ? "check that it runs" : "others may read or change it (mode 0440)");
  });

  test("where the engine is away", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    const { status, line } = await refusal(["--store", `postgres://a@127.0.0.1:${port}/d`]);
    expect(status).toBe(1);
    expect(line).toMatch(new RegExp(`^askwire: --store: 127.0.0.1:${port}/d: .*check that it runs`));
  });

  test("where the database is not there, only reads, or has later tables", async () => {
    const place = await placeWithDatabase();
    const { url } = await sharedEngine();
    const none = await refusal(["--store", url.replace(/postgres$/, "none")]);
    expect(none.line).toMatch(/there is no such database: create it first/);
    const reads = await refusal(["--store", `${url}?options=-c%20default_transaction_read_only%3Don`]);
    expect(reads.line).toMatch(/only reads: check default_transaction_read_only/);
    (await place.serve(...place.store)).child.kill("SIGTERM");
    await place.db.query(`insert into ${place.schema}.version (number) values (99)`);
    const later = await refusal(place.store);
    expect(later.line).toMatch(/has version 99, .*update @askwire\/postgres$/);
    expect([none, reads, later].map(({ status }) => status)).toEqual([1, 1, 1]);
  });

  test("where the password is wrong, and begins with the one in the file", async () => {
    await using engine = await mortalEngine();
    const db = await administrator(engine.url);
    await db.query("create role walled login superuser password 'right one'");
    const cwd = await folderWith({ wrong: "s3cret\n", right: "right one\n" });
    for (const file of ["wrong", "right"]) await chmod(join(cwd, file), 0o600);
    const url = engine.url.replace("askwire@", "walled@");
    const args = (file: string) => ["--store", url, "--store-password-file", file];
    const { status, line } = await refusal(args("wrong"), cwd);
    expect(status).toBe(1);
    expect(line).toMatch(/refuses this user: check user, password and pg_hba.conf/);
    expect(line).not.toContain("s3cret");
    const right = await askwire(["serve", "--stdio", ...args("right")], { cwd });
    expect(right).toMatchObject({ status: 0, stderr: "" });
  });

  test("where its standbys are asynchronous, unless that is accepted", async () => {
    await using engine = await mortalEngine();
    const db = await administrator(engine.url);
    await db.query("select pg_create_physical_replication_slot('standby')");
    const { status, line } = await refusal(["--store", engine.url]);
    expect(status).toBe(1);
    expect(line).toMatch(/standbys are asynchronous, .*or --allow-async-standby if you accept that$/);
    const accepted = await askwire(["serve", "--stdio", "--store", engine.url, "--allow-async-standby"]);
    expect(accepted).toMatchObject({ status: 0, stderr: "" });
  });

  test("where the package is not installed next to the command, and finds it there once it is", async () => {
    const folder = await folderWith();
    const home = join(folder, "node_modules", "askwire");
    const own = dirname(dirname(command));
    for (const part of ["bin", "dist", "package.json"])
      await cp(join(own, part), join(home, part), { recursive: true });
    const { url } = await sharedEngine();
    const run = (...args: string[]) =>
      new Promise((resolve) => {
        const line = [join(home, "bin", "askwire.js"), ...args];
        const child = execFile(process.execPath, line, { cwd: folder }, (error, stdout, stderr) =>
          resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
        );
        child.stdin?.end();
      });
    const missing = await run("serve", "--stdio", "--store", url);
    expect(missing).toEqual({
      status: 1,
      stdout: "",
      stderr:
        'askwire: --store: @askwire/postgres is not installed: install it next to this command, with "npm install @askwire/postgres", and with -g where the command is global\n',
    });
    await mkdir(join(folder, "node_modules", "@askwire"));
    const installed = join(own, "..", "..", "packages", "postgres");
    await symlink(installed, join(folder, "node_modules", "@askwire", "postgres"));
    expect(await run("serve", "--stdio", "--store", url)).toMatchObject({ status: 0, stderr: "" });
  });
});
