import type { AnswerItem } from "@askwire/protocol";

/** A row of the table in docs/mcp-mapping.md, with what shows it. */
export interface FormRow {
  readonly askwire: string;
  readonly mcp: string;
  readonly lost: string;
  /** The question as a model writes it, without its text. */
  readonly question: object;
  /** The property of the form that it becomes, in part. */
  readonly property: object;
  /** The content that a host sends back. */
  readonly content: object;
  readonly item: Partial<AnswerItem>;
}

const options = [{ label: "Red" }, { label: "Blue", description: "Like the sea" }];
const field = (type: string, more: object = {}) => ({ field: { type, ...more } });

/** The questions of `ask_user_question`, and their forms. */
export const formRows: readonly FormRow[] = [
  {
    askwire: "`question`, `header`",
    mcp: "`title`, `description` of a property",
    lost: "–",
    question: { header: "Name" },
    property: { type: "string", title: "Which?", description: "Name" },
    content: { q1: "Ada" },
    item: { selected: [], own_text: "Ada" },
  },
  {
    askwire: "a single choice",
    mcp: "string with `oneOf`",
    lost: "descriptions of options stand in their titles, previews are not shown",
    question: { options },
    property: {
      type: "string",
      title: "Which?",
      oneOf: [
        { const: "q1_o1", title: "Red" },
        { const: "q1_o2", title: "Blue: Like the sea" },
      ],
    },
    content: { q1: "q1_o2" },
    item: { selected: ["q1_o2"] },
  },
  {
    askwire: "several choices",
    mcp: "array with `items.anyOf`",
    lost: "`min` and `max` are checked after the answer",
    question: { options, multi_select: true, max: 2 },
    property: { type: "array", items: { anyOf: [{ const: "q1_o1", title: "Red" }, { const: "q1_o2" }] } },
    content: { q1: ["q1_o2", "q1_o1"] },
    item: { selected: ["q1_o1", "q1_o2"] },
  },
  {
    askwire: "own words instead of a choice",
    mcp: "a second property, `q1_own`",
    lost: "–",
    question: { options },
    property: { type: "string" },
    content: { q1_own: "Green" },
    item: { selected: [], own_text: "Green" },
  },
  {
    askwire: "own words beside a single choice: a note",
    mcp: "both properties",
    lost: "–",
    question: { options },
    property: { type: "string" },
    content: { q1: "q1_o1", q1_own: "a dark one" },
    item: { selected: ["q1_o1"], note: "a dark one" },
  },
  {
    askwire: "a skipped question",
    mcp: "a property that is not in `required`, left out",
    lost: "a form whose questions are all skipped is declined",
    question: { options },
    property: { type: "string" },
    content: {},
    item: { selected: [], skipped: true },
  },
  {
    askwire: "the field `text` with bounds and a pattern",
    mcp: "string with `minLength`, `maxLength`",
    lost: "the pattern is checked after the answer",
    question: field("text", { bounds: { min: 1, max: 5 }, pattern: "^v" }),
    property: { type: "string", minLength: 1, maxLength: 5 },
    content: { q1: "v1" },
    item: { selected: [], own_text: "v1" },
  },
  {
    askwire: "the fields `number`, `integer` with bounds",
    mcp: "number, integer with `minimum`, `maximum`",
    lost: "–",
    question: field("integer", { bounds: { min: 1, max: 9 } }),
    property: { type: "integer", minimum: 1, maximum: 9 },
    content: { q1: 7 },
    item: { selected: [], own_text: "7" },
  },
  {
    askwire: "the field `boolean`",
    mcp: "boolean",
    lost: "hosts show a box, in which no and not answered look alike",
    question: field("boolean"),
    property: { type: "boolean" },
    content: { q1: false },
    item: { selected: [], own_text: "false" },
  },
  {
    askwire: "the fields `date`, `email`, `uri`",
    mcp: "string with that `format`",
    lost: "bounds of dates are checked after the answer",
    question: field("date"),
    property: { type: "string", format: "date" },
    content: { q1: "2026-03-01" },
    item: { selected: [], own_text: "2026-03-01" },
  },
  {
    askwire: "`prefill`",
    mcp: "`default`",
    lost: "–",
    question: field("integer", { prefill: "3" }),
    property: { type: "integer", default: 3 },
    content: { q1: 3 },
    item: { selected: [], own_text: "3" },
  },
];
