import type { AnswerItem } from "@askwire/protocol";

/** A row of the table of servers' forms in docs/mcp-mapping.md, with what shows it. */
export interface ServerFormRow {
  readonly mcp: string;
  readonly askwire: string;
  readonly lost: string;
  /** The property of the form, and whether the form requires it. */
  readonly property: object;
  readonly required?: boolean;
  /** The question as a client gets it, in part. */
  readonly question: object;
  readonly item: Pick<AnswerItem, "selected" | "own_text" | "skipped">;
  /** The value that the server gets; undefined where the property is left out. */
  readonly value: unknown;
}

const words = (own_text: string) => ({ selected: [], own_text });
const first = { selected: ["q1_o1"] };

/** The properties of a server's form, and their questions. */
export const serverFormRows: readonly ServerFormRow[] = [
  {
    mcp: "`title`, `description`",
    askwire: "`header`, `question`; of a title alone the `question`",
    lost: "–",
    property: { type: "string", title: "Name", description: "Your name?" },
    question: { header: "Name", question: "Your name?" },
    item: words("Ada"),
    value: "Ada",
  },
  {
    mcp: "string with `minLength`, `maxLength`",
    askwire: "the field `text` with bounds",
    lost: "–",
    property: { type: "string", minLength: 2, maxLength: 9 },
    required: true,
    question: { field: { type: "text", bounds: { min: 2, max: 9 } } },
    item: words("Ada"),
    value: "Ada",
  },
  {
    mcp: "string with the format `email`, `uri`, `date`",
    askwire: "the fields `email`, `uri`, `date`",
    lost: "–",
    property: { type: "string", format: "date" },
    required: true,
    question: { field: { type: "date" } },
    item: words("2026-03-01"),
    value: "2026-03-01",
  },
  {
    mcp: "string with the format `date-time`",
    askwire: "the field `text`, checked after the answer",
    lost: "a calendar to choose from",
    property: { type: "string", format: "date-time" },
    required: true,
    question: { field: { type: "text" } },
    item: words("2026-03-01T09:30:00Z"),
    value: "2026-03-01T09:30:00Z",
  },
  {
    mcp: "number, integer with `minimum`, `maximum`",
    askwire: "the fields `number`, `integer` with bounds",
    lost: "–",
    property: { type: "integer", minimum: 1, maximum: 9 },
    required: true,
    question: { field: { type: "integer", bounds: { min: 1, max: 9 } } },
    item: words("7"),
    value: 7,
  },
  {
    mcp: "boolean",
    askwire: "the field `boolean`, Yes or No",
    lost: "–",
    property: { type: "boolean" },
    required: true,
    question: { field: { type: "boolean" } },
    item: words("no"),
    value: false,
  },
  {
    mcp: "string with `enum`",
    askwire: "a single choice",
    lost: "–",
    property: { type: "string", enum: ["sqlite", "postgres"] },
    required: true,
    question: { multi_select: false, own_text: false, options: [{ label: "sqlite" }, { label: "postgres" }] },
    item: first,
    value: "sqlite",
  },
  {
    mcp: "string with `enum` and `enumNames`",
    askwire: "a single choice by name",
    lost: "–",
    property: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
    required: true,
    question: { options: [{ label: "Small" }, { label: "Large" }] },
    item: first,
    value: "s",
  },
  {
    mcp: "string with `oneOf` of `const`, `title`",
    askwire: "a single choice by title",
    lost: "–",
    property: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    },
    required: true,
    question: { options: [{ label: "Small" }, { label: "Large" }] },
    item: first,
    value: "s",
  },
  {
    mcp: "array of `enum` or `anyOf`, with `minItems`, `maxItems`",
    askwire: "several choices with `min`, `max`",
    lost: "–",
    property: { type: "array", items: { type: "string", enum: ["linux", "mac"] }, minItems: 1 },
    required: true,
    question: { multi_select: true, min: 1 },
    item: first,
    value: ["linux"],
  },
  {
    mcp: "`default`",
    askwire: "the field's `prefill`",
    lost: "a default of a choice, since only a person chooses",
    property: { type: "integer", default: 3 },
    required: true,
    question: { field: { prefill: "3" } },
    item: words("4"),
    value: 4,
  },
  {
    mcp: "a property that is not in `required`",
    askwire: "a question that may be left out",
    lost: "–",
    property: { type: "integer" },
    question: { field: { required: false } },
    item: { selected: [], skipped: true },
    value: undefined,
  },
];
