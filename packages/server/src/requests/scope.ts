import { v4 as uuid } from "uuid";

/** What a request belongs to: a session, a turn in it, a sub-agent in that. Ending one ends what lies in it. */
export class Scope {
  readonly parent: Scope | undefined;
  #source: string | undefined;

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  /** What clients tell the approvals of this scope from others by: a UUID as 32 hexadecimal digits. */
  get source(): string {
    this.#source ??= uuid().replaceAll("-", "");
    return this.#source;
  }

  /** Whether `scope` is this one or lies in it. */
  contains(scope: Scope): boolean {
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) if (s === this) return true;
    return false;
  }
}
