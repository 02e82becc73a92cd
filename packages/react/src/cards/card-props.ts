import type {
  ApprovalReply,
  ApprovalView,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "@askwire/client";
import type { CardWords } from "@askwire/client/words";
import type { HeardDeadline } from "@askwire/protocol";
import type { AnswerDraft, ApprovalDraft, OpenRequest } from "../hooks/open-requests.js";
import type { Highlight } from "../looks/coloured.js";
import type { RenderMarkdown } from "./foreign-text.js";

/** The props that the cards of all kinds have. */
interface CardProps<View, Reply, Draft> {
  /** The request, as the handler of a client has it. */
  readonly request: View;
  /**
   * Called once: of a question with `{ items }`, `"declined"` or `{ declined: "discuss", note }`, of an approval with
   * the choice and the words or the changed text that go with it.
   */
  onReply(reply: Reply): void;
  /**
   * Called at the person's first act, by a key or a pointer, and at the next one where another deadline runs by then: the
   * server then takes the deadline away.
   */
  onBegin?(): void;
  /** The server's reasons for refusing the last answer (P-XAN-4). Default: none. */
  readonly issues?: RequestContext["issues"];
  /** The work on the same request that was kept by `onDraft`. Default: none. */
  readonly draft?: Draft;
  /** Called with the person's work at each change, as plain JSON. Keep it where it has to outlive the page. */
  onDraft?(draft: Draft): void;
  /** The other clients whose people have begun to answer. Default: none. */
  readonly answering?: OpenRequest["answering"];
  /** Those who have approved, where several people must. Default: nobody yet. */
  readonly approvedBy?: OpenRequest["approvedBy"];
  /** The end of the request elsewhere: the card can then only be read. */
  readonly settled?: OpenRequest["settled"];
  /** The progress of the reply. Default: the card shows none. */
  readonly delivery?: OpenRequest["delivery"];
  /** The reply that was given elsewhere than in this card, such as in a pick of an editor. Default: the card's own. */
  readonly reply?: Reply;
  /** The calls of the asking program that wait for the answer. Default: 1. */
  readonly calls?: number;
  /** Called by the button of a settled card, which then can go. Default: there is no button. */
  onDismiss?(): void;
  /** The words of the card. Default: English, `cardWords.en`. */
  readonly words?: CardWords;
}

/** The props of an {@link ApprovalCard}. */
export interface ApprovalCardProps extends CardProps<ApprovalView, ApprovalReply, ApprovalDraft> {
  /** Finds the colours of commands and differences, as `codeColours` of `@askwire/react/code` makes it. Default: they are plain. */
  readonly highlight?: Highlight;
  /** Opens the whole difference of a file elsewhere, such as in an editor. Default: a long one is only shown here, piece by piece. */
  onOpenChange?(path: string): void;
}

/** The props of a {@link QuestionCard}. */
export interface QuestionCardProps extends CardProps<QuestionView, QuestionReply, AnswerDraft> {
  /** The deadline that holds now, null once it was removed. Default: no time is shown. */
  readonly deadline?: HeardDeadline | null;
  /** The time at which the deadline came, on the clock of `performance.now()`. Default: when the card is first shown. */
  readonly deadlineSince?: number;
  /** Words that the person said to the agent meanwhile: the card offers to answer with them. Default: none. */
  readonly said?: string | undefined;
  /** Features that the connection negotiated in addition to choices. Default: all. */
  readonly shows?: {
    readonly notes?: boolean;
    readonly attachments?: boolean;
    readonly skip?: boolean;
    readonly discuss?: boolean;
  };
  /** Finds the colours of code in that Markdown, as `codeColours` of `@askwire/react/code` makes it. Default: it is plain. */
  readonly highlight?: Highlight;
  /** Shows Markdown in bodies and previews. Default: as it was written. */
  readonly renderMarkdown?: RenderMarkdown;
}

/** The name of the request, which its parts are given. */
export interface Named {
  readonly name: string;
}

/** The part of a card's state that outlives a failure of the card. */
export interface Outlived {
  /** True once a reply was given, until the server refuses it. */
  readonly isAnswered: boolean;
}
