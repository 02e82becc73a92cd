import type { NodeStore } from "@askwire/postgres";
import { LocalError, type LocalErrorCode, WireError } from "@askwire/protocol";
import type { StoredSession } from "@askwire/server";

/**
 * A store whose errors are those of the command. A package that is installed beside it has a copy of `LocalError` of its
 * own, which no `instanceof` here knows: a fenced session would be tried again for ever.
 */
export function withOwnErrors(store: NodeStore): NodeStore {
  const shared = store.shared?.bind(store);
  const decisions = store.decisions?.bind(store);
  return {
    name: store.name,
    take: (id, workDir) => told(async () => takenWithOwnErrors(await store.take(id, workDir))),
    find: (id) => told(() => store.find(id)),
    list: (query) => told(() => store.list(query)),
    remove: (id) => told(() => store.remove(id)),
    bring: (session) => told(() => store.bring(session)),
    giveAway: (id, move) => told(() => store.giveAway(id, move)),
    moveOf: (id) => told(() => store.moveOf(id)),
    ownerOf: (id) => told(() => store.ownerOf(id)),
    tenant: (name) => withOwnErrors(store.tenant(name)),
    ...(shared !== undefined && { shared: (...asked) => told(() => shared(...asked)) }),
    ...(decisions !== undefined && { decisions: (...asked) => told(() => decisions(...asked)) }),
    close: () => told(() => store.close()),
  };
}

function takenWithOwnErrors(session: StoredSession): StoredSession {
  const { name, generation, count, history } = session;
  return {
    ...{ name, generation, count, history },
    commit: (commit) => told(() => session.commit(commit)),
    ...(session.onLost !== undefined && {
      onLost: (listener) => session.onLost?.((why) => listener(ownError(why) as LocalError)),
    }),
    read: (from, end) => session.read(from, end),
    release: () => told(() => session.release()),
  };
}

/** @throws the error of a call, as one of the command. */
export async function told<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw ownError(error);
  }
}

function ownError(error: unknown): unknown {
  if (error instanceof Error && error.name === "WireError" && !(error instanceof WireError)) {
    const { code, message, data } = error as Error & Pick<WireError, "code" | "data">;
    return new WireError(code, message, { data, cause: error });
  }
  if (!(error instanceof Error) || error.name !== "LocalError" || error instanceof LocalError) return error;
  const { code, message } = error as Error & { readonly code: LocalErrorCode };
  return new LocalError(code, message, { cause: error });
}
