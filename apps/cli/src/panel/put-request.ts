import type { FormResult, FormState } from "@askwire/client/form";
import { keptText, visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import type { LateAnswers } from "../terminal/late-answers.js";
import { whyGone } from "../terminal/settled-elsewhere.js";
import type { Due } from "./deadline.js";
import type { PanelEntry } from "./open-request.js";
import type { Change, PanelRequest } from "./request.js";
import type { Stage } from "./stage.js";
import type { ToldCalls } from "./told-calls.js";

/** Opens a text in an editor; resolves with the text as saved. */
export type EditText = (text: string, name: string, signal: AbortSignal) => Promise<string>;

/** The surroundings of a request that is put to the person. */
export interface Surroundings {
  readonly stage: Stage;
  readonly words: AskedWords;
  /** The filled forms, by the shown view, as long as the client has it, since the server may refuse an answer. */
  readonly forms: WeakMap<object, FormState>;
  /** The changed texts of approvals, by the shown view, since the server may refuse one. */
  readonly changed: WeakMap<object, string>;
  readonly late: LateAnswers;
  readonly told: ToldCalls;
  /** Undefined if no text can be changed. */
  readonly edit: EditText | undefined;
  tellAnswer: ShownTranscript["tellAnswer"];
  dim(text: string): string;
  /** Writes a line about a request. */
  tell(text: string): void;
}

/** A request that is put to the person, until the person or another has settled it. */
export class PutRequest<Reply> implements PanelEntry {
  readonly kind: PanelRequest["kind"];
  request: PanelRequest<Reply>;
  form: FormState;
  top = 0;
  due: Due | undefined;
  others: readonly string[] = [];
  approvals = "";
  calls = 1;
  isSeen: boolean;
  readonly #view: object;
  readonly #at: Surroundings;
  #resolve: (reply: Reply) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(view: object, request: PanelRequest<Reply>, form: FormState, at: Surroundings) {
    this.#view = view;
    this.#at = at;
    this.kind = request.kind;
    this.request = request;
    this.form = form;
    this.due = request.due;
    this.isSeen = request.issues.length > 0;
  }

  /** Resolves with the person's reply. Throws if the request ends otherwise. */
  reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.request.signal.addEventListener("abort", this.#gone, { once: true });
      this.#at.stage.add(this);
    });
  }

  done(result: FormResult): void {
    const { request } = this;
    if (request.change?.isWanted(result) === true) return void this.#change(request.change);
    this.#at.stage.remove(this);
    this.#forgetSignal();
    this.#at.forms.set(this.#view, this.form);
    this.#at.tellAnswer(request.tool_call_id, request.summary(result), !request.tellsAll(result));
    this.#remember(result);
    this.#resolve(request.reply(result));
  }

  async byLines(): Promise<void> {
    this.#forgetSignal();
    try {
      this.#resolve(await this.request.byLines());
    } catch (error) {
      this.#reject(error);
    }
  }

  giveUp(): void {
    this.#forgetSignal();
    this.#reject(new Error("the panels are closed: nobody is asked any more"));
  }

  readonly #gone = () => {
    const { stage, words, tell, tellAnswer, dim } = this.#at;
    const { signal, told } = this.request;
    stage.withdraw(this);
    const line = `${words.noLongerOpen(whyGone(signal.reason, words))} ${visibleLine(told)}`;
    // A question stands there already, while a call may still run on another's approval.
    if (this.isSeen && this.kind === "question")
      tellAnswer(this.request.tool_call_id, { lines: [dim(line)] }, false);
    else if (this.isSeen) tell(line);
    this.#reject(signal.reason);
  };

  #forgetSignal(): void {
    this.request.signal.removeEventListener("abort", this.#gone);
  }

  #remember(result: FormResult): void {
    const { told, late, words, tell } = this.#at;
    const { signal, tool_call_id } = this.request;
    // A call may ask more than once: the last outcome decides.
    if (this.request.tellsAll(result)) told.add(tool_call_id);
    else told.delete(tool_call_id);
    late.answered(signal, (settled) => {
      told.delete(tool_call_id);
      tell(words.didNotCount(whyGone(settled, words)));
    });
  }

  /** Opens the text, and shows the request again with the outcome: saving answers nothing. */
  async #change(change: Change<Reply>): Promise<void> {
    const { stage, words, tell } = this.#at;
    try {
      await stage.away((end) => this.#edit(change, end));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      tell(words.notEdited(visibleLine(why)));
    }
  }

  async #edit({ text, name, changed }: Change<Reply>, end: AbortSignal): Promise<void> {
    const { edit, words, tell } = this.#at;
    // Its row of the form is no answer.
    this.form = this.request.form();
    const saved = (await edit?.(text, name, end)) ?? text;
    const kept = keptText(text, saved);
    if (kept !== saved) tell(words.endsKept);
    this.#at.changed.set(this.#view, kept);
    this.request = changed(kept);
    this.form = this.request.form();
  }
}
