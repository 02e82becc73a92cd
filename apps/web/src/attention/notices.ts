/** The reason why the system cannot tell of a request. */
export type NoNotice = "insecure" | "unsupported" | "denied";

/** Notifications of the system, for requests that come while nobody looks at the page. */
export interface Notices {
  /** The reason why there can be none; undefined where there can be. */
  hindrance(): NoNotice | undefined;
  /** Asks the person for the browser's permission, which a click has to precede. True if it is given. */
  permit(): Promise<boolean>;
  /** Tells of a request by its id, which a second one replaces. */
  show(id: string, title: string, text: string): void;
  /** Takes the notification of a settled request away. */
  hide(id: string): void;
}

/** The parts of a browser window that notifications need. */
export type NoticeWindow = Pick<Window, "isSecureContext" | "focus"> & {
  /** The part of Trusted Types that is used, which the compiler does not know. */
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(text: string): string };
  };
  readonly Notification?: typeof Notification;
  readonly navigator: { readonly serviceWorker?: ServiceWorkerContainer };
};

/** The address of the service worker, which brings the person back to the page. */
const WORKER = "worker.js";
/** Characters of the longest text that a notification has. */
const LONGEST = 300;

/**
 * Notifications by the page's service worker where there is one, as phones want it, else by the page itself.
 */
export function notices(window: NoticeWindow): Notices {
  let registration: Promise<ServiceWorkerRegistration | undefined> | undefined;
  const shown = new Map<string, Notification>();

  /** Registers the worker, whose address has to come from the one policy that the page's headers allow. */
  async function register(): Promise<ServiceWorkerRegistration | undefined> {
    const { serviceWorker } = window.navigator;
    const policy = window.trustedTypes?.createPolicy("askwire-worker", { createScriptURL: () => WORKER });
    await serviceWorker?.register(policy?.createScriptURL(WORKER) ?? WORKER);
    return serviceWorker?.ready;
  }

  function worker(): Promise<ServiceWorkerRegistration | undefined> {
    registration ??= register().catch(() => undefined);
    return registration;
  }

  const hindrance = (): NoNotice | undefined => {
    if (!window.isSecureContext) return "insecure";
    if (window.Notification === undefined) return "unsupported";
    return window.Notification.permission === "denied" ? "denied" : undefined;
  };

  return {
    hindrance,
    async permit() {
      if (hindrance() !== undefined) return false;
      void worker();
      return (await window.Notification?.requestPermission()) === "granted";
    },
    async show(id, title, text) {
      if (window.Notification?.permission !== "granted") return;
      const options = { tag: id, body: text.slice(0, LONGEST), icon: "icon.svg" };
      try {
        const by = await worker();
        if (by !== undefined) return await by.showNotification(title, options);
        const notice = new window.Notification(title, options);
        notice.onclick = () => window.focus();
        shown.set(id, notice);
      } catch {
        // A browser that refuses one after all: title, icon and sound tell of the request.
      }
    },
    async hide(id) {
      shown.get(id)?.close();
      shown.delete(id);
      if (registration === undefined) return;
      const by = await registration;
      for (const notice of (await by?.getNotifications({ tag: id })) ?? []) notice.close();
    },
  };
}
