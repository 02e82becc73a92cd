import { readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applicationKeys } from "../../src/push/application-keys.js";
import { keptSubscriptions } from "../../src/push/kept-subscriptions.js";
import { pageContact, readPushContact } from "../../src/push/push-contact.js";
import { allowedEndpoint, readPushHosts } from "../../src/push/push-hosts.js";
import { isQuiet, QuietHours } from "../../src/push/quiet-hours.js";
import { ownOrigins } from "../../src/reach/addresses.js";
import { keepDevice, keptDevices, removeDevice, subscriptionFile } from "../../src/reach/kept-devices.js";
import { folderWith } from "../askwire.js";
import { browser } from "./push-service.js";

test.each([
  ["https://fcm.googleapis.com/fcm/send/a", true],
  ["https://updates.push.services.mozilla.com/wpush/v2/a", true],
  ["https://web.push.apple.com/a", true],
  ["https://wns2-am3p.notify.windows.com/w/?token=a", true],
  ["https://push.example/a", true],
  ["https://push.example:8443/a", true],
  ["http://127.0.0.1:99/a", true],
  ["https://127.0.0.1:99/a", true],
  ["https://push.example:9/a", false],
  ["http://push.example/a", false],
  ["http://fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com:8443/a", false],
  ["https://fcm.googleapis.com.evil.example/a", false],
  ["https://evilpush.apple.com/a", false],
  ["https://user:word@fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com@evil.example/a", false],
  ["http://127.0.0.1:98/a", false],
  ["https://127.0.0.1/a", false],
  ["https://169.254.169.254/latest", false],
  ["https://localhost/a", false],
  ["file:///etc/passwd", false],
  ["fcm.googleapis.com", false],
])("messages to %s are allowed: %s", (endpoint, isAllowed) => {
  const named = readPushHosts(["Push.example", "push.example:8443", "127.0.0.1:99"]);
  expect(allowedEndpoint(endpoint, named) !== undefined).toBe(isAllowed);
});

test.each(["https://push.example", "push.example/", "*.example", "a b", "", "user@host"])(
  "--push-host %j is refused",
  (host) => {
    expect(() => readPushHosts([host])).toThrow("--push-host");
  },
);

test.each(["mailto:me@desk.example", "https://ask.example", "https://ask.example:8443/contact"])(
  "--push-contact %s reaches somebody",
  (contact) => expect(readPushContact(contact)).toBe(contact),
);

test.each([
  "me@desk.example",
  "mailto:me",
  "mailto:",
  "http://ask.example",
  "https://localhost",
  "https://127.0.0.1:8080",
  "https://me:word@ask.example",
  "",
])("--push-contact %j reaches nobody and is refused", (contact) => {
  expect(() => readPushContact(contact)).toThrow("--push-contact");
});

test("the contact of a server that names none is the address of its page, over https", () => {
  expect(pageContact("https://ask.example")).toBe("https://ask.example");
  expect(pageContact("http://127.0.0.1:8080")).toBe("https://127.0.0.1:8080");
});

test.each([
  ["22:00", "07:00", "23:30", true],
  ["22:00", "07:00", "06:59", true],
  ["22:00", "07:00", "07:00", false],
  ["22:00", "07:00", "12:00", false],
  ["12:00", "13:00", "12:00", true],
  ["12:00", "13:00", "13:00", false],
  ["12:00", "12:00", "12:00", false],
  ["00:00", "00:01", "00:00", true],
])("quiet hours from %s until %s hold at %s: %s", (from, until, at, expected) => {
  expect(isQuiet({ from, until, zone: "UTC" }, Date.parse(`2026-03-29T${at}:00Z`))).toBe(expected);
});

test("quiet hours follow the time zone of the device, and another text than a time or a zone is refused", () => {
  const berlin = { from: "03:00", until: "04:00", zone: "Europe/Berlin" };
  // The clocks of Berlin go from 2:00 to 3:00 at 1:00 UTC.
  expect(isQuiet(berlin, Date.parse("2026-03-29T00:59:00Z"))).toBe(false);
  expect(isQuiet(berlin, Date.parse("2026-03-29T01:00:00Z"))).toBe(true);
  for (const wrong of [{ from: "24:00" }, { until: "7:00" }, { zone: "Middle/Earth" }, { zone: "" }])
    expect(QuietHours.safeParse({ ...berlin, ...wrong }).success).toBe(false);
});

test("the page's own origins are those at this port, the public one, and hosts that the operator names", () => {
  const isOwn = ownOrigins(
    { hosts: ["192.168.1.2"], publicOrigin: "https://ask.example" },
    { port: 8080, secure: false },
    ["Proxy.example"],
  );
  const own = [
    "http://192.168.1.2:8080",
    "http://localhost:8080",
    "http://[::1]:8080",
    "https://ask.example",
  ];
  for (const origin of [...own, "https://proxy.example"]) expect(isOwn(origin), origin).toBe(true);
  for (const origin of ["http://127.0.0.1:8081", "https://other.example", "null", "app://ask.example"])
    expect(isOwn(origin), origin).toBe(false);
});

describe("the keys of push messages", () => {
  test("the keys are made once, in a file that only this person reads, and a damaged file is reported", async () => {
    const share = await folderWith();
    const keys = applicationKeys(share);
    const file = join(share, "push-keys.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(applicationKeys(share)).toEqual(keys);
    await writeFile(file, "{}");
    expect(() => applicationKeys(share)).toThrow("restore the file, or remove it");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });
});

describe("the subscriptions of devices", () => {
  const of = (device: string, endpoint: string) => ({
    device,
    ...{ endpoint, keys: browser(endpoint).keys },
    ...{ origin: "https://ask.example", language: "en" as const, quiet: null, muted: [] },
  });

  test("a subscription is kept for its device alone, goes with it, and a device has one at most", async () => {
    const folder = join(await folderWith(), "devices");
    const one = keepDevice(folder, { name: "one", role: undefined });
    const kept = keptSubscriptions(folder);
    const first = of(one.id, "https://push.example/1");
    expect(kept.keep(first)).toBe(true);
    expect(statSync(subscriptionFile(folder, one.id)).mode & 0o777).toBe(0o600);
    const second = of(one.id, "https://push.example/2");
    expect(kept.keep(second)).toBe(true);
    expect(kept.all()).toEqual([second]);
    kept.remove(one.id, first.endpoint);
    expect(kept.of(one.id)).toEqual(second);
    expect(keptDevices(folder)).toHaveLength(1);
    removeDevice(folder, one.id);
    expect(kept.all()).toEqual([]);
    expect(() => statSync(subscriptionFile(folder, one.id))).toThrow("ENOENT");
    // A device that was revoked while it subscribed.
    kept.keep(second);
    expect(() => statSync(subscriptionFile(folder, one.id))).toThrow("ENOENT");
  });

  test("an endpoint of another device is refused, until that device is revoked", async () => {
    const folder = join(await folderWith(), "devices");
    const [victim, thief] = [1, 2].map((name) => keepDevice(folder, { name: `${name}`, role: undefined }));
    const kept = keptSubscriptions(folder);
    const endpoint = "https://push.example/victim";
    expect(kept.keep(of(victim?.id as string, endpoint))).toBe(true);
    expect(kept.keep(of(thief?.id as string, endpoint))).toBe(false);
    expect(kept.of(thief?.id as string)).toBeUndefined();
    removeDevice(folder, victim?.id as string);
    expect(kept.keep(of(thief?.id as string, endpoint))).toBe(true);
  });

  test("a damaged subscription counts as none", async () => {
    const folder = join(await folderWith(), "devices");
    const { id } = keepDevice(folder, { name: "one", role: undefined });
    await writeFile(subscriptionFile(folder, id), '{"endpoint":"https://push.example/1"}');
    expect(keptSubscriptions(folder).all()).toEqual([]);
  });
});
