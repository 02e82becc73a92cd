import { connectWebSocket } from "@askwire/client/websocket";
import { expect, test } from "vitest";
import { askwire, colour } from "../askwire.js";
import { ask, opened, pair } from "../reach/remote.js";
import { claimsOf, pushService } from "./push-service.js";

/** A server that may send to a push service of ours, and a device that is paired with it. */
async function open(
  service: { readonly host: string },
  { args = [], home }: { args?: readonly string[]; home?: string } = {},
) {
  const served = await opened(["--push-host", service.host, ...args], home === undefined ? {} : { home });
  const { token, device } = await pair(served.page);
  const { origin } = new URL(served.page);
  /** Asks as the page does. */
  async function call(body: object, headers: Record<string, string> = {}) {
    const { status, text } = await ask(`${origin}/push`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, origin, ...headers },
      body: JSON.stringify(body),
    });
    return { status, ...JSON.parse(text) };
  }
  const subscribe = ({ endpoint, keys }: { endpoint: string; keys: object }) =>
    call({ do: "subscribe", endpoint, keys, language: "en" });
  return { ...served, token, device, origin, call, subscribe };
}

/** A client that asks, and answers nothing. */
const client = (address: string) => connectWebSocket(address, { handlers: {} });

test("a device that subscribed is told of a question by a message that it alone opens, and of its end, until it is revoked", async () => {
  const service = await pushService();
  const { share, origin, address, call, subscribe, device, stop } = await open(service);
  const browser = service.browser("/phone");
  const { key, subscription, text } = await call({ do: "look" });
  expect([subscription, text]).toEqual([null, "header"]);
  expect(await subscribe(browser)).toMatchObject({
    status: 200,
    key,
    subscription: { endpoint: browser.endpoint, language: "en", quiet: null, muted: [] },
  });
  const other = await client(address);
  const withdrawn = new AbortController();
  void other.ask({ questions: [colour], signal: withdrawn.signal }).catch(() => {});
  const [asked] = await service.until("/phone", 1);
  expect(browser.open(asked as never)).toMatchObject({ event: "asked", title: "Question: Colour", body: "" });
  expect(String(asked?.body)).not.toContain("Colour");
  expect(claimsOf(asked as never, key)).toEqual({
    aud: `http://${service.host}`,
    exp: expect.any(Number),
    sub: origin.replace("http:", "https:"),
  });
  withdrawn.abort();
  const [, settled] = await service.until("/phone", 2);
  expect(browser.open(settled as never)).toMatchObject({ event: "settled" });
  await askwire(["devices", "revoke", device], { env: { ASKWIRE_HOME: share } });
  expect(await call({ do: "look" })).toMatchObject({ status: 401 });
  void other.ask({ questions: [colour] }).catch(() => {});
  expect(await stop()).toBe("");
  expect(service.deliveries).toHaveLength(2);
  await other.close();
});

test("a question is answered while the push service does not answer", async () => {
  const service = await pushService();
  service.answer("/phone", "never");
  const { address, subscribe, stop } = await open(service);
  await subscribe(service.browser("/phone"));
  const other = await client(address);
  const answerer = await connectWebSocket(address, {
    handlers: {
      question: async () => {
        await service.until("/phone", 1);
        return { answers: { "Which colour?": "Red" } };
      },
    },
  });
  const { answers } = (await other.ask({ questions: [colour] })) as { answers?: object };
  expect(JSON.stringify(answers)).toContain("Red");
  await answerer.close();
  await other.close();
  expect(await stop()).toBe("");
});

test("servers that begin at the same time have the same keys, and a device cannot take another's subscription", async () => {
  const service = await pushService();
  const one = await open(service);
  const other = await open(service, { home: one.share });
  const [first, second] = await Promise.all([one.call({ do: "look" }), other.call({ do: "look" })]);
  expect(first.key).toBe(second.key);
  const browser = service.browser("/victim");
  expect(await one.subscribe(browser)).toMatchObject({ status: 200 });
  expect(await other.subscribe(browser)).toEqual({ status: 409, error: "taken" });
  expect(await other.call({ do: "test" })).toEqual({ status: 409, error: "unsubscribed" });
  // Whatever a device says, it speaks of itself.
  expect(await other.call({ do: "unsubscribe", device: one.device })).toMatchObject({ status: 200 });
  expect((await one.call({ do: "look" })).subscription).toMatchObject({ endpoint: browser.endpoint });
});

test("a subscription is refused from another page, to a host that is not allowed, and in another form", async () => {
  const service = await pushService();
  const allowed = "http://127.0.0.1:1";
  const { call, subscribe, address, origin } = await open(service, { args: ["--allow-origin", allowed] });
  const { endpoint, keys } = service.browser("/phone");
  const asked = { do: "subscribe", endpoint, keys, language: "en" };
  expect(await call(asked, { origin: "https://evil.example" })).toMatchObject({ status: 403 });
  // A page that may connect has a service worker of its own server.
  expect(await call(asked, { origin: allowed })).toEqual({ status: 403, error: "origin" });
  expect(await subscribe({ endpoint: "https://push.example/a", keys })).toEqual({
    status: 403,
    error: "host",
  });
  for (const wrong of [
    { keys: { ...keys, auth: "short" } },
    { language: "xx" },
    { endpoint: 1 },
    { do: "no" },
  ])
    expect(await call({ ...asked, ...wrong })).toEqual({ status: 400, error: "not_understood" });
  expect(
    await call({ do: "look" }, { authorization: `Bearer ${new URL(address).hash.slice(1)}` }),
  ).toMatchObject({ status: 401 });
  expect((await ask(`${origin}/push`)).status).toBe(405);
});

test("a test message arrives, no second one at once, and the choices of a device are kept with its subscription", async () => {
  const service = await pushService();
  const { call, subscribe } = await open(service);
  const browser = service.browser("/phone");
  await subscribe(browser);
  expect(await call({ do: "test" })).toMatchObject({ status: 200 });
  const [message] = await service.until("/phone", 1);
  expect(browser.open(message as never)).toMatchObject({
    event: "test",
    body: "Notifications reach this device.",
  });
  expect(await call({ do: "test" })).toEqual({ status: 429, error: "too_soon" });
  const quiet = { from: "22:00", until: "07:00", zone: "Asia/Shanghai" };
  expect((await call({ do: "choose", quiet, muted: ["s1"] })).subscription).toMatchObject({
    quiet,
    muted: ["s1"],
  });
  expect((await call({ do: "choose", language: "zh" })).subscription).toMatchObject({
    quiet,
    language: "zh",
  });
  expect(await call({ do: "choose", quiet: { ...quiet, zone: "Middle/Earth" } })).toMatchObject({
    status: 400,
  });
  const next = service.browser("/next");
  expect((await subscribe(next)).subscription).toMatchObject({
    endpoint: next.endpoint,
    quiet,
    muted: ["s1"],
  });
  expect((await call({ do: "unsubscribe" })).subscription).toBeNull();
});

test("a device with a visible page is told nothing, and is told of the next question once the page is hidden", async () => {
  const service = await pushService();
  const { call, subscribe, address } = await open(service);
  const browser = service.browser("/phone");
  await subscribe(browser);
  expect(await call({ do: "visible", page: "tab", visible: true })).toMatchObject({ status: 200 });
  const other = await client(address);
  let shown = (_id: string) => {};
  const isShown = new Promise<string>((resolve) => (shown = resolve));
  const question = ({ id }: { id: string }) => new Promise<never>(() => shown(id));
  const reader = await connectWebSocket(address, { handlers: { question } });
  void other.ask({ questions: [{ ...colour, header: "Seen" }] }).catch(() => {});
  const seen = [await isShown];
  await call({ do: "visible", page: "tab", visible: false, seen });
  void other.ask({ questions: [{ ...colour, header: "Hidden" }] }).catch(() => {});
  const [message] = await service.until("/phone", 1);
  expect(browser.open(message as never).title).toBe("Question: Hidden");
  await reader.close();
  await other.close();
});

test.each([
  [["--stdio", "--push-host", "push.example"], "serve: --push-host needs --listen HOST:PORT"],
  [["--stdio", "--push-contact", "mailto:me@desk.example"], "serve: --push-contact needs --listen HOST:PORT"],
  [["--listen", "127.0.0.1:0", "--push-contact", "me@desk.example"], "--push-contact me@desk.example"],
  [
    ["--listen", "127.0.0.1:0", "--no-web", "--push-contact", "mailto:me@desk.example"],
    "--push-contact needs the page",
  ],
  [["--listen", "127.0.0.1:0", "--push-host", "https://push.example"], "--push-host https://push.example"],
  [["--listen", "127.0.0.1:0", "--no-web", "--push-host", "push.example"], "--push-host needs the page"],
])("serve %j is a usage error", async (args, text) => {
  const { stderr, status } = await askwire(["serve", ...args]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
});
