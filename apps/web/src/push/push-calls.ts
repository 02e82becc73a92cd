import type { Language } from "@askwire/client/words";

/** The hours of each day without notifications: `HH:MM` in a time zone. */
export interface QuietSpan {
  readonly from: string;
  readonly until: string;
  readonly zone: string;
}

/** The choices of the person for this device, as the server keeps them. */
export interface DeviceChoices {
  readonly language: Language;
  readonly quiet: QuietSpan | null;
  /** The ids of sessions without notifications. */
  readonly muted: readonly string[];
}

/** The server's word on push notifications to this device. */
export interface PushState {
  /** The public key by which a browser subscribes. */
  readonly key: string;
  /** The amount of text that the server sends. */
  readonly text: "none" | "header" | "full";
  readonly subscription: (DeviceChoices & { readonly endpoint: string }) | null;
}

/** The reason why a call brought nothing: the server's word, or that it did not answer. */
export interface PushRefusal {
  readonly refused: "unpaired" | "unserved" | "taken" | "host" | "too_soon" | "other";
  /** The server's word. */
  readonly why: string;
}

/** The calls of a device, which the server knows by its token. */
export type PushCall =
  | { readonly do: "look" | "unsubscribe" | "test" }
  | {
      readonly do: "subscribe";
      readonly endpoint: string;
      readonly keys: object;
      readonly language: Language;
    }
  | ({ readonly do: "choose" } & Partial<DeviceChoices>)
  | {
      readonly do: "visible";
      readonly page: string;
      readonly visible: boolean;
      readonly seen: readonly string[];
    };

/** Asks the server of the page. */
export type PushCalls = (call: PushCall) => Promise<PushState | PushRefusal>;

/** The time for the server's answer, in milliseconds. A test takes as long as the push service does. */
const PATIENCE_MS = 30_000;

/** The form of a device's token. A token of the server itself is another, and is no device's. */
const OF_DEVICE = /^[0-9a-z]{8}-[\w-]{43}$/;

/** Calls to the server of the page, with the token of this device. None is sent without one. */
export function pushCalls(token: () => string | undefined, request: typeof fetch): PushCalls {
  return async (call) => {
    const secret = token();
    if (secret === undefined || !OF_DEVICE.test(secret)) return { refused: "unpaired", why: "" };
    try {
      const response = await request("/push", {
        ...{ method: "POST", credentials: "omit", redirect: "error", keepalive: call.do === "visible" },
        headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
        body: JSON.stringify(call),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const body = await response.json();
      return response.ok ? body : refusal(response.status, String(Object(body).error));
    } catch {
      return { refused: "unserved", why: "" };
    }
  };
}

function refusal(status: number, why: string): PushRefusal {
  const known = (["taken", "host", "too_soon"] as const).find((one) => one === why);
  return { refused: known ?? (status === 401 ? "unpaired" : status === 404 ? "unserved" : "other"), why };
}
