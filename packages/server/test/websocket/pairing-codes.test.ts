import type { NamedDevice } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import type { MakePairingCode } from "../../src/index.js";
import { introduction } from "../extended/extended-client.js";
import { listeningExtended } from "../extended/extended-gateway.js";
import { memoryDevices } from "./memory-devices.js";

const phone = { id: "d0", name: "Chrome on Android" };

/** Codes as an operator's program makes them, each with what became of it. */
function memoryCodes() {
  const made: { role: unknown; person: unknown; ended: number; use(device?: NamedDevice): void }[] = [];
  const invite: MakePairingCode = (role, person) => {
    const { promise: over, resolve } = deferred<NamedDevice | undefined>();
    const one = { role, person, ended: 0, use: resolve };
    made.push(one);
    const end = () => {
      one.ended += 1;
      resolve(undefined);
    };
    return {
      ...{ code: `CODE-${made.length}`, over, end },
      address: "https://ask.example",
      expiresInMs: 600_000,
    };
  };
  return { made, invite };
}

/** A gateway whose owner may make codes for devices. */
async function inviting(invite?: MakePairingCode) {
  const codes = memoryCodes();
  const memory = memoryDevices({ CODE: "any" });
  const devices = { ...memory.devices, invite: invite ?? codes.invite };
  const set = await listeningExtended([], { listen: { devices, answerToken: true } });
  return { ...set, ...codes, devices };
}

/** The word of the server on codes for devices, in its introduction. */
const declared = ({ result }: { result?: unknown }) =>
  (result as { capabilities: { askwire: { pairing?: boolean } } }).capabilities.askwire.pairing;

describe("a code for a device, made by a client (P-DEV-7)", () => {
  test("a client with the server's own token is told that it may make codes, makes one, and hears who used it (P-DEV-8)", async () => {
    const { openExtended, made } = await inviting();
    const owner = await openExtended();
    expect(declared(await owner.introduce())).toBe(true);
    expect((await owner.call("create_pairing_code")).result).toEqual({
      code: "CODE-1",
      address: "https://ask.example",
      expires_in_ms: 600_000,
    });
    const waiting = owner.call("await_pairing", { code: "CODE-1" });
    made[0]?.use(phone);
    expect((await waiting).result).toEqual({ device: phone });
    expect((await owner.call("await_pairing", { code: "CODE-1" })).result).toEqual({ device: phone });
  });

  test("a code is made for the device of a person, that may only answer, and in the lobby too", async () => {
    const { open, made } = await inviting();
    const owner = await open();
    expect(declared(await owner.call("initialize", { ...introduction(), lobby: true }))).toBe(true);
    expect((await owner.call("create_pairing_code", { role: "answer", person: "Ann" })).result).toMatchObject(
      {
        code: "CODE-1",
      },
    );
    expect(made).toMatchObject([{ role: "answer", person: "Ann" }]);
  });

  test.each(["answering", "a paired device"])(
    "a client that is %s is not told of codes, and is refused one",
    async (kind) => {
      const { openExtended, gateway, devices, made } = await inviting();
      const token = kind === "answering" ? gateway.answerToken : devices.pair("CODE", "phone")?.token;
      const client = await openExtended("/wire", { token: token ?? null });
      expect(declared(await client.call("initialize", { ...introduction(), lobby: true }))).toBeUndefined();
      expect((await client.call("create_pairing_code")).error?.code).toBe(-32014);
      expect((await client.call("await_pairing", { code: "CODE-1" })).error?.code).toBe(-32014);
      expect(made).toEqual([]);
    },
  );

  test("a paired device in a session is refused a code as in the lobby", async () => {
    const { joinExtended, openExtended, devices } = await inviting();
    const { found } = await joinExtended();
    const phone = await openExtended(`/wire/${found.id}`, {
      token: devices.pair("CODE", "phone")?.token ?? null,
    });
    expect(declared(await phone.introduce())).toBeUndefined();
    expect((await phone.call("create_pairing_code")).error?.code).toBe(-32014);
  });

  test("a server that nothing makes codes for has no such method, and neither has a base client", async () => {
    const plain = await (await listeningExtended([])).joinExtended();
    expect((await plain.call("create_pairing_code")).error?.code).toBe(-32601);
    const { join, server } = await inviting();
    const base = await join(server.createSession());
    expect((await base.call("create_pairing_code")).error?.code).toBe(-32601);
    expect((await base.call("await_pairing", { code: "CODE-1" })).error?.code).toBe(-32601);
  });

  test("a server that no other machine reaches makes no code, and says so", async () => {
    const { joinExtended } = await inviting(() => undefined);
    const { error } = await (await joinExtended()).call("create_pairing_code");
    expect([error?.code, error?.data]).toEqual([-32000, { reason: "unreachable" }]);
  });

  test.each([{ role: "owner" }, { role: 1 }, [], { person: "" }, { person: "\u202eAnn" }, { person: 1 }])(
    "a code with the params %j is refused",
    async (params) => {
      const { joinExtended, made } = await inviting();
      expect((await (await joinExtended()).call("create_pairing_code", params)).error?.code).toBe(-32602);
      expect(made).toEqual([]);
    },
  );
});

describe("the end of a code for a device (P-DEV-8)", () => {
  test("the next code of a connection ends the one before, whose wait ends without a device", async () => {
    const { joinExtended, made } = await inviting();
    const owner = await joinExtended();
    await owner.call("create_pairing_code");
    const waiting = owner.call("await_pairing", { code: "CODE-1" });
    await owner.call("create_pairing_code", { role: "answer" });
    expect((await waiting).result).toEqual({});
    expect(made.map(({ ended }) => ended)).toEqual([1, 0]);
    expect((await owner.call("await_pairing", { code: "CODE-1" })).error?.code).toBe(-32011);
  });

  test("a wait that is cancelled ends the code", async () => {
    const { joinExtended, made } = await inviting();
    const owner = await joinExtended();
    await owner.call("create_pairing_code");
    owner.send({ jsonrpc: "2.0", id: "w", method: "await_pairing", params: { code: "CODE-1" } });
    owner.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "w" } });
    await expect.poll(() => owner.received.find(({ id }) => id === "w")?.result).toEqual({});
    expect(made.map(({ ended }) => ended)).toEqual([1]);
  });

  test.each([{}, { lobby: true }])("a code ends with its connection, introduced with %j", async (where) => {
    const { open, made } = await inviting();
    const owner = await open();
    await owner.call("initialize", { ...introduction(), ...where });
    await owner.call("create_pairing_code");
    owner.send({ jsonrpc: "2.0", id: "w", method: "await_pairing", params: { code: "CODE-1" } });
    await owner.settled();
    owner.socket.terminate();
    await expect.poll(() => made.map(({ ended }) => ended)).toEqual([1]);
  });

  test("a code of another connection is waited for by nobody else", async () => {
    const { joinExtended } = await inviting();
    const [owner, other] = [await joinExtended(), await joinExtended()];
    await owner.call("create_pairing_code");
    expect((await other.call("await_pairing", { code: "CODE-1" })).error?.code).toBe(-32011);
  });
});
