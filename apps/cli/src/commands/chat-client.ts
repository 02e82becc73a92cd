import type { ConnectOptions } from "@askwire/client";
import type { ChatWords } from "@askwire/client/words";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import type { TerminalPerson } from "../panel/terminal-person.js";
import type { KeptDrafts } from "../sessions/kept-drafts.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { connectionLine } from "../terminal/connection-line.js";
import { joinedConversation } from "../terminal/joined-conversation.js";
import type { recall } from "../terminal/recall.js";
import { untold } from "./untold-event.js";

interface Place {
  readonly person: TerminalPerson;
  readonly transcript: ShownTranscript;
  readonly recall: ReturnType<typeof recall>;
  readonly work: KeptDrafts;
  readonly paint: Paint;
  readonly words: ChatWords;
  /** Set for a session in which others may have spoken before. Of an agent that begins here nothing came before. */
  readonly joins: boolean;
  /**
   * Resolves once the session is there, and undefined from then on: what its server takes with an answer is known only
   * then, and a request that is shown later than it came might be settled already.
   */
  readonly begins: () => Promise<void> | undefined;
}

/** The terminal as a client of the wire: it shows events, and puts requests to its person. */
export class ChatClient {
  readonly options: ConnectOptions;
  readonly #place: Place;
  #waiting = 0;

  constructor(place: Place) {
    const { person, transcript, paint, words } = place;
    const connectionTold = connectionLine(words);
    this.#place = place;
    this.options = {
      client: { name: "askwire-chat", version: __ASKWIRE_VERSION__ },
      handlers: this.#handlers(),
      planMode: true,
      shows: {
        previews: true,
        skip: true,
        notes: true,
        deadline: person.showsDeadlines,
        fields: true,
        approvalOptions: true,
        edits: true,
        quorum: true,
        presence: true,
      },
      onConnection: (change) => {
        const line = connectionTold(change);
        if (line !== undefined) transcript.line(paint("dim", line));
        transcript.changed();
      },
    };
  }

  /** The number of requests that wait for the person. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Without iterating the turn: a question after an event must not be shown before that event. */
  #handlers(): NonNullable<ConnectOptions["handlers"]> {
    const { person, transcript, recall, work, paint, words, joins } = this.#place;
    const show = (event: WireEvent | Unrecognized) => transcript.event(untold(event, person));
    return {
      question: (view, context) =>
        this.#asking(
          view,
          () => person.question(view, context),
          (reply) => recall.answered(view, reply),
        ),
      approval: (view, context) =>
        this.#asking(
          view,
          () => person.approval(view, context),
          (reply) => recall.decided(view, reply),
        ),
      callOutput: (output) => transcript.printed(output),
      event(event) {
        if (event.type === "InteractionSettled") work.drop(event.payload.request_id);
        if (event.type === "InteractionUpdated") person.updated(event.payload);
        show(event);
      },
      // A kept session is told in a line.
      ...(joins && { history: joinedConversation(transcript, show, paint, words) }),
    };
  }

  /** Counts a request while it waits, and notes what was said to it. */
  async #asking<Reply>(
    { tool_call_id }: { readonly tool_call_id: string },
    ask: () => Reply | PromiseLike<Reply>,
    note: (reply: Reply) => void,
  ): Promise<Reply> {
    this.#waiting += 1;
    try {
      const begins = this.#place.begins();
      const said = await (begins === undefined ? ask() : begins.then(ask));
      note(said);
      return said;
    } finally {
      this.#waiting -= 1;
      this.#place.transcript.answered(tool_call_id);
    }
  }
}
