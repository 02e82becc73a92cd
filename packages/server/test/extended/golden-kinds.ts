import type { Introduction } from "./extended-client.js";
import { everything, introduction } from "./extended-client.js";

/** What the agent asks: a question that has everything a question may have, with a deadline. */
export const richQuestion = {
  id: "finish",
  question: "Which finish?",
  header: "Finish",
  body: "# Finishes",
  multi_select: true,
  max: 1,
  own_text: false,
  placeholder: "say more",
  default: ["gloss"],
  other_label: "Another",
  other_description: "in your words",
  options: [
    { id: "matt", label: "Matt, rough", description: "dull", preview: "```\nmatt\n```" },
    { id: "gloss", label: "Gloss", recommended: true },
  ],
} as const;

export const deadline = { at: "1970-01-01T00:01:00.000Z", remaining_ms: 60_000, on_expiry: "cancel" };

/** The question as the base profile has it. */
const baseQuestion = {
  question: "Which finish?",
  header: "Finish",
  options: [
    { label: "Matt, rough", description: "dull" },
    { label: "Gloss", description: "" },
  ],
  multi_select: true,
  body: "# Finishes",
  other_label: "Another",
  other_description: "in your words",
};

const matt = { id: "matt", label: "Matt, rough", description: "dull" };
const gloss = { id: "gloss", label: "Gloss", recommended: true };
const extendedQuestion = {
  ...baseQuestion,
  id: "finish",
  own_text: false,
  placeholder: "say more",
  default: ["gloss"],
  max: 1,
};
const { max: _max, ...withoutChoices } = extendedQuestion;
/** What a client reads that is not told how many choices there are to be. */
const inWords = "# Finishes\n\nExpected: at most 1 choice.";
const preview = "```\nmatt\n```";

/** What is the same for all clients of the base profile, and of the extended one. */
interface Profile {
  readonly profile: "base" | "extended";
  /** The code with which `answer` to the question is refused while it is open, by a client that was not sent it. */
  readonly unasked: number;
  /** The code with which `answer` is refused when it is late. */
  readonly late: number;
  /** What it hears between the question and the tool's result, and between the approval and the tool's result. */
  readonly toldOfQuestion: readonly string[];
  readonly toldOfApproval: readonly string[];
  /** What it hears of a turn's beginning and end, with the session's state where that rides along. */
  readonly toldOfTurn: readonly [begin: readonly string[], end: readonly string[]];
}

const base: Profile = {
  profile: "base",
  unasked: -32601,
  late: -32601,
  toldOfQuestion: [],
  toldOfApproval: ["ApprovalResponse"],
  toldOfTurn: [["TurnBegin"], ["TurnEnd"]],
};
const extended: Profile = {
  profile: "extended",
  unasked: -32014,
  late: -32010,
  toldOfQuestion: ["InteractionSettled: running"],
  toldOfApproval: ["ApprovalResponse", "InteractionSettled: running"],
  toldOfTurn: [["TurnBegin: running"], ["TurnEnd: idle"]],
};

/** One kind of client, with all that it is sent and told, written by hand. */
export interface Kind extends Profile {
  readonly params: object;
  /** What the question is sent to it as, beside its ids; undefined: it is not. */
  readonly question: object | undefined;
  /** What is lost when it answers. */
  readonly degraded: readonly object[] | undefined;
}

const baseParams = (name: string, supports_question: boolean) => ({
  protocol_version: "1.10",
  client: { name },
  capabilities: { supports_question },
});
const extendedParams = (name: string, said: Introduction = {}) => introduction({ name, ...said });

export const kinds = {
  "base that asks": {
    ...base,
    params: baseParams("base that asks", true),
    question: { questions: [{ ...baseQuestion, body: inWords }] },
    degraded: [
      { question_id: "finish", feature: "preview" },
      { question_id: "finish", feature: "placeholder" },
      { question_id: "finish", feature: "default" },
      { question_id: "finish", feature: "recommended" },
      { question_id: "finish", feature: "own_text" },
      { question_id: "finish", feature: "multi_label" },
      { question_id: "finish", feature: "choices" },
      { feature: "deadline" },
    ],
  },
  "base that cannot": {
    ...base,
    params: baseParams("base that cannot", false),
    question: undefined,
    degraded: undefined,
  },
  "extended, all of it": {
    ...extended,
    params: extendedParams("extended, all of it"),
    question: { questions: [{ ...extendedQuestion, options: [{ ...matt, preview }, gloss] }], deadline },
    degraded: undefined,
  },
  "extended without questions": {
    ...extended,
    params: extendedParams("extended without questions", { question: false }),
    question: undefined,
    degraded: undefined,
  },
  "extended without previews": {
    ...extended,
    params: extendedParams("extended without previews", { shows: { ...everything, previews: false } }),
    question: { questions: [{ ...extendedQuestion, options: [matt, gloss] }], deadline },
    degraded: [{ question_id: "finish", feature: "preview" }],
  },
  "extended without fields": {
    ...extended,
    params: extendedParams("extended without fields", { shows: { ...everything, fields: false } }),
    question: {
      questions: [{ ...withoutChoices, body: inWords, options: [{ ...matt, preview }, gloss] }],
      deadline,
    },
    degraded: [{ question_id: "finish", feature: "choices" }],
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];
