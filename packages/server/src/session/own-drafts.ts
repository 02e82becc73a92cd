import type { RequestDraft } from "@askwire/protocol";
import { invalidParams } from "@askwire/protocol/internal";
import type { PersonRequest } from "../requests/core.js";
import type { Answerer } from "./answers.js";
import { type DraftTable, MOST_OF_DRAFT } from "./draft-table.js";

/** The drafts of one session, each for the person who wrote it alone (P-XDR-1 to P-XDR-3). */
export class OwnDrafts {
  readonly #session: string;
  readonly #table: DraftTable | undefined;
  readonly #find: (requestId: string, recipientId: string) => PersonRequest;

  /** @param find gives an open request that the client was shown, and throws a WireError where there is none. */
  constructor(
    session: string,
    table: DraftTable | undefined,
    find: (requestId: string, recipientId: string) => PersonRequest,
  ) {
    this.#session = session;
    this.#table = table;
    this.#find = find;
  }

  /**
   * Keeps the work of the person of a connection on a request; undefined forgets it. A connection without a person keeps
   * nothing.
   *
   * @throws WireError for a request that is not open for the client, InvalidParams for a draft that is too long.
   */
  keep(requestId: string, draft: RequestDraft | undefined, { recipientId, person }: Answerer): void {
    const { principal } = person;
    const { id: request } = this.#find(requestId, recipientId);
    const { length } = JSON.stringify(draft ?? {});
    if (length > MOST_OF_DRAFT)
      throw invalidParams("keep_draft", `draft: expected at most ${MOST_OF_DRAFT} characters, got ${length}`);
    if (principal === undefined) return;
    const place = { session: this.#session, request };
    if (draft === undefined) this.#table?.forget(place, principal);
    else this.#table?.keep(place, principal, draft);
  }

  /**
   * The work of the person of a connection on a request, and its age in milliseconds. Empty where there is none.
   *
   * @throws WireError for a request that is not open for the client.
   */
  read(requestId: string, { recipientId, person }: Answerer): { draft?: RequestDraft; age_ms?: number } {
    const { principal } = person;
    const { id: request } = this.#find(requestId, recipientId);
    return (principal && this.#table?.read({ session: this.#session, request }, principal)) ?? {};
  }
}
