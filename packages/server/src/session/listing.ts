import type { UserInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { Journal } from "../journal/journal.js";
import type { KeptOpenList } from "../journal/open-file.js";
import { openRequest, type UnfinishedSession } from "../journal/open-requests.js";
import type { InteractionCore } from "../requests/core.js";
import type { SessionOptions } from "./session-options.js";
import { promptTitle, titleOf } from "./session-title.js";
import type { TurnGate } from "./turn-gate.js";

type ListingOptions = Pick<SessionOptions, "agentName" | "clock" | "onChanged" | "parked">;

export interface ListingSources {
  readonly journal: Journal | undefined;
  readonly core: Pick<InteractionCore, "waiting">;
  readonly turns: Pick<TurnGate, "turnId">;
}

/** The facts by which lists show a session: its title, its times, and in a file what is open (P-XSE-4, P-KPT-1). */
export class Listing {
  /** The time at which the session began, in milliseconds since 1970; of a kept session in its first process. */
  readonly madeAt: number;
  readonly #options: ListingOptions;
  readonly #core: ListingSources["core"];
  readonly #turns: ListingSources["turns"];
  readonly #openList: KeptOpenList | undefined;
  #title: string | undefined;
  /** The title by the first prompt. */
  #promptTitle: string | undefined;
  #activeAt: number;

  constructor(options: ListingOptions, { journal, core, turns }: ListingSources) {
    const { clock } = options;
    this.#options = options;
    this.#core = core;
    this.#turns = turns;
    this.#promptTitle = titleOf(journal?.firstPrompt);
    this.madeAt = options.parked?.madeAt ?? journal?.begunAt ?? clock.now();
    this.#activeAt = options.parked?.activeAt ?? this.madeAt;
    this.#openList = journal?.keepOpen(() => this.#unfinished());
  }

  get title(): string | undefined {
    return this.#title ?? this.#promptTitle;
  }

  set title(title: string | undefined) {
    this.#title = titleOf(title);
    this.changed();
  }

  /** True where the title is that of the first prompt, which is kept. */
  get isTitleKept(): boolean {
    return this.#title === undefined;
  }

  /** True until a prompt gave the session a title. */
  get lacksPrompt(): boolean {
    return this.#promptTitle === undefined;
  }

  prompted(input: UserInput): void {
    this.#promptTitle = promptTitle(input);
  }

  /** The time at which a turn last began or ended, or a request was opened or settled, in milliseconds since 1970. */
  get activeAt(): number {
    return this.#activeAt;
  }

  /** A turn began or ended, or a request was opened or settled. */
  act(): void {
    this.#activeAt = this.#options.clock.now();
    this.#openList?.changed();
    this.changed();
  }

  /** Lists would show the session otherwise than before. */
  changed(): void {
    this.#options.onChanged?.();
  }

  /** Writes the file of what is open a last time. */
  close(): void {
    this.#openList?.close();
  }

  /** The open questions and approvals. */
  #unfinished(): UnfinishedSession | undefined {
    const open = [...this.#core.waiting()].map(({ request, since }) => openRequest(request, since));
    if (open.length === 0) return undefined;
    const { turnId } = this.#turns;
    const { agentName } = this.#options;
    return { ...defined({ turn_id: turnId, agent: agentName }), open };
  }
}
