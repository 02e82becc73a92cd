import { LocalError, type RequestDraft, wireErrorCodes } from "@askwire/protocol";
import type { ClientSession } from "../contract/session.js";
import { systemTiming, type Timing } from "../runtime/timing.js";

/** The time in which changes of a draft are gathered, in milliseconds. */
const GATHER_MS = 1_000;
/** The code with which a server refuses a draft that is too long (P-XDR-1). */
const TOO_LONG = wireErrorCodes.InvalidParams;
/** The most drafts that wait to be sent; the oldest go. */
const MOST_UNSENT = 64;

/** A person's unsent work as a server kept it, and the time since then, in milliseconds. */
export interface WorkElsewhere {
  readonly draft: RequestDraft;
  readonly ageMs: number;
}

/** A person's unsent work on the requests of a session, for their other devices. */
export interface PersonDrafts {
  /** True where the server keeps it: it knows who the person of this connection is (P-XDR-2). */
  readonly areKept: boolean;
  /** The work on an open request that this person's connections kept last. Undefined where there is none, and without a connection. */
  read(requestId: string): Promise<WorkElsewhere | undefined>;
  /**
   * Keeps the work on an open request, once a second at most. Without a connection it waits until {@link PersonDrafts.flush}.
   *
   * @param draft undefined where nothing is begun now.
   */
  keep(requestId: string, draft: RequestDraft | undefined): void;
  /** Gives up what waits to be sent of a request, as where newer work has come or the request is over. */
  drop(requestId: string): void;
  /** Sends at once what waits, as where the person turns away, or a connection is back. */
  flush(): void;
}

/**
 * The way of a person's unsent work to their other devices, for a user interface that keeps it (P-XDR-1 to P-XDR-4). It
 * never throws: where the server keeps nothing, nothing is read.
 *
 * @param timing the clock. Default: the runtime's.
 */
export function personDrafts(session: ClientSession, timing: Timing = systemTiming): PersonDrafts {
  const unsent = new Map<string, RequestDraft | undefined>();
  let cancel: (() => void) | undefined;
  const areKept = () => session.server?.capabilities?.askwire?.drafts === true;

  async function send(request_id: string, draft: RequestDraft | undefined): Promise<void> {
    try {
      await session.call("keep_draft", { request_id, ...(draft !== undefined && { draft }) });
    } catch (error) {
      // Newer work is on its way already.
      if (unsent.has(request_id)) return;
      if (error instanceof LocalError && error.code === "CLOSED") wait(request_id, draft);
      // A text that is too long stays here, and older words must not come back from elsewhere in its place.
      else if (draft !== undefined && Object(error).code === TOO_LONG) void send(request_id, undefined);
    }
  }

  function wait(requestId: string, draft: RequestDraft | undefined): void {
    unsent.delete(requestId);
    unsent.set(requestId, draft);
    for (const oldest of unsent.keys()) if (unsent.size > MOST_UNSENT) unsent.delete(oldest);
  }

  function flush(): void {
    cancel?.();
    cancel = undefined;
    if (session.connection !== "connected" || !areKept()) return;
    const now = [...unsent];
    unsent.clear();
    for (const [id, draft] of now) void send(id, draft);
  }

  return {
    get areKept() {
      return areKept();
    },
    async read(request_id) {
      if (!areKept()) return undefined;
      try {
        const reply = await session.call("read_draft", { request_id });
        const { draft, age_ms: ageMs } = reply as { readonly draft?: unknown; readonly age_ms?: unknown };
        return isDraft(draft) && typeof ageMs === "number" ? { draft, ageMs } : undefined;
      } catch {
        return undefined;
      }
    },
    keep(requestId, draft) {
      if (!areKept()) return;
      wait(requestId, draft);
      cancel ??= timing.after(GATHER_MS, flush, false);
    },
    drop: (requestId) => void unsent.delete(requestId),
    flush,
  };
}

/** True for a draft whose parts can be read. The server checked them, and a newer one may have sent more. */
function isDraft(draft: unknown): draft is RequestDraft {
  const { items = [], ...words } = Object(draft);
  const isItem = (item: unknown) => {
    const { question_id, selected, own_text, note } = Object(item);
    return (
      typeof question_id === "string" &&
      Array.isArray(selected) &&
      [own_text, note].every((text) => text === undefined || typeof text === "string")
    );
  };
  return (
    draft !== undefined &&
    Array.isArray(items) &&
    items.every(isItem) &&
    [words.discuss, words.feedback, words.note, words.edited].every(
      (text) => text === undefined || typeof text === "string",
    )
  );
}
