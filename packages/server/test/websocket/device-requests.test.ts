import { expect, test } from "vitest";
import type { DeviceRequest, JsonAnswer } from "../../src/websocket.js";
import { listening } from "./gateway.js";
import { memoryDevices } from "./memory-devices.js";
import { type PlainOptions, plainRequest } from "./plain-request.js";

/** A gateway that answers a path for its devices, one of which is paired. */
async function open(
  answer: (request: DeviceRequest) => JsonAnswer = ({ device, body }) => ({
    status: 200,
    body: { device: device.id, body },
  }),
) {
  const memory = memoryDevices({ CODE: "any" });
  const { token } = memory.devices.pair("CODE", "a phone") as { token: string };
  const asked: DeviceRequest[] = [];
  const deviceRequests = {
    "/told": (request: DeviceRequest) => {
      asked.push(request);
      return answer(request);
    },
  };
  const { port, gateway } = await listening([], { listen: { devices: memory.devices, deviceRequests } });
  const send = (token: string, { headers = {}, ...more }: PlainOptions = {}, path = "/told") =>
    plainRequest(port, path, {
      method: "POST",
      body: '{"a":1}',
      ...more,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    });
  return { ...memory, token, port, gateway, asked, send };
}

test("a request of a paired device is answered at its path, with the JSON that it sent", async () => {
  const { token, send, port, asked } = await open();
  const { status, text } = await send(token, { headers: { origin: `http://127.0.0.1:${port}` } });
  expect([status, text]).toEqual([200, '{"device":"d0","body":{"a":1}}']);
  expect(asked.map(({ origin }) => origin)).toEqual([`http://127.0.0.1:${port}`]);
  expect((await send(token, { body: "{" })).text).toBe('{"device":"d0"}');
});

test("a request for devices is refused without the token of a device, from a foreign page, and otherwise than as JSON by POST", async () => {
  const { token, send, gateway, asked } = await open();
  const refused = async (...call: Parameters<typeof send>) => (await send(...call)).status;
  expect(await refused("")).toBe(401);
  expect(await refused(`${token}x`)).toBe(401);
  // The token of the gateway is no device's.
  expect(await refused(gateway.token)).toBe(401);
  expect(await refused(token, { headers: { origin: "https://evil.example" } })).toBe(403);
  expect(await refused(token, { headers: { host: "evil.example" } })).toBe(403);
  expect(await refused(token, { headers: { "content-type": "text/plain" } })).toBe(415);
  expect(await refused(token, { method: "PUT" })).toBe(405);
  expect(await refused(token, { body: " ".repeat(16 * 1024 + 1) })).toBe(413);
  expect(await refused(token, {}, "/toString")).toBe(404);
  expect(asked).toEqual([]);
});

test("the right token is taken after ten wrong ones, of which no more are looked at (P-SEC-3)", async () => {
  const { token, send } = await open();
  for (let tries = 0; tries < 10; tries += 1) expect((await send("wrong")).status).toBe(401);
  expect((await send("wrong")).status).toBe(429);
  expect((await send(token)).status).toBe(200);
});

test("a device that is revoked while its request arrives is refused", async () => {
  const { token, port, revoke, asked, devices } = await open();
  let looks = 0;
  const { match } = devices;
  devices.match = (sent) => {
    looks += 1;
    const device = match(sent);
    if (looks === 1) revoke(token);
    return device;
  };
  const { status, text } = await plainRequest(port, "/told", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  });
  expect([status, text]).toEqual([401, '{"error":"the device was revoked: pair it again"}']);
  expect(asked).toEqual([]);
});

test("a request that the server fails at is answered without the server's words", async () => {
  const { token, send } = await open(() => {
    throw new Error("secret words");
  });
  const { status, text } = await send(token);
  expect([status, text]).toEqual([500, '{"error":"the server could not do that: try again"}']);
});
