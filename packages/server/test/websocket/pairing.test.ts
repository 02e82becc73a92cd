import { describe, expect, test } from "vitest";
import type { ListenOptions } from "../../src/websocket.js";
import { drivenClock } from "../driven-clock.js";
import { listening, openQuestion } from "./gateway.js";
import { memoryDevices } from "./memory-devices.js";
import { plainRequest } from "./plain-request.js";

const json = { "content-type": "application/json" };
const pairing = (port: number, code: unknown, headers: Record<string, string> = {}) =>
  plainRequest(port, "/pair", {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ code }),
  });
const wrong = '{"error":"the code is wrong, used or expired: make a new one where the server runs"}';

async function open(codes: Parameters<typeof memoryDevices>[0], listen: ListenOptions = {}) {
  const memory = memoryDevices(codes);
  const set = await openQuestion({ listen: { ...listen, devices: memory.devices } });
  const pair = async (code: string) => JSON.parse((await pairing(set.port, code)).text);
  return { ...memory, ...set, pair };
}

describe("a device that is paired by a code (P-DEV-1 to P-DEV-4)", () => {
  test("a paired device connects with the token that it was given, and the code counts once", async () => {
    const { port, pair, join, unharmed } = await open({ CODE: "any" });
    const { token, device, ...rest } = await pair("CODE");
    expect([device, rest]).toEqual(["d0", {}]);
    expect((await join(undefined, { token })).isClosed).toBe(false);
    expect(await pairing(port, "CODE")).toMatchObject({ status: 403, text: wrong });
    await unharmed();
  });

  test("a paired device may only answer where the code was made for that (P-XRL-2)", async () => {
    const { session, pair, join } = await open({ CODE: "answer" });
    const { token, role } = await pair("CODE");
    expect(role).toBe("answer");
    const client = await join(session, { token });
    expect(await client.call("prompt", { user_input: "hi" })).toMatchObject({ error: { code: -32014 } });
  });

  test("a paired device's token counts neither in the query nor in a cookie (P-SEC-2)", async () => {
    const memory = await open({ CODE: "any" });
    const { token } = await memory.pair("CODE");
    for (const [path, headers] of [
      [`/wire?token=${token}`, {}],
      ["/wire", { cookie: `token=${token}` }],
    ] as const) {
      const stranger = await memory.open(path, { token: null, headers });
      expect(await stranger.ended).toBe("4401 the token is missing or wrong");
    }
  });

  test("a paired device is closed with 4401 when it is revoked, all its connections, and no other", async () => {
    const { pair, join, open: connect, revoke, unharmed } = await open({ ONE: "any", TWO: "any" });
    const [{ token }, other] = [await pair("ONE"), await pair("TWO")];
    const mine = [await join(undefined, { token }), await join(undefined, { token })];
    const theirs = await join(undefined, { token: other.token });
    revoke(token);
    for (const client of mine) expect(await client.ended).toBe("4401 the device was revoked");
    expect(await (await connect("/wire", { token })).ended).toBe("4401 the token is missing or wrong");
    expect(theirs.isClosed).toBe(false);
    await unharmed();
  });

  test("a paired device is let in also from where wrong tokens came", async () => {
    const { pair, join, open: connect, refused } = await open({ CODE: "any" });
    const { token } = await pair("CODE");
    for (let attempt = 0; attempt < 10; attempt += 1) await (await connect("/wire", { token: "no" })).ended;
    expect(await refused("/wire", { token: "no" })).toMatch(/^429/);
    expect((await join(undefined, { token })).isClosed).toBe(false);
  });

  test.each([
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1", "Safari on iPhone"],
    ["Mozilla/5.0 (Linux; Android 16) Chrome/153.0 Mobile Safari/537.36", "Chrome on Android"],
    ["Mozilla/5.0 (Windows NT 10.0) Chrome/153.0 Safari/537.36 Edg/153.0", "Edge on Windows"],
    ["x".repeat(200), "x".repeat(60)],
    ["", "unknown"],
  ])("a paired device is named by what it says it is: %s", async (userAgent, name) => {
    const { port, names } = await open({ CODE: "any" });
    await pairing(port, "CODE", { "user-agent": userAgent });
    expect(names).toEqual([name]);
  });

  test("a paired device is no longer watched once the gateway is closed", async () => {
    const { gateway, watchers } = await open({});
    expect(watchers.size).toBe(1);
    await gateway.close();
    expect(watchers.size).toBe(0);
  });
});

describe("a code for pairing (P-DEV-2, P-DEV-3)", () => {
  test("ten wrong codes are tried of many at once", async () => {
    const { port, unharmed } = await open({ CODE: "any" });
    const guesses = Array.from({ length: 100 }, (_, at) => pairing(port, `GUESS${at}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    expect((await pairing(port, "CODE")).status).toBe(429);
    await unharmed();
  });

  test("wrong codes of one visitor behind a proxy do not shut out another, and a hundred shut out all", async () => {
    const { port, pair } = await open({ CODE: "any", LATER: "any" });
    const from = (visitor: string) => ({ "x-forwarded-for": visitor });
    const guess = async (visitor: string) => (await pairing(port, "GUESS", from(visitor))).status;
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await guess(`10.0.0.${attempt}, 192.0.2.1`)).toBe(403);
    expect(await guess("192.0.2.9, 192.0.2.1")).toBe(429);
    expect((await pairing(port, "CODE", from("192.0.2.1, 192.0.2.2"))).status).toBe(200);
    for (let attempt = 0; attempt < 90; attempt += 1) expect(await guess(`192.0.2.${attempt + 3}`)).toBe(403);
    expect(await guess("198.51.100.1")).toBe(429);
    expect(await pair("LATER")).toEqual({ error: "too many wrong codes: wait a minute" });
  });

  test("the right code is refused too after ten wrong ones within a minute, for the rest of it", async () => {
    const clock = drivenClock();
    const { port, pair, unharmed } = await open({ CODE: "any" }, { clock, heartbeatMs: 1e9 });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await pairing(port, `GUESS${attempt}`)).status).toBe(403);
    }
    const refused = { status: 429, text: '{"error":"too many wrong codes: wait a minute"}' };
    expect(await pairing(port, "CODE")).toMatchObject(refused);
    clock.advance(60_000);
    expect(await pair("CODE")).toMatchObject({ device: "d0" });
    await unharmed();
  });

  test.each<[string, number, (port: number) => object]>([
    ["a name that was made to point here", 403, (port) => ({ host: `evil.example:${port}` })],
    ["a foreign origin", 403, () => ({ origin: "https://evil.example" })],
    ["the origin null", 403, () => ({ origin: "null" })],
    ["a form", 415, () => ({ "content-type": "application/x-www-form-urlencoded" })],
    ["a form of plain text", 415, () => ({ "content-type": "text/plain" })],
    ["no type", 415, () => ({ "content-type": "" })],
    ["a type that begins like JSON's", 415, () => ({ "content-type": "application/jsonp" })],
    ["a type that has JSON's in it", 415, () => ({ "content-type": "text/plain; application/json" })],
  ])("pairing from %s is refused, and the code is not used up", async (_, status, headers) => {
    const { port, pair } = await open({ CODE: "any" });
    const refused = await pairing(port, "CODE", headers(port) as Record<string, string>);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.text)).toEqual({ error: expect.any(String) });
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    expect(await pair("CODE")).toMatchObject({ device: "d0" });
  });

  test("a page of an origin that was allowed exchanges the code, after the browser has asked (P-DEV-6)", async () => {
    const origin = "https://desk.example";
    const { port } = await open({ CODE: "any" }, { allowOrigins: [origin] });
    const asks = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const preflight = (headers: Record<string, string>) =>
      plainRequest(port, "/pair", { method: "OPTIONS", headers: { ...asks, ...headers } });
    expect(await preflight({ origin })).toMatchObject({
      status: 200,
      text: "",
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type",
        vary: "Origin",
      },
    });
    for (const [foreign, status] of [
      ["https://evil.example", 403],
      [`${origin}.evil.example`, 403],
      [`http://127.0.0.1:${port}`, 405],
    ] as const) {
      const refused = await preflight({ origin: foreign });
      expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([status, undefined]);
    }
    const readable = { "access-control-allow-origin": origin };
    const refusal = await pairing(port, "GUESS", { origin });
    expect(refusal).toMatchObject({ status: 403, headers: readable });
    const paired = await pairing(port, "CODE", { origin });
    expect(paired).toMatchObject({ status: 200, headers: readable });
    expect(paired.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test.each(["GET", "HEAD", "PUT", "OPTIONS", "DELETE"])("pairing by %s is 405", async (method) => {
    const { port } = await open({ CODE: "any" });
    const { status, headers } = await plainRequest(port, "/pair?code=CODE", { method, headers: json });
    expect([status, headers.allow]).toEqual([405, "POST"]);
  });

  test.each([
    "",
    "CODE",
    '"CODE"',
    "null",
    "[]",
    "{}",
    '{"code":1}',
    '{"code":["CODE"]}',
    '{"code":"CODE"',
    "\xff",
  ])("pairing with a body of %j is 400", async (body) => {
    const { port } = await open({ CODE: "any" });
    const { status, text } = await plainRequest(port, "/pair", { method: "POST", headers: json, body });
    expect([status, text]).toEqual([400, '{"error":"send a JSON object with a text \\"code\\""}']);
  });

  test("pairing with a body that grows without end is 413, and the body is not read on", async () => {
    const { bytes, unharmed } = await open({ CODE: "any" });
    const stranger = await bytes();
    const said = stranger.setEncoding("utf8").toArray();
    stranger.write(head("Transfer-Encoding: chunked"));
    stranger.write(`500\r\n${"x".repeat(0x500)}\r\n`);
    expect((await said).join("")).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*Connection: close[\s\S]*at most 1024 bytes/,
    );
    await unharmed();
  });

  test("pairing with a body that does not come in time is 408", async () => {
    const clock = drivenClock();
    const { bytes, unharmed } = await open({ CODE: "any" }, { clock, heartbeatMs: 1e9 });
    const before = clock.waiting;
    const stranger = await bytes();
    const said = stranger.setEncoding("utf8").toArray();
    stranger.write(`${head("Content-Length: 15")}{`);
    await expect.poll(() => clock.waiting, { timeout: 60_000 }).toBe(before + 1);
    clock.advance(5_000);
    expect((await said).join("")).toMatch(/^HTTP\/1\.1 408 [\s\S]*too slowly/);
    expect(clock.waiting).toBe(before);
    await unharmed();
  });

  test("a request for pairing that is cut leaves nothing behind", async () => {
    const clock = drivenClock();
    const { bytes, unharmed } = await open({ CODE: "any" }, { clock, heartbeatMs: 1e9 });
    const before = clock.waiting;
    const stranger = await bytes();
    stranger.write(`${head("Content-Length: 15")}{`);
    await expect.poll(() => clock.waiting, { timeout: 60_000 }).toBe(before + 1);
    stranger.resetAndDestroy();
    await expect.poll(() => clock.waiting, { timeout: 60_000 }).toBe(before);
    await unharmed();
  });

  test("pairing a device that cannot be kept is 500, and the server continues", async () => {
    const { port, unharmed } = await open({});
    const { status, text } = await pairing(port, "FULL");
    expect(status).toBe(500);
    expect(text).not.toContain("the disk is full");
    await unharmed();
  });

  test("pairing is not possible where the server has no devices", async () => {
    const { port } = await listening([]);
    expect((await pairing(port, "CODE")).status).toBe(404);
  });
});

const head = (length: string) =>
  `POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
