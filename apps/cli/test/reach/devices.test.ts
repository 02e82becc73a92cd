import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { encode } from "uqr";
import { describe, expect, onTestFinished, test } from "vitest";
import { deviceIds, deviceOf, keepDevice, keptDevices } from "../../src/reach/kept-devices.js";
import { pairingCodes } from "../../src/reach/pairing-codes.js";
import { qrLines } from "../../src/reach/qr.js";
import { askwire, colourScript, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { found, opened, pair, serveRemote } from "./remote.js";

const refusedCode =
  '403 {"error":"the code is wrong, used or expired: make a new one where the server runs"}';

const connect = (address: string, token: string) =>
  connectWebSocket(address.replace(/#.*/, ""), { token, handlers: {}, reconnect: false });

describe("askwire serve --open", () => {
  test("serve --open gives the browser only a private file, which redirects with a code that counts once, and is deleted", async () => {
    const { arg, file, mode, page, address, stop } = await opened();
    expect(arg).toMatch(/^file:\/\/\S+\/open\.html$/);
    expect([mode, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const token = new URL(address).hash.slice(1);
    expect([arg, readFileSync(file, "utf8")].join()).not.toContain(token);
    const session = address.replace(/.*\/wire\/([^#]+)#.*/, "$1");
    expect(page).toMatch(
      new RegExp(
        `^${new URL(address).origin.replace(/^ws/, "http")}/#code=[A-Z2-9]{5}-[A-Z2-9]{5}&session=${session}$`,
      ),
    );
    const gone = found(dirname(dirname(file)), () => (existsSync(dirname(file)) ? undefined : true));
    expect(await pair(page)).toMatchObject({ device: expect.stringMatching(/^[0-9a-v]{8}$/) });
    await gone;
    await expect(pair(page)).rejects.toThrow(refusedCode);
    expect(await stop()).toBe("");
  });

  test("serve --open leaves no file behind where nobody has come", async () => {
    const { file, stop } = await opened();
    await stop();
    expect(existsSync(dirname(file))).toBe(false);
  });

  test.each([
    ["no file can be made", async () => ({ TMPDIR: "/nowhere" }), "ENOENT.*"],
    ["it could not open the browser", async () => ({ PATH: await folderWith() }), "xdg-open: .*"],
  ])("serve --open says that %s, and continues", async (_what, env, why) => {
    const { child, ended } = await serveRemote(["--open"], { env: await env() });
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill("SIGTERM");
    const { stderr, status } = await ended;
    const line = `^askwire: --open: could not open the browser \\(${why}\\): open the address above\n$`;
    expect(stderr).toMatch(new RegExp(line));
    expect(status).toBe(0);
  });
});

describe("a paired device", () => {
  test("a paired device connects by its token, even to the next server, is kept hashed in a private file, and is listed", async () => {
    const one = await opened();
    const { token, device } = await pair(one.page);
    const session = await connect(one.address, token);
    await session.close();
    await one.stop();
    const file = join(one.share, "devices", `${device}.json`);
    expect(await readdir(dirname(file))).toEqual([`${device}.json`]);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      name: "Firefox on Linux",
      token_sha256: createHash("sha256").update(token).digest("hex"),
      created_at: expect.any(String),
    });
    const two = await serveRemote([], { home: one.share });
    await (await connect(two.address, token)).close();
    await expect(connect(two.address, `${device}-${"A".repeat(43)}`)).rejects.toThrow("refused the token");

    const env = { ASKWIRE_HOME: one.share };
    const { stdout } = await askwire(["devices"], { env });
    expect(stdout).toBe(`${device}  Firefox on Linux  used < 1 min ago, paired < 1 min ago\n`);
    const { stdout: json } = await askwire(["devices", "list", "--json"], { env });
    expect(JSON.parse(json)).toEqual({
      id: device,
      name: "Firefox on Linux",
      created_at: expect.stringMatching(/Z$/),
      used_at: expect.stringMatching(/Z$/),
    });
  });

  test("a revoked device loses its connections to running servers, and other devices keep theirs", async () => {
    const { address, page, share } = await opened();
    const { token, device } = await pair(page);
    const own = await connect(address, new URL(address).hash.slice(1));
    const session = await connect(address, token);
    const env = { ASKWIRE_HOME: share };
    expect((await askwire(["devices", "revoke", device], { env })).stdout).toBe("1 device revoked\n");
    await session.closed;
    await expect(connect(address, token)).rejects.toThrow("refused the token");
    expect((await askwire(["devices"], { env })).stderr).toBe("no device is paired\n");
    expect(await own.listSessions()).not.toEqual([]);
    await own.close();
  });

  test.each(["nothing1", "../token", ""])(
    "a device cannot be revoked by %j, which is not an id",
    async (id) => {
      const env = { ASKWIRE_HOME: await folderWith() };
      const { status, stderr } = await askwire(["devices", "revoke", id], { env });
      expect([status, stderr]).toEqual([
        2,
        `askwire: devices revoke ${id}: no device has this id: askwire devices lists them\n`,
      ]);
    },
  );

  test("a device whose file is damaged is not let in", async () => {
    const one = await opened();
    const { token, device } = await pair(one.page);
    await writeFile(join(one.share, "devices", `${device}.json`), "{");
    await expect(connect(one.address, token)).rejects.toThrow("refused the token");
  });

  test("the longest unused device is forgotten for the hundred and first", async () => {
    const folder = join(await folderWith(), "devices");
    const [first, second] = [1, 2].map(() => keepDevice(folder, { name: "", role: undefined }));
    await utimes(join(folder, `${first?.id}.json`), 1, 1);
    for (let count = 2; count < 101; count += 1) keepDevice(folder, { name: "", role: undefined });
    expect(deviceOf(folder, first?.token as string)).toBeUndefined();
    expect(deviceOf(folder, second?.token as string)).toMatchObject({ id: second?.id });
    expect(deviceIds(folder).length).toBe(100);
  });

  test("a device whose last use is long ago counts as used when it connects", async () => {
    const folder = join(await folderWith(), "devices");
    const { id, token } = keepDevice(folder, { name: "", role: undefined });
    await utimes(join(folder, `${id}.json`), 1, 1);
    deviceOf(folder, token);
    expect(keptDevices(folder)[0]?.usedAt).toBeGreaterThan(1_000_000);
  });

  test("a device that cannot be kept is reported to both sides, and the code stays valid", async () => {
    const home = await folderWith({ devices: "a file" });
    const one = await opened([], { home });
    const failed = new Promise((resolve) => one.child.stderr.once("data", resolve));
    await expect(pair(one.page)).rejects.toThrow("500");
    expect(await failed).toMatch(
      /^askwire: a device cannot be kept \(E.*\): set ASKWIRE_HOME to another folder\n$/,
    );
    await expect(pair(one.page)).rejects.toThrow("500");
  });
});

describe("askwire serve --qr", () => {
  async function drawn(args: readonly string[] = [], columns = 80) {
    const cwd = await folderWith({ "s.json": colourScript });
    const line = ["serve", "--listen", "127.0.0.1:0", "--script", "s.json", "--qr", ...args];
    const env = { ASKWIRE_HOME: await folderWith() };
    const terminal = openAskwire(line, { cwd, columns, rows: 60, env });
    onTestFinished(() => terminal.close());
    const codes = (screen: string) =>
      [...screen.matchAll(/^ {2}(http:\/\/\S+#code=\S+)$/gm)].map(([, url]) => url as string);
    return { terminal, codes, env };
  }

  test("serve --qr draws a code for a phone with its address below, and another at Enter", async () => {
    const { terminal, codes } = await drawn();
    const screen = await terminal.waitFor(/#code=\S+$/m);
    expect(screen).toContain("askwire: --qr: a phone cannot reach this address");
    expect(screen).toMatch(
      /Pair a device: scan this, or open the address\. It counts once, for 10 minutes; Enter makes another\.\n/,
    );
    expect(screen.match(/[▀▄█ ]{30,}/g)?.length).toBeGreaterThan(15);
    terminal.type("\r");
    const [first = "", second = ""] = codes(await terminal.waitFor(/#code=[\s\S]*#code=\S+$/m));
    expect(first).not.toBe(second);
    expect(await pair(first)).not.toHaveProperty("role");
    await pair(second);
    terminal.type("\u0003");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  });

  test("serve --qr answer draws a code for a device that may only answer (P-XRL-2)", async () => {
    const { terminal, codes } = await drawn(["answer"]);
    const [address = ""] = codes(await terminal.waitFor(/#code=\S+$/m));
    expect(terminal.screen()).toContain("Pair a device that may only answer: ");
    const { token, role } = await pair(address);
    expect(role).toBe("answer");
    const [, wire = ""] = /^(ws:\/\/\S+)$/m.exec(terminal.screen()) ?? [];
    const session = await connect(wire, token);
    expect(session.role).toBe("answer");
    await session.close();
  });

  test("serve --qr --qr-for draws a code whose device is that person's, and the name can be changed later (P-DEV-7)", async () => {
    const { terminal, codes, env } = await drawn(["answer", "--qr-for", "Ann"]);
    const [page = ""] = codes(await terminal.waitFor(/#code=\S+$/m));
    expect(terminal.screen()).toContain("Pair a device of Ann that may only answer: ");
    const { device } = await pair(page);
    const listed = async () => JSON.parse((await askwire(["devices", "list", "--json"], { env })).stdout);
    expect(await listed()).toMatchObject({ id: device, role: "answer", person: "Ann" });
    await askwire(["devices", "name", device, "Ben"], { env });
    expect(await listed()).toMatchObject({ id: device, person: "Ben" });
  });

  test("serve --qr draws two modules of the code in each character, dark on light", () => {
    const text = `http://192.0.2.7:8443/#code=K7QMD-X2PFA&session=${randomUUID()}`;
    const { data } = encode(text, { border: 2 });
    const read = qrLines(text, 80)?.flatMap((line) => {
      const [on, off] = ["\u001b[30;107m", "\u001b[0m"];
      expect([line.startsWith(on), line.endsWith(off)]).toEqual([true, true]);
      const blocks = line.slice(on.length, -off.length);
      return ["█▀", "█▄"].map((dark) => Array.from(blocks, (block) => dark.includes(block)));
    });
    expect(read?.slice(0, data.length)).toEqual(data);
    expect(read?.slice(data.length).flat()).not.toContain(true);
  });

  test("serve --qr reports a window that is too narrow", async () => {
    const { terminal } = await drawn([], 20);
    await terminal.waitFor("(the window is too narrow for the code)");
  });

  test("serve --qr is refused where standard output is not a terminal", async () => {
    const { stderr, status, stdout } = await askwire(["serve", "--listen", "127.0.0.1:0", "--qr"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("askwire: --qr needs a terminal as standard output: leave it out\n");
  });
});

describe("a pairing code", () => {
  const phone = { id: "d0", name: "Chrome on Android" };

  /** Codes with a clock that is advanced by hand. */
  function codes() {
    const timers = new Map<() => void, number>();
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      after(ms: number, action: () => void) {
        timers.set(action, ms);
        return () => void timers.delete(action);
      },
    };
    const advance = (ms: number) => {
      for (const [action, due] of [...timers]) if (due <= ms) action();
    };
    return { codes: pairingCodes(clock), advance, timers };
  }

  test("a pairing code has 50 random bits in letters that are not mistaken for one another", () => {
    const { codes: set } = codes();
    const made = Array.from({ length: 200 }, () => set.make({}));
    expect(new Set(made).size).toBe(200);
    for (const code of made) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
  });

  test("a pairing code counts once, in small letters and without its hyphen too", () => {
    const { codes: set, timers } = codes();
    const over: unknown[] = [];
    const code = set.make({ role: "answer" }, (device) => over.push(device));
    expect(set.use(`${code}X`, () => phone)).toBeUndefined();
    const used = set.use(code.toLowerCase().replace("-", ""), (wanted) => ({ ...phone, ...wanted }));
    expect(used).toEqual({ ...phone, role: "answer" });
    expect(set.use(code, () => phone)).toBeUndefined();
    expect([over, timers.size]).toEqual([[phone], 0]);
  });

  test("a pairing code is not used up by a use that fails", () => {
    const { codes: set } = codes();
    const code = set.make({});
    expect(() =>
      set.use(code, () => {
        throw new Error("full");
      }),
    ).toThrow("full");
    expect(set.use(code, () => phone)).toBe(phone);
  });

  test("a pairing code expires after ten minutes", () => {
    const { codes: set, advance } = codes();
    let over = 0;
    const code = set.make({}, () => (over += 1));
    advance(599_999);
    expect(over).toBe(0);
    advance(600_000);
    expect([over, set.use(code, () => phone)]).toEqual([1, undefined]);
  });

  test("a pairing code that is ended no longer counts, and another one does", () => {
    const { codes: set } = codes();
    const over: unknown[] = [];
    const [code, other] = [set.make({}, (device) => over.push(device)), set.make({})];
    set.end(code);
    set.end(code);
    expect([over, set.use(code, () => phone), set.use(other, () => phone)]).toEqual([
      [undefined],
      undefined,
      phone,
    ]);
  });

  test("a pairing code expires with the ninth code made after it", () => {
    const { codes: set, timers } = codes();
    const [first = "", second = ""] = Array.from({ length: 9 }, () => set.make({}));
    expect([set.use(first, () => phone), set.use(second, () => phone)]).toEqual([undefined, phone]);
    set.close();
    expect(timers.size).toBe(0);
  });
});
