import type { Asked, AskInit, ClientSession } from "@askwire/client";
import { defined } from "@askwire/protocol/internal";
import type { ContentToAsk, GatewayAsker } from "./asking.js";
import { retried } from "./gateway-replies.js";

/** The questions under a handle, while calls wait for them. */
export interface SharedAsk {
  /** Resolves once the gateway has the questions: only then can somebody come back for them. */
  readonly put: Promise<Asked>;
  readonly asked: Promise<Asked>;
  /** The number of calls that wait, and as the gateway knows it. */
  calls: number;
  told: number;
  withdraw(): void;
}

/** The asks of a gateway's session, whose key is the handle. Calls for the same questions share one. */
export class SharedAsks {
  readonly #session: (name: string) => Promise<ClientSession>;
  /** By handle. */
  readonly #waiting = new Map<string, SharedAsk>();

  constructor(session: (name: string) => Promise<ClientSession>) {
    this.#session = session;
  }

  has(handle: string): boolean {
    return this.#waiting.has(handle);
  }

  /** Waits for the outcome under a handle. The wait outlives the call. */
  wait(handle: string, asker: GatewayAsker, content?: ContentToAsk): SharedAsk {
    const known = this.#waiting.get(handle);
    if (known !== undefined) return known;
    const withdrawal = new AbortController();
    const init = { key: handle, ...(content && asInit(content)), signal: withdrawal.signal };
    const put = this.#ask(asker, { ...init, wait: false });
    const asked = put.then(() => this.#ask(asker, { ...init, wait: true }));
    const shared = { put, asked, calls: 0, told: 1, withdraw: () => withdrawal.abort() };
    this.#waiting.set(handle, shared);
    const over = () => void this.#waiting.delete(handle);
    asked.then(over, over);
    return shared;
  }

  /** Another number of calls waits, which people are told (P-XAK-10). A gateway that does not hear it needs no word. */
  count(handle: string, asker: GatewayAsker, shared: SharedAsk, by: number): void {
    shared.calls += by;
    const { calls, told } = shared;
    if (calls === told || this.#waiting.get(handle) !== shared) return;
    shared.told = calls;
    shared.put.then(() => this.#ask(asker, { key: handle, wait: false, calls })).catch(() => {});
  }

  /** Looks at the questions under a handle. */
  look(handle: string, asker: GatewayAsker): Promise<Asked> {
    return this.#ask(asker, { key: handle, wait: false });
  }

  /** Withdraws all questions that calls wait for. Resolves once they are. */
  async withdraw(withdrawn: (handle: string) => void): Promise<void> {
    const all = [...this.#waiting];
    for (const [handle, shared] of all) {
      shared.withdraw();
      withdrawn(handle);
    }
    await Promise.allSettled(all.map(([, { asked }]) => asked));
  }

  #ask({ name }: GatewayAsker, init: Omit<Parameters<ClientSession["ask"]>[0], "onLost">): Promise<Asked> {
    return retried(async () => (await this.#session(name)).ask({ ...init, onLost: "keep" }));
  }
}

/** The content as the wire's `ask` takes it. A time that is over leaves nothing decided. */
function asInit(content: ContentToAsk): Pick<AskInit, "questions" | "approval" | "deadline"> {
  if ("approval" in content) return { approval: content.approval };
  const { questions, deadlineMs } = content;
  const deadline = deadlineMs === undefined ? undefined : { ms: deadlineMs, on_expiry: "cancel" as const };
  return { questions, ...defined({ deadline }) };
}
