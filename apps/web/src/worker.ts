// The service worker of the page. It keeps no files: it shows what push messages say, also while no page is open, and
// brings the person from a notification to the page.

/** A window of the page, as a service worker sees it. */
interface PageWindow {
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: readonly MessagePort[]): void;
}

/** The part of a service worker's scope that is used; the compiler's own types of it exclude those of a page. */
interface WorkerScope {
  addEventListener(type: "notificationclick", listener: (event: NoticeClick) => void): void;
  addEventListener(type: "push", listener: (event: PushMessage) => void): void;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly PageWindow[]>;
    openWindow(address: string): Promise<unknown>;
  };
}
interface NoticeClick {
  readonly notification: { readonly tag: string; readonly data: unknown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

interface PushMessage {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

/** The time in which a page says whether the request is there, in milliseconds. */
const REPLY_MS = 1_000;

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification));
});

scope.addEventListener("push", (event) => event.waitUntil(tell(event.data)));

/**
 * Shows what the server says, or takes a notification back. A browser wants to show something for each message: where
 * no other notification stays, a settled one is replaced, without a sound.
 */
async function tell(data: PushMessage["data"]): Promise<void> {
  const { event, tag, title, body, session, mustShow } = Object(data?.json());
  const { registration } = scope;
  const options = { tag: String(tag), body: String(body), icon: "icon-192.png", data: { session } };
  if (event !== "settled") return registration.showNotification(String(title), options);
  const shown = await registration.getNotifications();
  if (mustShow === true || shown.every((notice) => notice.tag === tag))
    return registration.showNotification(String(title), { ...options, silent: true });
  for (const notice of shown) if (notice.tag === tag) notice.close();
}

/** Brings the person to the page that has the request, else to any, else to a new one at the request's card. */
async function bring({ tag, data }: NoticeClick["notification"]): Promise<unknown> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const led = await Promise.all(pages.map((page) => leads(page, tag)));
  const page = pages[Math.max(0, led.indexOf(true))];
  if (page !== undefined) return page.focus();
  const { session } = Object(data);
  const isNamed = typeof session === "string" && session !== "";
  const card = () => `/s/${encodeURIComponent(session)}#r-${encodeURIComponent(tag)}`;
  return scope.clients.openWindow(isNamed ? card() : "/");
}

/** Asks a page to lead to a request. False where it has no such one, or does not reply. */
function leads(page: PageWindow, chosen: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), REPLY_MS);
  });
  page.postMessage({ chosen }, [port2]);
  return reply.finally(() => port1.close());
}
