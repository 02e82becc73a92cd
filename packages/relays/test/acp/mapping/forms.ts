import type { QuestionReply, QuestionView } from "@askwire/client";
import { expect } from "vitest";
import { type Agent, form, type Row } from "./row.js";

/** Asks a form with one property, and expects the question, and the value of an answer. */
const asked =
  (property: object, question: object, said: object, value: unknown, more: object = {}) =>
  async (agent: Agent) => {
    let view: QuestionView | undefined;
    agent.person.question = (shown): QuestionReply => {
      view = shown;
      return { items: [{ question_id: "q1", selected: [], ...said }] };
    };
    const requestedSchema = { type: "object", properties: { k: property, ...more }, required: ["k"] };
    const params = { mode: "form", message: "Which?", requestedSchema };
    const reply = await agent.act("request", "elicitation/create", params);
    expect(view?.questions).toMatchObject([question]);
    expect(reply).toMatchObject({ result: { action: "accept", content: { k: value } } });
  };

/** Ends a form in another way than with an answer. */
const ended = (reply: QuestionReply | undefined, result: object) => async (agent: Agent) => {
  const { question } = agent.person;
  agent.person.question = reply === undefined ? question : () => reply;
  expect(await agent.act("request", "elicitation/create", form)).toMatchObject(result);
};

/** The forms and links of an agent. */
export const forms: readonly Row[] = [
  {
    acp: "string, with lengths and a pattern",
    askwire:
      "a field `text` with bounds and a pattern; a pattern that P-XFL-4 does not allow is checked after the answer",
    lost: "–",
    trip: asked(
      { type: "string", minLength: 1, maxLength: 5, pattern: "^v" },
      { question: "Which?", field: { type: "text", bounds: { min: 1, max: 5 }, pattern: "^v" } },
      { own_text: "v1" },
      "v1",
    ),
  },
  {
    acp: "the formats `email`, `uri`, `date`",
    askwire: "fields of these types",
    lost: "the way in which it was typed: the canonical form is sent",
    trip: asked(
      { type: "string", format: "date" },
      { field: { type: "date" } },
      { own_text: "2026.3.1" },
      "2026-03-01",
    ),
  },
  {
    acp: "the format `date-time`",
    askwire: "a field `text`, asked again until it fits",
    lost: "other formats are not checked",
    trip: asked(
      { type: "string", format: "date-time" },
      { field: { type: "text" } },
      { own_text: "2026-03-01T09:30:00Z" },
      "2026-03-01T09:30:00Z",
    ),
  },
  {
    acp: "number, integer",
    askwire: "fields with bounds",
    lost: "–",
    trip: asked(
      { type: "integer", minimum: 1, maximum: 9 },
      { field: { type: "integer", bounds: { min: 1, max: 9 } } },
      { own_text: "7" },
      7,
    ),
  },
  {
    acp: "boolean",
    askwire: "a field `boolean`",
    lost: "–",
    trip: asked({ type: "boolean" }, { field: { type: "boolean" } }, { own_text: "yes" }, true),
  },
  {
    acp: "enum, oneOf",
    askwire: "a single choice; previews of `_meta` are shown",
    lost: "–",
    trip: asked(
      {
        type: "string",
        oneOf: [{ const: "a", title: "A", _meta: { "_claude/askUserQuestionOption": { preview: "x" } } }],
      },
      { multi_select: false, own_text: false, options: [{ label: "A", preview: "x" }] },
      { selected: ["q1_o1"] },
      "a",
    ),
  },
  {
    acp: "array",
    askwire: "several choices with their bounds",
    lost: "bounds beside own words are checked after the answer",
    trip: asked(
      { type: "array", items: { enum: ["a", "b"] }, minItems: 1 },
      { multi_select: true, min: 1 },
      { selected: ["q1_o1", "q1_o2"] },
      ["a", "b"],
    ),
  },
  {
    acp: "`default`",
    askwire: "the prefill of a field; of a choice the option is recommended, and never chosen by silence",
    lost: "–",
    trip: asked(
      { type: "string", enum: ["a", "b"], default: "b" },
      { options: [{ label: "a" }, { label: "b", recommended: true }] },
      { selected: ["q1_o1"] },
      "a",
    ),
  },
  {
    acp: "a property that is not in `required`",
    askwire: "a field that may be left empty, a choice that may be skipped",
    lost: "a form whose choices are all skipped is declined",
    async trip(agent) {
      agent.person.question = ({ questions }) => {
        expect(questions[0]?.field?.required).toBe(false);
        return { items: [{ question_id: "q1", selected: [], skipped: true }] };
      };
      expect(await agent.act("request", "elicitation/create", form)).toEqual({
        result: { action: "accept", content: {} },
      });
    },
  },
  {
    acp: "a property for own words: `<k>_custom`, `<k>_note` with an option None of the above, the marks of JetBrains and Claude",
    askwire: "own text, or the note, of the question",
    lost: 'notes without such a property are in `_meta["askwire.dev/notes"]`',
    async trip(agent) {
      agent.person.question = ({ questions }) => {
        expect(questions).toMatchObject([{ own_text: true, other_label: "Other" }]);
        return { items: [{ question_id: "q1", selected: [], own_text: "mine" }] };
      };
      const properties = { k: { type: "string", enum: ["a"] }, k_custom: { type: "string", title: "Other" } };
      const params = { ...form, requestedSchema: { type: "object", properties } };
      expect(await agent.act("request", "elicitation/create", params)).toEqual({
        result: { action: "accept", content: { k_custom: "mine" } },
      });
    },
  },
  {
    acp: "title, description, `message`",
    askwire:
      "header, question, and what stands above the first question; the other way round with Codex' mark",
    lost: "–",
    trip: asked(
      { type: "string", title: "DB", description: "Which database?" },
      { header: "DB", question: "Which database?", body: "Which?" },
      { own_text: "x" },
      "x",
    ),
  },
  {
    acp: "`decline`",
    askwire: '`declined`; the note of `discuss` is in `_meta["askwire.dev/outcome"]`',
    lost: "–",
    trip: ended(
      { declined: "discuss", note: "why?" },
      {
        result: { action: "decline", _meta: { "askwire.dev/outcome": { reason: "discuss", note: "why?" } } },
      },
    ),
  },
  {
    acp: "`cancel`",
    askwire: "withdrawn, nobody there, not to be asked; -32601 where no client can show questions",
    lost: 'the cause, which `_meta["askwire.dev/outcome"]` tells',
    async trip(agent) {
      await agent.session.setDoNotAsk(true);
      await ended(undefined, {
        result: { action: "cancel", _meta: { "askwire.dev/outcome": { reason: "do_not_ask" } } },
      })(agent);
      await agent.session.setDoNotAsk(false);
    },
  },
  {
    acp: "a type that nobody knows, a secret, bounds that contradict each other",
    askwire: '– (declined, with the reason in `_meta["askwire.dev/reason"]`; the person is told)',
    lost: "the form",
    async trip(agent) {
      const params = { ...form, requestedSchema: { type: "object", properties: { k: { type: "color" } } } };
      expect(await agent.act("request", "elicitation/create", params)).toMatchObject({
        result: { action: "decline" },
      });
      expect(agent.told("Notification")).toHaveLength(1);
    },
  },
  {
    acp: "the mode `url`, `elicitation/complete`",
    askwire: "a question that shows the whole address, and is taken back once the agent says that it is done",
    lost: "nothing is opened",
    async trip(agent) {
      agent.person.question = ({ questions }) => {
        expect(questions[0]?.body).toContain("`https://a.b/login`");
        return { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
      };
      const params = { mode: "url", message: "Log in", url: "https://a.b/login", elicitationId: "e" };
      expect(await agent.act("request", "elicitation/create", params)).toMatchObject({
        result: { action: "accept" },
      });
    },
  },
];
