// A page of a paired device with a push service of the test's own, and its service worker.
import { connectWebSocket } from "@askwire/client/websocket";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestBrowser } from "../../../examples/test/test-browser.js";
import { pushService } from "../../cli/test/push/push-service.js";
import { opened } from "../../cli/test/reach/remote.js";

export const ON = "Push notifications to this device";

/** Gives the page a push service: that of the packaged browser is out of reach, and it shows no notifications. */
export const withPush = (page: Page, subscriptions: readonly { endpoint: string; keys: object }[]) =>
  page.addInitScript((subscriptions) => {
    const ended = () => Number(localStorage.getItem("test ended") ?? "0");
    const current = () => {
      const { endpoint = "", keys } = subscriptions[ended() % subscriptions.length] ?? {};
      return {
        ...{ endpoint, toJSON: () => ({ endpoint, keys }) },
        async unsubscribe() {
          localStorage.removeItem("test on");
          localStorage.setItem("test ended", `${ended() + 1}`);
        },
      };
    };
    Object.assign(globalThis, {
      Notification: { permission: "granted", requestPermission: async () => "granted" },
    });
    Object.assign(PushManager.prototype, {
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        localStorage.setItem("test on", applicationServerKey);
        return current();
      },
      getSubscription: async () => (localStorage.getItem("test on") === null ? null : current()),
    });
  }, subscriptions);

/** A page of a paired device, whose browser has these subscriptions one after the other, and a client that asks. */
export async function paired(
  browser: TestBrowser,
  paths: readonly string[] = ["/phone"],
  device: BrowserContextOptions = { viewport: { width: 400, height: 900 } },
) {
  const service = await pushService();
  const served = await opened(["--push-host", service.host, "--notify-text", "full"]);
  const browsers = paths.map(service.browser);
  const { page, complaints } = await browser.newPage(device);
  const subscriptions = browsers.map(({ endpoint, keys }) => ({ endpoint, keys }));
  await withPush(page, subscriptions);
  await page.goto(served.page);
  await page.getByText("Connected", { exact: true }).waitFor();
  const other = await connectWebSocket(served.address, { handlers: {} });
  browser.ends.push(() => other.close());
  return { ...served, service, browsers, subscriptions, page, complaints, other };
}

/** Turns push notifications on, in the settings that stay open. */
export async function turnOn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel(ON).check();
  await page.getByText("This device is remembered for that.").waitFor();
}

/** The worker of a page, which shows its notifications nowhere, and the way to send it a message. */
export async function woken(browser: TestBrowser, device?: BrowserContextOptions) {
  const set = await paired(browser, undefined, device);
  const { page } = set;
  await turnOn(page);
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error("no worker");
  await worker.evaluate(() => {
    const shown: { title: string; tag: string; body: string; silent: boolean; actions?: unknown }[] = [];
    Object.assign(globalThis, { shown });
    Object.assign(ServiceWorkerRegistration.prototype, {
      async showNotification(
        title: string,
        { silent = false, ...options }: { tag: string; silent?: boolean },
      ) {
        const at = shown.findIndex(({ tag }) => tag === options.tag);
        const body = "";
        if (at >= 0) shown.splice(at, 1);
        shown.push({ title, body, silent, ...options });
      },
      getNotifications: async () =>
        shown.map((one) => ({ ...one, close: () => shown.splice(shown.indexOf(one), 1) })),
    });
  });
  const shown = () => worker.evaluate(() => (globalThis as unknown as { shown: object[] }).shown);
  // The page may be closed, so the messages come by way of another one.
  const beside = await page.context().newPage();
  const session = await page.context().newCDPSession(beside);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  const deliver = async (text: object): Promise<void> => {
    await session.send("ServiceWorker.deliverPushMessage", {
      ...{ origin, registrationId },
      data: JSON.stringify({ session: "s", mustShow: false, ...text }),
    });
  };
  /** Clicks a notification. @returns the address that the worker opens a window at. */
  const click = (tag: string) =>
    worker.evaluate(async (tag) => {
      const all = (globalThis as unknown as { shown: { tag: string; data: unknown }[] }).shown;
      const notice = all.find((one) => one.tag === tag);
      // Only the browser itself makes an event that may wait, and lets a worker open a window.
      const work: Promise<unknown>[] = [];
      const event = Object.assign(new Event("notificationclick"), {
        notification: { ...notice, close: () => all.splice(0) },
        waitUntil: (one: Promise<unknown>) => work.push(one),
      });
      return new Promise<string>((resolve) => {
        const scope = globalThis as unknown as { clients: object };
        Object.defineProperty(scope.clients, "openWindow", { value: async (to: string) => resolve(to) });
        dispatchEvent(event);
      });
    }, tag);
  return { ...set, deliver, shown, click };
}
