// The service worker of the page. It keeps no files: it only brings the person to the page from a notification.

/** A window of the page, as a service worker sees it. */
interface PageWindow {
  focus(): Promise<unknown>;
}

/** The part of a service worker's scope that is used; the compiler's own types of it exclude those of a page. */
interface WorkerScope {
  addEventListener(type: "notificationclick", listener: (event: NoticeClick) => void): void;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly PageWindow[]>;
    openWindow(address: string): Promise<unknown>;
  };
}
interface NoticeClick {
  readonly notification: { close(): void };
  waitUntil(work: Promise<unknown>): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    scope.clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then(([page]) => (page === undefined ? scope.clients.openWindow("/") : page.focus())),
  );
});
