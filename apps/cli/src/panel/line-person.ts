import type {
  ApprovalReply,
  ApprovalView,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type PanelWords, whoActs } from "@askwire/client/words";
import type { KeptWork } from "../terminal/kept-work.js";
import type { AskedInLines } from "../terminal/person.js";
import { approvalsTold } from "./approvals-told.js";
import type { PersonUpdate, TerminalPerson } from "./terminal-person.js";

/** A person at a terminal on which nothing is drawn: all that happens to a request is told in lines. */
export class LinePerson implements TerminalPerson {
  readonly showsDeadlines = false;
  readonly #person: AskedInLines;
  readonly #words: PanelWords;
  readonly #tell: (text: string) => void;
  readonly #work: KeptWork | undefined;
  /** The ids of open requests. */
  readonly #asked = new Set<string>();

  constructor(
    person: AskedInLines,
    { words, tell, work }: { words: PanelWords; tell(text: string): void; work: KeptWork | undefined },
  ) {
    this.#person = person;
    this.#words = words;
    this.#tell = tell;
    this.#work = work;
  }

  question(view: QuestionView, context: RequestContext): Promise<QuestionReply> {
    return this.#whileAsked(view.id, this.#person.question(view, context));
  }

  approval(view: ApprovalView, context: RequestContext): Promise<ApprovalReply> {
    return this.#whileAsked(view.id, this.#person.approval(view, context));
  }

  interrupt(): boolean {
    return this.#person.interrupt();
  }

  takeAhead(): void {}

  updated(update: PersonUpdate): void {
    const { request_id, answering = [], calls = 1 } = update;
    const approvals = approvalsTold(update, this.#words);
    if (approvals !== undefined) this.#tell(`(${visibleLine(approvals)})`);
    if (!this.#asked.has(request_id)) return;
    const names = answering.map((one) => visibleLine(whoActs(one, this.#words.somebodyIn)));
    if (names.length > 0) this.#tell(`(${this.#words.othersAnswer(names)})`);
    if (calls > 1) this.#tell(`(${this.#words.callsWait(calls)})`);
  }

  hasTold(): boolean {
    return false;
  }

  close(): void {
    this.#work?.flush();
  }

  async #whileAsked<Reply>(id: string, reply: PromiseLike<Reply> | Reply): Promise<Reply> {
    this.#asked.add(id);
    try {
      return await reply;
    } finally {
      this.#asked.delete(id);
    }
  }
}
