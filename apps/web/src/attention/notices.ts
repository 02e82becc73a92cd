import type { WorkerAddress } from "../entry/worker-address.js";

/** The reason why the system cannot announce a request. */
export type NoNotice = "insecure" | "unsupported" | "denied";

/** Notifications of the system, for requests that come while nobody looks at the page. */
export interface Notices {
  /** The reason why there can be none; undefined where there can be. */
  hindrance(): NoNotice | undefined;
  /** Asks the person for the browser's permission, which a click has to precede. True if it is given. */
  permit(): Promise<boolean>;
  /** The page's service worker, which is registered at the first call; undefined where there is none within 2 s. */
  worker(): Promise<ServiceWorkerRegistration | undefined>;
  /**
   * Announces a request by its id, which a second one replaces.
   *
   * @param session the session on the page's own server that a new window opens. Default: as a new window does.
   */
  show(id: string, title: string, text: string, session?: string): Promise<void>;
  /**
   * Hears of a notification that the person chose.
   *
   * @param lead leads to the request of an id. False where it is not open on this page.
   * @returns ends the hearing.
   */
  onChosen(lead: (id: string) => boolean): () => void;
  /** Takes the notification of a settled request away, also one that is still being shown. */
  hide(id: string): Promise<void>;
  /** Takes all away, also those of a page that was there before this one. */
  hideAll(): Promise<void>;
}

/** The parts of a browser window that notifications need. */
export type NoticeWindow = Pick<Window, "isSecureContext" | "focus"> & {
  readonly Notification?: typeof Notification;
  readonly navigator: { readonly serviceWorker?: ServiceWorkerContainer };
};

/** The longest wait for the worker in milliseconds, after which the page announces requests by itself. */
const WORKER_MS = 2_000;
/** Characters of the longest text that a notification has. */
const LONGEST = 300;

/**
 * Notifications by the page's service worker where there is one, as phones want it, else by the page itself.
 *
 * @param address gives the address of the service worker, which brings the person back to the page.
 */
export function browserNotices(window: NoticeWindow, address: WorkerAddress): Notices {
  let registration: Promise<ServiceWorkerRegistration | undefined> | undefined;
  let chosen = (_id: string): unknown => false;
  const shown = new Map<string, Notification>();
  /** The notifications that are being shown. */
  const coming = new Map<string, Promise<void>>();

  async function register(): Promise<ServiceWorkerRegistration | undefined> {
    const { serviceWorker } = window.navigator;
    await serviceWorker?.register(address("/worker.js"));
    return serviceWorker?.ready;
  }

  function worker(): Promise<ServiceWorkerRegistration | undefined> {
    const late = () => new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_MS));
    registration ??= Promise.race([register().catch(() => undefined), late()]);
    return registration;
  }

  const hindrance = (): NoNotice | undefined => {
    if (!window.isSecureContext) return "insecure";
    if (window.Notification === undefined) return "unsupported";
    return window.Notification.permission === "denied" ? "denied" : undefined;
  };

  /** Closes notifications by the worker, which may be that of a page before this one. */
  async function close(filter?: { readonly tag: string }): Promise<void> {
    try {
      const by = await (registration ?? window.navigator.serviceWorker?.getRegistration());
      for (const notice of (await by?.getNotifications(filter)) ?? []) notice.close();
    } catch {
      // A browser without notifications has none to close.
    }
  }

  async function hide(id: string): Promise<void> {
    await coming.get(id);
    shown.get(id)?.close();
    shown.delete(id);
    await close({ tag: id });
  }

  async function showNow(id: string, title: string, text: string, session: string): Promise<void> {
    const options = { tag: id, body: text.slice(0, LONGEST), icon: "/icon.svg", data: { session } };
    const by = await worker();
    if (by !== undefined) return by.showNotification(title, options);
    if (window.Notification === undefined) return;
    const notice = new window.Notification(title, options);
    notice.onclick = () => {
      window.focus();
      chosen(id);
    };
    shown.set(id, notice);
  }

  return {
    hindrance,
    worker,
    async permit() {
      if (hindrance() !== undefined) return false;
      void worker();
      return (await window.Notification?.requestPermission()) === "granted";
    },
    async show(id, title, text, session = "") {
      if (window.Notification?.permission !== "granted") return;
      // A browser may refuse one after all: title, icon and sound announce the request.
      const showing = showNow(id, title, text, session).catch(() => {});
      coming.set(id, showing);
      await showing;
      if (coming.get(id) === showing) coming.delete(id);
    },
    onChosen(lead) {
      chosen = lead;
      const until = new AbortController();
      const hear = ({ data, ports: [reply] }: MessageEvent) =>
        reply?.postMessage(lead(String(Object(data).chosen)));
      window.navigator.serviceWorker?.addEventListener("message", hear, { signal: until.signal });
      return () => until.abort();
    },
    hide,
    async hideAll() {
      await Promise.all([...shown.keys(), ...coming.keys()].map(hide));
      await close();
    },
  };
}
