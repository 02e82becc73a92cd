import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { createServer } from "@askwire/server";
import { drivenClock } from "@askwire/server/testing";
import { listenWebSocket } from "@askwire/server/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { applicationKeys } from "../../src/push/application-keys.js";
import { keptSubscriptions, type PushChoices } from "../../src/push/kept-subscriptions.js";
import { pushNotices } from "../../src/push/push-notices.js";
import { pushSender } from "../../src/push/push-sender.js";
import { visiblePages } from "../../src/push/visible-pages.js";
import { keepDevice, removeDevice } from "../../src/reach/kept-devices.js";
import type { NotifyText } from "../../src/reach/notice.js";
import { colour, folderWith } from "../askwire.js";
import { pushService } from "./push-service.js";

const contact = "https://desk.example";

/** A server with a paired device, whose browser has a subscription, and a client that asks. */
async function open(choices: Partial<PushChoices> = {}, text: NotifyText = "full") {
  const share = await folderWith();
  const folder = join(share, "devices");
  const service = await pushService();
  const clock = drivenClock();
  const server = createServer({ agent: { run: async () => {} }, attendance: "hold" });
  const session = server.createSession({ stay: true });
  const gateway = await listenWebSocket(server);
  const client = await connectWebSocket(gateway.address(session));
  const sender = pushSender({ contact, keys: applicationKeys(share), hosts: [service.host] });
  const visible = visiblePages(clock.elapsed);
  const subscriptions = keptSubscriptions(folder);
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const isOwn = (origin: string) => origin === "https://ask.example";
  const notices = pushNotices({ server, subscriptions, sender, visible, text, isOwn, clock, tell });
  const unwatch = server.watchSessions(notices.look);
  onTestFinished(async () => {
    unwatch();
    notices.close();
    await client.close();
    await gateway.close();
    await server.close();
  });

  /** Pairs a device and subscribes its browser at a path of the service. */
  function phone(path: string, more: Partial<PushChoices & { origin: string; endpoint: string }> = {}) {
    const { id: device } = keepDevice(folder, { name: "a phone", role: undefined });
    const browser = service.browser(path);
    const { endpoint, keys } = browser;
    const kept = { device, endpoint, keys, origin: "https://ask.example", language: "en" as const };
    const isKept = subscriptions.keep({ ...kept, quiet: null, muted: [], ...choices, ...more });
    return { ...browser, path, device, isKept, folder };
  }
  /** Asks, and resolves once the server has the question. */
  async function ask(question: object = {}) {
    const withdrawn = new AbortController();
    const before = session.pending.length;
    const asked = client.ask({ questions: [{ ...colour, ...question }], signal: withdrawn.signal });
    asked.catch(() => {});
    await expect.poll(() => session.pending.length, { timeout: 60_000 }).toBe(before + 1);
    notices.look();
    const { id } = session.pending.at(-1) as { id: string };
    return {
      id,
      async withdraw() {
        withdrawn.abort();
        await expect
          .poll(() => session.pending.some((one) => one.id === id), { timeout: 60_000 })
          .toBe(false);
        notices.look();
      },
    };
  }
  return { service, clock, notices, visible, subscriptions, told, phone, ask, session: session.id, folder };
}

describe("push messages of requests", () => {
  test("a phone is told of a question, and that it is settled, under one tag and one topic", async () => {
    const { service, phone, ask, session } = await open();
    const one = phone("/phone");
    const question = await ask({ question: "Which \u202ecolour?" });
    const [asked] = await service.until("/phone", 1);
    expect(one.open(asked as never)).toEqual({
      event: "asked",
      tag: question.id,
      title: "Question: Colour",
      body: "Which \\u{202e}colour?\nRed · Blue",
      session,
      mustShow: false,
    });
    expect(asked?.headers).toMatchObject({ ttl: "86400", urgency: "high", "content-encoding": "aes128gcm" });
    await question.withdraw();
    const [, settled] = await service.until("/phone", 2);
    expect(one.open(settled as never)).toMatchObject({
      event: "settled",
      tag: question.id,
      title: "No longer waiting",
      body: "Question: Colour",
    });
    expect(settled?.headers.topic).toBe(asked?.headers.topic);
  });

  test.each([
    ["none", { title: "Question", body: "" }],
    ["header", { title: "Question: Colour", body: "" }],
  ] as const)("with --notify-text %s a message says as much", async (text, said) => {
    const { service, phone, ask } = await open({}, text);
    const one = phone("/phone");
    await ask();
    const [asked] = await service.until("/phone", 1);
    expect(one.open(asked as never)).toMatchObject(said);
  });

  test("a message is in the language of its device", async () => {
    const { service, phone, ask } = await open({ language: "zh" });
    const one = phone("/phone");
    await ask();
    const [asked] = await service.until("/phone", 1);
    expect(one.open(asked as never).title).toBe("提问：Colour");
  });

  test("the longest question in the widest characters fits into a message", async () => {
    const { service, phone, ask } = await open();
    const one = phone("/phone");
    const wide = '问"\n'.repeat(1_000);
    await ask({ question: wide, header: "题", options: [{ label: wide.slice(0, 300) }, { label: "B" }] });
    const [asked] = await service.until("/phone", 1);
    expect(one.open(asked as never).body).toMatch(/^问"\n.*…$/s);
    expect(asked?.body.length).toBeLessThanOrEqual(4_096);
  });

  test("a device that shows the page is told nothing, and neither of what its person has seen", async () => {
    const { service, phone, ask, visible, notices, clock } = await open();
    const desk = phone("/desk");
    phone("/phone");
    visible.report(desk.device, "tab", true);
    const { id } = await ask();
    await service.until("/phone", 1);
    notices.seen(desk.device, [id, "of no request"]);
    visible.report(desk.device, "tab", false);
    await ask();
    const [first] = await service.until("/desk", 1);
    clock.advance(20_000);
    await service.until("/phone", 2);
    expect(desk.open(first as never).tag).toBeDefined();
    expect(service.deliveries.filter(({ path }) => path === "/desk")).toHaveLength(1);
  });

  test("a device whose page fell silent is told of what still waits once a minute has passed", async () => {
    const { service, phone, ask, visible, clock } = await open();
    const one = phone("/phone");
    visible.report(one.device, "tab", true);
    await ask();
    for (let looks = 0; looks < 2; looks += 1) clock.advance(20_000);
    expect(service.deliveries).toEqual([]);
    clock.advance(20_000);
    await service.until("/phone", 1);
  });

  test("in quiet hours a device is told nothing, and after them of what still waits", async () => {
    // The driven clock begins at midnight of UTC, which is 5:30 in Kolkata.
    const quiet = { from: "22:00", until: "05:31", zone: "Asia/Kolkata" };
    const { service, phone, ask, clock } = await open({ quiet });
    phone("/quiet");
    phone("/phone", { quiet: null });
    const question = await ask();
    await question.withdraw();
    const other = await ask();
    clock.advance(20_000);
    await service.until("/phone", 3);
    expect(service.deliveries.filter(({ path }) => path === "/quiet")).toEqual([]);
    clock.advance(20_000);
    clock.advance(20_000);
    await service.until("/quiet", 1);
    await other.withdraw();
    await service.until("/quiet", 2);
  });

  test("a device is told nothing of a session that it muted, of another server's page, or once it is revoked", async () => {
    const { service, phone, ask, session, folder } = await open();
    phone("/muted", { muted: [session] });
    phone("/foreign", { origin: "https://other.example" });
    const gone = phone("/gone");
    phone("/phone");
    const question = await ask();
    await service.until("/gone", 1);
    removeDevice(folder, gone.device);
    await question.withdraw();
    await ask();
    await service.until("/phone", 3);
    expect(service.deliveries.map(({ path }) => path).sort()).toEqual([
      "/gone",
      "/phone",
      "/phone",
      "/phone",
    ]);
  });

  test.each([404, 410])("a subscription that its service answers with %d is removed", async (status) => {
    const { service, phone, ask, subscriptions, told } = await open();
    const one = phone("/phone");
    service.answer("/phone", status);
    await ask();
    await expect.poll(() => subscriptions.of(one.device), { timeout: 60_000 }).toBeUndefined();
    expect(told).toEqual([]);
  });

  test("a failed message is tried three times, and the first failure is reported", async () => {
    const { service, phone, ask, told, clock, subscriptions } = await open();
    const one = phone("/phone");
    service.answer("/phone", 503);
    await ask();
    for (let tries = 1; tries < 3; tries += 1) {
      await expect.poll(() => clock.waiting, { timeout: 60_000 }).toBe(1);
      clock.advance(20_000);
      await service.until("/phone", tries + 1);
    }
    expect(told).toEqual([`push: ${service.host} answered 503; further failures are not reported`]);
    expect(clock.waiting).toBe(0);
    expect(subscriptions.of(one.device)).toBeDefined();
  });

  test("a redirect is not followed", async () => {
    const { service, phone, ask, told } = await open();
    phone("/phone");
    service.answer("/phone", 307, { location: "/elsewhere" });
    await ask();
    await expect.poll(() => told, { timeout: 60_000 }).toHaveLength(1);
    expect(service.deliveries.map(({ path }) => path)).toEqual(["/phone"]);
  });

  test("devices whose service does not answer do not keep others from their messages", async () => {
    const { service, phone, ask } = await open();
    for (const path of ["/a", "/b", "/c"]) {
      service.answer(path, "never");
      phone(path);
    }
    for (const path of ["/d", "/e", "/f"]) phone(path);
    await ask();
    for (const path of ["/a", "/b", "/c", "/d", "/e", "/f"]) await service.until(path, 1);
  });
});

describe("the sender of push messages", () => {
  const message = { text: "{}", ttl: 60, topic: "t" };
  const always = () => true;

  test("a service that does not answer is given up after the time limit, and the next message takes its turn", async () => {
    const share = await folderWith();
    const service = await pushService();
    service.answer("/hangs", "never");
    const keys = applicationKeys(share);
    const sender = pushSender({ contact, keys, hosts: [service.host], timeLimitMs: 200 });
    const to = service.browser("/hangs");
    const sent = Array.from({ length: 9 }, () => sender.send(to, message, always));
    for (const result of await Promise.all(sent))
      expect(result).toEqual({ failed: "no answer within 0.2 s", mayHaveArrived: true });
    expect(service.deliveries.length).toBe(9);
  });

  test("four messages are sent at once, no more than 500 wait, and a closed sender sends none", async () => {
    const service = await pushService();
    service.answer("/hangs", "never");
    const sender = pushSender({ contact, keys: applicationKeys(await folderWith()), hosts: [service.host] });
    const to = service.browser("/hangs");
    const sent = Array.from({ length: 505 }, () => sender.send(to, message, always));
    expect(await sent.at(-1)).toMatchObject({ failed: "too many messages wait" });
    await service.until("/hangs", 4);
    sender.close();
    const results = await Promise.all(sent);
    expect(results.every((result) => typeof result === "object")).toBe(true);
    expect(service.deliveries).toHaveLength(4);
  });

  test("a message goes to no host that is neither a known service nor named", async () => {
    const service = await pushService();
    const keys = applicationKeys(await folderWith());
    const sender = pushSender({ contact, keys, hosts: [] });
    expect(await sender.send(service.browser("/phone"), message, always)).toMatchObject({
      failed: expect.stringContaining("--push-host"),
    });
    expect(service.deliveries).toEqual([]);
  });

  test("a message that is no longer wanted when its turn comes is not sent", async () => {
    const service = await pushService();
    const sender = pushSender({ contact, keys: applicationKeys(await folderWith()), hosts: [service.host] });
    expect(await sender.send(service.browser("/phone"), message, () => false)).toBe("gone");
    expect(service.deliveries).toEqual([]);
  });
});
