import type { Addressees, Marks } from "@askwire/protocol";
import { eventText } from "@askwire/protocol/internal";
import { needsWords } from "../requests/as-text.js";
import { type AnyInteraction, isForClient, type PersonRequest } from "../requests/core.js";
import type { AllowedFeatures } from "../requests/shows.js";

/** Clients that are remembered as told of one request. */
const MAX_TOLD = 64;

/** The forms in which clients are sent one request. */
type Form = "short" | "plain" | "previews" | `${"" | "call "}${"" | "options"}${"" | " edit"}`;

function formOf(request: PersonRequest, shows: AllowedFeatures): Form {
  if (request.kind === "question") return shows.previews ? "previews" : "plain";
  const options = shows.approval_options && (request.options !== undefined || !shows.scopes);
  const edit = request.edit !== undefined && shows.edits;
  return `${shows.scopes ? "" : "call "}${options ? "options" : ""}${edit ? " edit" : ""}`;
}

/** The writer of an opening's texts. */
export interface OpeningWriter {
  /**
   * A question or approval as a whole event.
   *
   * @throws LocalError BAD_MESSAGE for a request that does not fit its schema, or is too large or too deep to send.
   */
  asked(request: PersonRequest, shows: AllowedFeatures, marks: Marks): string;
  /** The texts that are kept have become longer by so many UTF-16 units, or shorter. */
  grown(by: number): void;
}

/**
 * The opening of a request as an entry of the event log: each client reads the form that it can show, and each form is
 * written once for all (P-XAN-1, P-XAT-3).
 */
export class Opening {
  readonly marks: Marks & { readonly seq: number };
  readonly #id: string;
  readonly #kind: AnyInteraction["kind"];
  /** Those whom it was for when it was opened. */
  readonly #to: Addressees | undefined;
  readonly #writer: OpeningWriter;
  #request: AnyInteraction | undefined;
  /** The texts by form; undefined once the entry has left the log. */
  #texts: Map<Form, string> | undefined = new Map();
  #told: Set<string> | undefined;

  constructor(request: AnyInteraction, marks: Opening["marks"], writer: OpeningWriter) {
    this.marks = marks;
    this.#id = request.id;
    this.#kind = request.kind;
    this.#request = request;
    this.#to = isForClient(request) ? undefined : request.addressing?.to;
    this.#writer = writer;
  }

  /** The request while it is open. */
  get request(): AnyInteraction | undefined {
    return this.#request;
  }

  /** The event for a client that does not have the request before it (P-XST-1). */
  short(): string {
    return this.#kept("short", () => eventText("InteractionOpened", this.#payload, this.marks));
  }

  /** The event as part of the history. */
  replayed(): string {
    return eventText("InteractionOpened", this.#payload, { replayed: true });
  }

  /**
   * The whole question or approval for a client that has it before it.
   *
   * @throws LocalError as {@link OpeningWriter.asked}.
   */
  whole(request: PersonRequest, shows: AllowedFeatures): string {
    const write = () => this.#writer.asked(request, shows, this.marks);
    // The time that is left is another one at each sending.
    if (request.kind === "question" && shows.deadline && request.deadline !== undefined) return write();
    if (request.kind === "question" && needsWords(request.questions, shows)) return write();
    return this.#kept(formOf(request, shows), write);
  }

  /** Remembers a client that was sent the whole request under its number. */
  tell(recipientId: string): void {
    this.#told ??= new Set();
    this.#told.add(recipientId);
    const [oldest] = this.#told;
    if (this.#told.size > MAX_TOLD && oldest !== undefined) this.#told.delete(oldest);
  }

  /** Forgets a client that was told the request is for others now. */
  untell(recipientId: string): void {
    this.#told?.delete(recipientId);
  }

  wasTold(recipientId: string): boolean {
    return this.#told?.has(recipientId) ?? false;
  }

  /** The request is settled: from now on nobody is shown it. */
  close(): void {
    this.#request = undefined;
    this.#told = undefined;
    if (this.#texts !== undefined) this.#drop(new Map());
  }

  /** The entry has left the log, and keeps no text. */
  leave(): void {
    this.#drop(undefined);
  }

  get #payload(): object {
    return { request_id: this.#id, kind: this.#kind, ...(this.#to !== undefined && { to: this.#to }) };
  }

  #kept(form: Form, write: () => string): string {
    const known = this.#texts?.get(form);
    if (known !== undefined) return known;
    const text = write();
    if (this.#texts !== undefined) {
      this.#texts.set(form, text);
      this.#writer.grown(text.length);
    }
    return text;
  }

  #drop(texts: Map<Form, string> | undefined): void {
    let length = 0;
    for (const text of this.#texts?.values() ?? []) length += text.length;
    this.#texts = texts;
    this.#writer.grown(-length);
  }
}
