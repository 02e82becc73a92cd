import { uuid } from "../runtime/uuid.js";

/** The place of a request: a session, a turn in it, a sub-agent in that. Ending a scope ends all scopes within. */
export class Scope {
  readonly parent: Scope | undefined;
  #source: string | undefined;

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  /** The mark of this scope's approvals for clients: a UUID as 32 hexadecimal digits. */
  get source(): string {
    this.#source ??= uuid().replaceAll("-", "");
    return this.#source;
  }

  /** Sets the mark of a turn that resumes, which earlier processes gave it (P-RES-3). */
  set source(source: string) {
    this.#source = source;
  }

  /** True if `scope` is this scope or lies within. */
  contains(scope: Scope): boolean {
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) if (s === this) return true;
    return false;
  }
}
