import type { ClientRole } from "@askwire/protocol";

/** A token that one person has. */
export interface NamedToken {
  /** The key of this secret: another one once the token was renewed. */
  readonly key: string;
  /** The name of the person: 1 to 200 characters without controls. */
  readonly name: string;
  /** `answer` for a person who may only answer (P-XRL-1). Default: every method. */
  readonly role?: ClientRole | undefined;
  /** The tenant of the person (P-TEN-2). Default: none. */
  readonly tenant?: string | undefined;
}

/** The tokens of persons, which a gateway lets in besides its own (P-WHO-4). */
export interface NamedTokens {
  /** The token with this secret; undefined for another text. Must take a time that reveals nothing about a secret. */
  match(secret: string): NamedToken | undefined;
  /** Calls `revoked` with the key of each secret that no longer counts. The returned function ends that. */
  watchRevoked(revoked: (key: string) => void): () => void;
}
