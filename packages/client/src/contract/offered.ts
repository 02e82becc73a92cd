import type { ClientHook, ClientTool } from "./offers.js";
import type { ConnectOptions, Offers } from "./session.js";

/**
 * The offers of this client: the accepted ones, in the session's options, and those of a declaration on its way. A
 * declaration that is refused, or gets no reply, changes nothing.
 */
export class Offered {
  readonly #options: ConnectOptions;
  #told: Offers = {};
  /** A hook keeps its id as long as it is offered, so that no other one is called for it. */
  readonly #ids = new WeakMap<ClientHook, string>();
  #named = 0;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /** The tool of this name. One that the server is only told of now may be called before its word is read. */
  tool = (name: string): ClientTool | undefined =>
    [...(this.#options.tools ?? []), ...(this.#told.tools ?? [])].find((tool) => tool.name === name);

  hook = (id: string): ClientHook | undefined =>
    [...(this.#options.hooks ?? []), ...(this.#told.hooks ?? [])].find((hook) => this.#idOf(hook) === id);

  /** The hooks as `initialize` names them, each under its own id. */
  subscriptions(hooks: readonly ClientHook[]) {
    return hooks.map((hook) => {
      const { event, matcher, timeout, onFailure: on_failure } = hook;
      return { id: this.#idOf(hook), event, matcher, timeout, on_failure };
    });
  }

  /**
   * Sends the server other offers. They count once it has taken them.
   *
   * @param tell sends them, with all that stays unchanged.
   */
  async change<T>(offers: Offers, tell: (all: ConnectOptions) => Promise<T>): Promise<T> {
    this.#told = offers;
    try {
      const taken = await tell({ ...this.#options, ...offers });
      Object.assign(this.#options, offers);
      return taken;
    } finally {
      if (this.#told === offers) this.#told = {};
    }
  }

  #idOf(hook: ClientHook): string {
    const known = this.#ids.get(hook);
    if (known !== undefined) return known;
    this.#named += 1;
    const id = `hook-${this.#named}`;
    this.#ids.set(hook, id);
    return id;
  }
}
