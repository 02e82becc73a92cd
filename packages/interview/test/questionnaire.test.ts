import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuestionnaire } from "../src/questionnaire.js";
import { QuestionnaireError } from "../src/questionnaire-error.js";

/** A questionnaire with one part replaced. */
function questionnaire(parts: { facts?: string; questions?: string; files?: string; rest?: string }): string {
  return [
    "askwire: interview/1",
    "title: A test",
    `facts: ${parts.facts ?? "{ name: { text: NAME } }"}`,
    `questions: ${parts.questions ?? "[{ id: color, ask: Which color? }]"}`,
    `files: ${parts.files ?? "[]"}`,
    parts.rest ?? "",
  ].join("\n");
}

const block = `
  - id: color
    ask: |
      Which color
      is {{ name | nofilter }}?`;

describe("a questionnaire that is wrong", () => {
  test.each<[what: string, text: string, message: string]>([
    ["an empty file", "", "q.yaml: expected a mapping, found nothing"],
    [
      "bad YAML",
      "askwire: [",
      "q.yaml:1:11: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "a key that comes twice",
      `${questionnaire({})}\ntitle: Again`,
      "q.yaml:7:1: not valid YAML: Map keys must be unique",
    ],
    [
      "an unquoted text with a colon",
      questionnaire({ questions: "\n  - id: a\n    ask: When {{ name | default: 'x' }}?" }),
      'q.yaml:6:10: not valid YAML: Nested mappings are not allowed in compact mappings: put a text that has ": " in it in quotes',
    ],
    [
      "an unquoted {{ }}",
      questionnaire({ questions: "[{ id: a, ask: {{ name }} }]" }),
      "q.yaml:4:28: not valid YAML: With stringKeys, all keys must be strings: put a text that starts with { in quotes",
    ],
    ["no format marker", "title: A test", 'q.yaml:1:1: askwire: expected "interview/1", found nothing'],
    [
      "another format",
      "askwire: interview/9",
      'q.yaml:1:10: askwire: expected "interview/1", found "interview/9"',
    ],
    ["no questions", "askwire: interview/1\ntitle: T", "q.yaml:1:1: questions: is missing, expected a list"],
    [
      "an empty list of questions",
      questionnaire({ questions: "[]" }),
      "q.yaml:4:12: questions: expected at least 1 entry",
    ],
    [
      "an unknown key",
      questionnaire({ questions: "[{ id: a, ask: b, multiselect: true }]" }),
      'q.yaml:4:13: questions[0]: unknown key "multiselect", expected one of id, ask, header, when, multi_select, options, default',
    ],
    [
      "more than four options",
      questionnaire({ questions: "[{ id: a, ask: b, options: [v, w, x, y, z] }]" }),
      "q.yaml:4:39: questions[0].options: expected at most 4 entries, found 5",
    ],
    [
      "a number for a label",
      questionnaire({ questions: "[{ id: a, ask: b, options: [{ label: 20 }] }]" }),
      "q.yaml:4:49: questions[0].options[0].label: expected text, found 20: put it in quotes",
    ],
    [
      "a mapping for a default",
      questionnaire({ questions: "[{ id: a, ask: b, default: { c: d } }]" }),
      "q.yaml:4:39: questions[0].default: expected a text or a list of texts, found a mapping",
    ],
    [
      "a list as the default of one choice",
      questionnaire({ questions: "[{ id: a, ask: b, default: [c] }]" }),
      "q.yaml:4:39: questions[0].default: expected a text: a list needs multi_select: true",
    ],
    [
      "an open question with many answers",
      questionnaire({ questions: "[{ id: a, ask: b, multi_select: true }]" }),
      "q.yaml:4:44: questions[0].multi_select: expected options to select from: an open question has one answer",
    ],
    [
      "an id that comes twice",
      questionnaire({ questions: "[{ id: a, ask: b }, { id: a, ask: c }]" }),
      'q.yaml:4:38: questions[1].id: the name "a" is taken by an earlier fact or question',
    ],
    [
      "an id that hides a fact",
      questionnaire({ questions: "[{ id: name, ask: b }]" }),
      'q.yaml:4:19: questions[0].id: the name "name" is taken by an earlier fact or question',
    ],
    [
      "an id that is a word of Liquid",
      questionnaire({ questions: "[{ id: empty, ask: b }]" }),
      'q.yaml:4:19: questions[0].id: the name "empty" is reserved: choose another',
    ],
    [
      "an id that templates cannot read",
      questionnaire({ questions: "[{ id: node-version, ask: b }]" }),
      'q.yaml:4:19: questions[0].id: expected a name of letters, digits and _ that starts with a letter, found "node-version"',
    ],
    [
      "a condition on a later question",
      questionnaire({ questions: "[{ id: a, ask: b, when: c }, { id: c, ask: d }]" }),
      'q.yaml:4:36: questions[0].when: unknown name "c", expected a fact or an earlier question: name',
    ],
    [
      "an option's condition on an unknown name",
      questionnaire({ questions: "[{ id: a, ask: b, options: [{ label: c, when: nam }] }]" }),
      'q.yaml:4:58: questions[0].options[0].when: unknown name "nam", expected a fact or an earlier question: name',
    ],
    ...["name ==", "name b", "and", "name == 'x", "{{ name }}", "&&"].map(
      (when): [string, string, string] => [
        `the condition ${when}`,
        questionnaire({ questions: `[{ id: a, ask: b, when: ${JSON.stringify(when)} }]` }),
        "q.yaml:4:36: questions[0].when: ",
      ],
    ),
    [
      "an unknown filter, in its line of a block",
      questionnaire({ questions: block }),
      "q.yaml:8:10: questions[0].ask: not valid Liquid: undefined filter: nofilter",
    ],
    [
      "a tag that reads other files",
      questionnaire({ files: "[{ path: a, template: \"{% include 'b' %}\" }]" }),
      'q.yaml:5:30: files[0].template: not valid Liquid: tag "include" not found',
    ],
    [
      "a tag that is not closed",
      questionnaire({ files: '[{ path: a, template: "{% if name %}" }]' }),
      "q.yaml:5:30: files[0].template: not valid Liquid: tag {% if name %} not closed",
    ],
    [
      "a template with an unknown name",
      questionnaire({ files: '[{ path: "{{ nmae }}", template: "" }]' }),
      'q.yaml:5:17: files[0].path: unknown name "nmae", expected a fact or an earlier question: name, color',
    ],
    [
      "a fact of no kind",
      questionnaire({ facts: "{ name: {} }" }),
      "q.yaml:3:16: facts.name: expected exactly one of json, text, exists, folder, value, found 0",
    ],
    [
      "a fact of two kinds",
      questionnaire({ facts: "{ name: { text: a, json: b } }" }),
      "q.yaml:3:16: facts.name: expected exactly one of json, text, exists, folder, value, found 2",
    ],
    [
      "a fact of an unknown kind",
      questionnaire({ facts: "{ name: { glob: a } }" }),
      'q.yaml:3:16: facts.name: unknown key "glob", expected one of json, text, exists, folder, value',
    ],
    [
      "a fact from a later fact",
      questionnaire({ facts: "{ a: { value: '{{ b }}' }, b: { text: c } }" }),
      'q.yaml:3:22: facts.a.value: unknown name "b", expected a fact or an earlier question: none',
    ],
    [
      "a fact above the work folder",
      questionnaire({ facts: "{ name: { text: a/../../b } }" }),
      'q.yaml:3:24: facts.name.text: expected a path inside the work folder without "..", found a/../../b',
    ],
    [
      "a fact at an absolute path",
      questionnaire({ facts: "{ name: { text: /etc/passwd } }" }),
      "q.yaml:3:24: facts.name.text: expected a path inside the work folder, found the absolute path /etc/passwd",
    ],
    ["too much text", " ".repeat(200_001), "q.yaml: expected at most 200000 characters, found 200001"],
  ])("a questionnaire with %s is refused with the place and what was expected", (_what, text, message) => {
    const error = failure(() => parseQuestionnaire(text, "q.yaml"));
    expect(error).toBeInstanceOf(QuestionnaireError);
    expect(error.message.startsWith(message), error.message).toBe(true);
    expect(error.message).not.toContain("\n");
  });

  test("any text of a questionnaire is read or refused in one line", async () => {
    const piece = fc.constantFrom(
      "askwire: ",
      "interview/1",
      "\n",
      "questions:",
      "- id: a",
      "  ask: ",
      "{{ a }}",
      "{%",
      "&a",
      "*a",
      "[",
      "{",
      "|",
    );
    await fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (text) => {
          const error = failure(() => parseQuestionnaire(text, "q"));
          expect(error).toBeInstanceOf(QuestionnaireError);
          expect(error.message).toMatch(/^q.*$/);
        },
      ),
    );
  });
});

test("JSON is read like YAML, and a plain text is an option", () => {
  const source = {
    askwire: "interview/1",
    title: "T",
    questions: [{ id: "a", ask: "b", options: ["x", { label: "y" }] }],
  };
  const parsed = parseQuestionnaire(JSON.stringify(source), "q.json");
  expect(parsed.questions[0]?.options).toEqual([{ label: "x" }, { label: "y" }]);
});

function failure(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected an error");
}
