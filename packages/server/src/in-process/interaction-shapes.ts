// The shapes of the channel of user interactions, under klaude-code's names.
import type { DisplayBlockInput } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";

/** The asker: a tool puts questions, an approval lets one action pass (L-02, L-18). */
export const userInteractionSources = ["tool", "approval"] as const;
/** A value of {@link userInteractionSources}. */
export type UserInteractionSource = (typeof userInteractionSources)[number];

/** The id that stands for own text among the options that were selected (L-21). */
export const OTHER_OPTION = "__other__";

/** An option of a question, or of an approval. */
export interface InteractionOption {
  readonly id: string;
  readonly label: string;
  /** May be empty. */
  readonly description: string;
  /** A preview. */
  readonly markdown?: string;
  readonly recommended?: boolean;
}

/** A question as shown. The members after `input_placeholder` are present only if the question has them. */
export interface InteractionQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly options: readonly InteractionOption[];
  readonly multi_select: boolean;
  readonly input_placeholder: string | null;
  /** Markdown to show above the options. */
  readonly body?: string;
  /** The name of the row for own text, and its explanation. */
  readonly other_label?: string;
  readonly other_description?: string;
  /** False: own text is refused. */
  readonly own_text?: false;
  /** The ids of the options that count when a deadline passes. */
  readonly default?: readonly string[];
}

/** The questions or the approval for a person. */
export type UserInteractionPayload =
  | { readonly kind: "ask_user_question"; readonly questions: readonly InteractionQuestion[] }
  | {
      readonly kind: "operation_select";
      readonly header: string;
      readonly question: string;
      readonly options: readonly InteractionOption[];
      /** The blocks to show with the approval, if any. */
      readonly display?: readonly DisplayBlockInput[];
    };

/** A request as it comes out of the channel (L-01). */
export interface UserInteractionRequest {
  readonly session_id: string;
  readonly request_id: string;
  readonly source: UserInteractionSource;
  /** The tool call that asks; null for one that no tool call asks. */
  readonly tool_call_id: string | null;
  readonly payload: UserInteractionPayload;
}

const Answer = z.looseObject({
  question_id: z.string(),
  selected_option_ids: z.array(z.string()),
  other_text: z.optional(z.nullable(z.string())),
  note: z.optional(z.nullable(z.string())),
  /** Only for people: the model reads the preview of what was chosen, whatever stands here. */
  annotation: z.optional(z.nullable(z.looseObject({ markdown: z.optional(z.nullable(z.string())) }))),
});

const ResponsePayload = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("ask_user_question"), answers: z.array(Answer) }),
  z.looseObject({
    kind: z.literal("operation_select"),
    selected_option_id: z.string(),
    /** Why, in the person's words. */
    note: z.optional(z.nullable(z.string())),
  }),
]);

/** The response: submitted with the answer, or cancelled without (L-03). */
export const UserInteractionResponse = z.looseObject({
  status: z.literal(["submitted", "cancelled"]),
  payload: z.nullable(ResponsePayload),
});
export type UserInteractionResponse = z.output<typeof UserInteractionResponse>;

const AskedOption = z.looseObject({
  id: z.optional(z.string()),
  label: z.string(),
  description: z._default(z.string(), ""),
  markdown: z.optional(z.string()),
});

const AskedQuestion = z.looseObject({
  id: z.optional(z.string()),
  header: z._default(z.string(), ""),
  question: z.string(),
  options: z.array(AskedOption),
  multi_select: z._default(z.boolean(), false),
  input_placeholder: z.optional(z.nullable(z.string())),
});

/** The questions of a tool, as {@link UserInteractions.request} takes them. Ids default to those by position. */
export const AskedQuestions = z.looseObject({
  kind: z.literal("ask_user_question"),
  questions: z.array(AskedQuestion),
});

/** An approval as given by its asker: the header is covered by `approve_for_session`, the question is the action. */
export const AskedApproval = z.looseObject({
  kind: z.literal("operation_select"),
  header: z.string(),
  question: z.string(),
});

/** A request for {@link UserInteractions.request}. */
export interface UserInteractionInit {
  /** The name on this channel, and nowhere else. Default: the request's UUID. */
  readonly request_id?: string;
  /** The asker decides the payload: a tool puts `ask_user_question`, an approval `operation_select`. */
  readonly source: UserInteractionSource;
  /** Default: the tool call that this runs in, if there is one. */
  readonly tool_call_id?: string | null;
  readonly payload: z.input<typeof AskedQuestions> | z.input<typeof AskedApproval>;
}
