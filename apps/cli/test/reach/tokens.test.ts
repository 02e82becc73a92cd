import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { deviceOf, keepDevice, nameDevice, removeDevice } from "../../src/reach/kept-devices.js";
import { addToken, keptTokens, revokeToken, rotateToken, servedTokens } from "../../src/reach/kept-tokens.js";
import { servedDevices } from "../../src/reach/served-devices.js";
import { askwire, folderWith } from "../askwire.js";
import { serveRemote } from "./remote.js";

const initialize = {
  jsonrpc: "2.0",
  id: "1",
  method: "initialize",
  params: {
    protocol_version: "1.10",
    client: { name: "Mallory" },
    capabilities: { supports_question: true, askwire: { revision: 3 } },
  },
};

/** A client at an address: its part of the session once it is let in, and how it was closed. */
function connected(address: string, headers: Record<string, string>) {
  const socket = new WebSocket(address.replace(/#.*/, ""), ["askwire.v1"], { headers });
  onTestFinished(() => socket.terminate());
  socket.on("error", () => {});
  const ended = new Promise<string>((resolve) =>
    socket.once("close", (code, reason) => resolve(`${code} ${reason}`)),
  );
  socket.once("open", () => socket.send(JSON.stringify(initialize)));
  const found = new Promise<Record<string, unknown>>((resolve) => {
    socket.on("message", (data) => {
      const { id, result } = JSON.parse(String(data));
      if (id === "1") resolve(result.session);
    });
  });
  return { found, ended };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token.trim()}` });

describe("askwire tokens", () => {
  test("a person's token is shown once, kept hashed in a private file, and lets in by that name until it is rotated or revoked", async () => {
    const served = await serveRemote(["--name", "Olga"]);
    const home = { env: { ASKWIRE_HOME: served.share } };
    const { stdout: first, status } = await askwire(["tokens", "add", "Ann", "--role", "answer"], home);
    expect([status, first]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16}-[\w-]{43}\n$/)]);
    const folder = join(served.share, "tokens");
    const [file = ""] = readdirSync(folder);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(readFileSync(join(folder, file), "utf8")).not.toContain(first.trim().slice(17));

    const token = new URL(served.address).hash.slice(1);
    expect(await connected(served.address, bearer(token)).found).toMatchObject({
      principal: { id: "local", name: "Olga", via: "local" },
    });
    const ann = connected(served.address, bearer(first));
    expect(await ann.found).toMatchObject({
      role: "answer",
      principal: { id: "Ann", name: "Ann", via: "token" },
    });
    const { stdout: second } = await askwire(["tokens", "rotate", "ann"], home);
    expect(await ann.ended).toBe("4401 the token was revoked or renewed");
    expect(await connected(served.address, bearer(first)).ended).toBe("4401 the token is missing or wrong");
    const again = connected(served.address, bearer(second));
    expect(await again.found).toMatchObject({ role: "answer", principal: { name: "Ann" } });

    const listed = await askwire(["tokens", "list", "--json"], home);
    expect(JSON.parse(listed.stdout)).toMatchObject({ name: "Ann", role: "answer" });
    expect(listed.stdout).not.toContain(second.trim());
    expect((await askwire(["tokens", "revoke", "Ann"], home)).stdout).toBe("1 token revoked\n");
    expect(await again.ended).toBe("4401 the token was revoked or renewed");
    expect((await askwire(["tokens"], home)).stderr).toBe("nobody has a token: askwire tokens add NAME\n");
    await served.stop();
  });

  test.each([
    ["an empty name", ["add", ""], "tokens add: the name: expected a name, not an empty one"],
    [
      "a mark of direction",
      ["add", "A\u202enn"],
      "tokens add: the name: expected no control characters, marks of direction or invisible characters",
    ],
    [
      "a name of 10 kB",
      ["add", "A".repeat(10_240)],
      "tokens add: the name: expected at most 200 characters, not 10240",
    ],
    [
      "a new secret for nobody",
      ["rotate", "Bob"],
      "tokens rotate Bob: nobody of this name has a token: askwire tokens lists them",
    ],
    [
      "an end for nobody",
      ["revoke", "Bob"],
      "tokens revoke Bob: nobody of this name has a token: askwire tokens lists them",
    ],
  ])("askwire tokens refuses %s in words", async (_, args, why) => {
    const { stderr, stdout, status } = await askwire(["tokens", ...args], {
      env: { ASKWIRE_HOME: await folderWith() },
    });
    expect([stderr, stdout, status]).toEqual([expect.stringContaining(why), "", 2]);
  });

  test("one of two processes that add a name at once has it, and other names are not lost", async () => {
    const home = { env: { ASKWIRE_HOME: await folderWith() } };
    const add = (name: string) => askwire(["tokens", "add", name], home);
    const runs = await Promise.all(["Ann", "ann", "Bob"].map(add));
    expect(runs.map(({ status }) => status).sort()).toEqual([0, 0, 2]);
    expect(runs[2]?.status).toBe(0);
    const { stdout } = await askwire(["tokens", "list", "--json"], home);
    expect(stdout.split("\n").filter(Boolean)).toHaveLength(2);
  });

  test("a file that is damaged is named, lets nobody in, and takes no other with it", async () => {
    const share = await folderWith();
    const folder = join(share, "tokens");
    const secret = addToken(folder, { name: "Ann", role: undefined }) ?? "";
    const [file = ""] = readdirSync(folder);
    writeFileSync(join(folder, file), '{"name": "An');
    addToken(folder, { name: "Bob", role: undefined });
    const { stdout, stderr, status } = await askwire(["tokens"], { env: { ASKWIRE_HOME: share } });
    expect([stdout, status]).toEqual([expect.stringMatching(/^Bob {2}made/), 1]);
    expect(stderr).toContain(`damaged, so that it lets nobody in: ${join(folder, file)}`);
    expect(servedTokens(folder).match(secret)).toBeUndefined();
    expect(addToken(folder, { name: "Ann", role: undefined })).toBeUndefined();
    expect(rotateToken(folder, { name: "Ann" })).toEqual({ problem: "damaged" });
    expect(readFileSync(join(folder, file), "utf8")).toBe('{"name": "An');
    expect(revokeToken(folder, { name: "Ann" })).toBe(true);
  });

  test("each of 1,000 tokens is its person's", async () => {
    const folder = join(await folderWith(), "tokens");
    const secrets = Array.from({ length: 1_000 }, (_, n) =>
      addToken(folder, { name: `P${n}`, role: undefined }),
    );
    const served = servedTokens(folder);
    expect(served.match(secrets[617] ?? "")).toMatchObject({ name: "P617" });
    expect(served.match(`${secrets[617]}x`)).toBeUndefined();
    expect(served.match(`${secrets[617]?.slice(0, 17)}${secrets[3]?.slice(17)}`)).toBeUndefined();
    expect(keptTokens(folder).tokens).toHaveLength(1_000);
  });
});

describe("whose a device is", () => {
  test("a device is given a person, and keeps its token and its last use", async () => {
    const share = await folderWith();
    const folder = join(share, "devices");
    const { id, token } = keepDevice(folder, { name: "Safari on iPhone", role: undefined });
    expect(deviceOf(folder, token)?.person).toBeUndefined();
    const env = { ASKWIRE_HOME: share };
    expect((await askwire(["devices", "name", id, "Ann"], { env })).status).toBe(0);
    expect(deviceOf(folder, token)).toMatchObject({ person: "Ann", name: "Safari on iPhone" });
    expect((await askwire(["devices"], { env })).stdout).toContain(`${id}  Safari on iPhone  of Ann, `);
    expect((await askwire(["devices", "name", "nobody00", "Ann"], { env })).status).toBe(2);
    expect(() => nameDevice(folder, "nobody00", "Ann")).toThrow("ENOENT");
  });
});

describe("askwire serve --trust-header", () => {
  test("a person whom the proxy names is let in by that name, and from elsewhere the header counts for nothing", async () => {
    const trust = ["--trust-header", "X-Forwarded-Email", "--trust-role", "answer", "--trust-from"];
    const headers = { "x-forwarded-email": "ann@corp.example" };
    const proxied = await serveRemote([...trust, "127.0.0.1"]);
    expect(await connected(proxied.address, headers).found).toMatchObject({
      role: "answer",
      principal: { id: "ann@corp.example", name: "ann@corp.example", via: "header" },
    });
    const elsewhere = await serveRemote([...trust, "10.0.0.0/8", "192.0.2.7"]);
    expect(await connected(elsewhere.address, headers).ended).toBe("4401 the token is missing or wrong");
  });

  test.each([
    [["--trust-header", "X-User"], "--trust-header: add --trust-from with the address of the proxy", 2],
    [["--trust-from", "10.0.0.1"], "--trust-from: add --trust-header NAME", 2],
    [["--trust-role", "answer"], "--trust-role: add --trust-header NAME", 2],
    [["--trust-header", "X-User", "--trust-from", "corp"], "corp: expected an address or a range", 1],
    [["--name", ""], "--name: expected a name, not an empty one", 2],
  ])("serve --listen with %j is refused in words", async (args, why, code) => {
    const { stderr, status } = await askwire(["serve", "--listen", "127.0.0.1:0", ...args], {
      env: { ASKWIRE_HOME: await folderWith() },
    });
    expect([stderr, status]).toEqual([expect.stringContaining(why), code]);
  });
});

test("two gateways with the same tokens and devices are both told that one was revoked (P-WHO-4, P-DEV-4)", async () => {
  const folder = await folderWith();
  const secret = addToken(folder, { name: "Ann", role: undefined }) ?? "";
  const tokens = servedTokens(folder);
  const phones = await folderWith();
  const { token, id } = keepDevice(phones, { name: "phone", role: undefined });
  const devices = servedDevices(phones, { codes: { use: () => undefined }, failed: () => {} });
  const told: [string[], string[]] = [[], []];
  for (const one of told) {
    onTestFinished(tokens.watchRevoked((key) => void one.push(key)));
    onTestFinished(devices.watchRevoked((gone) => void one.push(gone)));
  }
  const key = tokens.match(secret)?.key ?? "";
  expect(devices.match(token)).toMatchObject({ id });
  revokeToken(folder, { name: "Ann" });
  removeDevice(phones, id);
  const both = [id, key].sort();
  await expect.poll(() => told.map((one) => one.sort()), { timeout: 60_000 }).toEqual([both, both]);
});
