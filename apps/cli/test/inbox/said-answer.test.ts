import type { ApprovalView, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { checkSaid, type SaidAnswer, saidApproval, saidReply } from "../../src/inbox/said-answer.js";

const option = (id: string, label: string) => ({ id, label, description: "" });

const question = (more: object = {}): QuestionView => ({
  id: "r-1",
  tool_call_id: "tc",
  questions: [
    {
      ...{ id: "q1", question: "Which colour?", header: "", body: "", multi_select: false },
      own_text: {},
      options: [option("q1_o1", "Red"), option("q1_o2", "Blue")],
      ...more,
    } as never,
  ],
});

const approval = (options?: object[]): ApprovalView =>
  ({
    id: "r-1",
    tool_call_id: "tc",
    action: "deploy",
    description: "to mill",
    sender: "x",
    display: [],
    options,
  }) as never;

describe("what a script says as an answer", () => {
  test.each<[SaidAnswer, object | string]>([
    [{ choose: ["Blue"] }, { items: [{ question_id: "q1", selected: ["q1_o2"] }] }],
    [{ choose: ["q1_o1"] }, { items: [{ question_id: "q1", selected: ["q1_o1"] }] }],
    [{ text: "Teal" }, { items: [{ question_id: "q1", selected: [], own_text: "Teal" }] }],
    [{ decline: true }, { declined: "dismissed" }],
  ])("%j is sent as it is said", (said, reply) => {
    expect(saidReply(question(), said)).toEqual(reply);
  });

  test.each<[object, SaidAnswer, RegExp]>([
    [{}, { choose: ["Green"] }, /--choose: "Green" is no option; expected "Red", "Blue"/],
    [{}, { choose: ["Red", "Blue"] }, /--choose: expected one option/],
    [{}, { choose: ["Red"], text: "x" }, /--text: expected --choose or --text/],
    [
      {},
      { approve: true },
      /--approve: the request is a question: expected --choose, --text, --answers or --decline/,
    ],
    [
      { own_text: undefined },
      { text: "x" },
      /--text: no own words are taken here: expected --choose with "Red", "Blue"/,
    ],
    [
      { options: [option("a", "Same"), option("b", "Same")] },
      { choose: ["Same"] },
      /--choose: "Same" is the label of several options; expected "a", "b"/,
    ],
  ])("a question that is %j is not answered by %j", (more, said, why) => {
    expect(() => saidReply(question(more), said)).toThrow(why);
  });

  test("several questions are answered from a file alone", () => {
    const { questions, ...view } = question();
    expect(() =>
      saidReply({ ...view, questions: [...questions, ...questions] }, { choose: ["Red"] }),
    ).toThrow(/has 2 questions: expected --answers FILE/);
  });

  test.each<[SaidAnswer, unknown]>([
    [{ approve: true }, "approve"],
    [{ reject: true }, "reject"],
    [{ reject: "not now" }, { response: "reject", feedback: "not now" }],
  ])("%j is sent for an approval", (said, reply) => {
    expect(saidApproval(approval(), said)).toEqual(reply);
  });

  test("an option of an approval is chosen by its label or id, and --approve never reaches beyond the call", () => {
    const options = [
      { id: "once", label: "Yes", kind: "allow", scope: { kind: "call" } },
      { id: "all", label: "Always", kind: "allow", scope: { kind: "session" } },
      { id: "no", label: "No", kind: "reject" },
    ];
    expect(saidApproval(approval(options), { option: "Always" })).toEqual({ option: "all" });
    expect(saidApproval(approval(options), { approve: true })).toBe("approve");
    expect(() => saidApproval(approval(options.slice(1)), { approve: true })).toThrow(
      /--approve: 0 ways allow this call alone: expected --option with "Always", "No"/,
    );
    expect(() => saidApproval(approval(), { option: "Yes" })).toThrow(
      /--option: this approval has no options/,
    );
    expect(() => saidApproval(approval(), { choose: ["Yes"] })).toThrow(
      /--choose: the request is an approval/,
    );
  });

  test.each<[SaidAnswer, RegExp]>([
    [{}, /expected what to answer: --choose, --text, --answers, --decline, --approve, --option or --reject/],
    [{ approve: true, reject: true }, /--approve and --reject say two things/],
    [{ decline: true, text: "x" }, /--text and --decline say two things/],
    [{ text: "  " }, /--text: expected a text that is not blank/],
    [{ reject: "" }, /--reject: expected a reason that is not blank/],
  ])("%j is refused before anybody is asked", (said, why) => {
    expect(() => checkSaid(said)).toThrow(why);
  });
});
