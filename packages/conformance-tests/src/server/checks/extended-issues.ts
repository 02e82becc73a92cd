import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import { awaitToolResult, sendPrompt, wantNone, wantResult } from "../conversation.js";
import {
  answerById,
  attach,
  choosing,
  extendedIntroduction,
  openQuestionById,
  sendAnswer,
  shownRequest,
  wantRefused,
} from "../extended.js";
import { payloadOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour, size } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** A mistake of an answer: its place, and its code. */
type Issue = [question: string | null, code: string];

/** Sends an answer that must be refused, and gives its issues. */
async function issuesOf(server: WireServer, question: ServerMessage, words: object): Promise<Issue[]> {
  const data = await wantRefused(server, sendAnswer(server, question, words), -32013);
  const issues = isObject(data) ? data.issues : undefined;
  const whole = (issue: unknown) =>
    isObject(issue) &&
    (issue.question_id === null || typeof issue.question_id === "string") &&
    typeof issue.code === "string" &&
    typeof issue.message === "string";
  const expected = "data {issues: [{question_id, code, message}]}";
  want(Array.isArray(issues) && issues.length > 0 && issues.every(whole), expected, data);
  return issues.map(({ question_id, code }) => [question_id, code]);
}

/** Wants an answer to be refused for this at least. */
async function wantIssue(
  server: WireServer,
  question: ServerMessage,
  words: object,
  issue: Issue,
): Promise<void> {
  const issues = await issuesOf(server, question, words);
  const found = issues.some(([where, code]) => where === issue[0] && code === issue[1]);
  want(found, `the issue ${JSON.stringify(issue)} for ${JSON.stringify(words).slice(0, 200)}`, issues);
}

/** A data URL of so many bytes, all zero. */
const image = (bytes: number, type = "image/png") => ({
  type: "image_url",
  image_url: { url: `data:${type};base64,${Buffer.alloc(bytes).toString("base64")}` },
});

const MiB = 1024 * 1024;

/** X23, X25 and X28: answers that do not fit. */
export const extendedIssueChecks: readonly ServerCheck[] = [
  {
    id: "X23",
    title:
      "an answer that does not fit gets -32013 with all that is wrong with it, and the question stays open",
    rules: ["P-XAN-4", "P-ENG-4"],
    async run(context) {
      const server = await context.start({ scripts: [askingLine([colour, size]), "text: Thanks."] });
      const { uses } = await attach(server);
      const turn = sendPrompt(server);
      const question = await shownRequest(server, wantedRequest("QuestionRequest"));
      const [q1, q2] = choosing(question, ["Red"], ["Small"]);
      const nothing = { selected: [] };
      const skipped = { question_id: "q1", skipped: true };
      const cases: [words: object, issue: Issue][] = [
        [{ items: [q1] }, ["q2", "missing"]],
        [{ items: [q1, { question_id: "q2", ...nothing }] }, ["q2", "missing"]],
        [{ items: [q1, q2, q1] }, ["q1", "repeated_question"]],
        [{ items: [{ ...q1, selected: ["q2_o1"] }, q2] }, ["q1", "unknown_option"]],
        [{ items: [{ ...q1, selected: ["q1_o1", "q1_o2"] }, q2] }, ["q1", "too_many"]],
        [{ items: [{ ...q1, own_text: "green" }, q2] }, ["q1", "too_many"]],
        [{ items: [{ question_id: "q1", ...nothing, own_text: " \t" }, q2] }, ["q1", "blank"]],
        [
          { items: [{ ...skipped, selected: ["q1_o1"] }, q2] },
          ["q1", uses.skip ? "skipped" : "not_negotiated"],
        ],
        [{ items: [q1, q2], response: "approve" }, [null, "unexpected"]],
        [{ items: [q1, q2], outcome: { status: "declined" } }, [null, "unexpected"]],
      ];
      for (const [words, issue] of cases) await wantIssue(server, question, words, issue);
      const foreign = await issuesOf(server, question, {
        items: [q1, q2, { question_id: "q9", selected: [] }],
      });
      want(
        foreign.some(([, code]) => code === "unknown_question"),
        "the issue unknown_question",
        foreign,
      );
      if (uses.skip === true) {
        const none = [skipped, { question_id: "q2", skipped: true }].map((item) => ({ ...item, ...nothing }));
        await wantIssue(server, question, { items: none }, [null, "nothing_answered"]);
      }
      const both = await issuesOf(server, question, {
        items: [{ question_id: "q1", selected: ["q1_o9"] }],
      });
      wantSame(
        "the issues of an answer with two",
        both.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
        [
          ["q1", "unknown_option"],
          ["q2", "missing"],
        ],
      );
      await server.quiet();
      wantNone(server, wantedEvent("InteractionSettled"));
      await answerById(server, question, { items: [q1, q2] });
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X25",
    title: "attachments are images in data URLs, each of at most 5 MiB and together 10; others get the issue",
    rules: ["P-XAN-6"],
    async run(context) {
      const server = await context.start({ scripts: [askingLine(), "text: Thanks."] });
      const { uses } = await attach(server);
      const turn = sendPrompt(server);
      const question = await shownRequest(server, wantedRequest("QuestionRequest"));
      const [item] = choosing(question, ["Red"]);
      const words = (...attachments: object[]) => ({ items: [{ ...item, attachments }] });
      const far = { type: "image_url", image_url: { url: "https://example.org/a.png" } };
      const code = uses.attachments === true ? "attachment" : "not_negotiated";
      for (const attachments of [
        [{ type: "text", text: "a tree" }],
        [far],
        [image(8, "text/plain")],
        [image(8 * MiB)],
        [image(3 * MiB), image(3 * MiB), image(3 * MiB), image(3 * MiB)],
      ])
        await wantIssue(server, question, words(...attachments), ["q1", code]);
      const good = uses.attachments === true ? words(image(8), image(3 * MiB)) : { items: [item] };
      wantMembers("the outcome", await answerById(server, question, good), { status: "answered" });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X28",
    title: "skipped, note and attachments of a client that did not declare them get the issue not_negotiated",
    rules: ["P-XAN-4", "P-XNG-2"],
    async run(context) {
      const options = { scripts: [askingLine([colour, size]), "text: Thanks."] };
      const { server, question, turn } = await openQuestionById(context, options, extendedIntroduction({}));
      const [q1, q2] = choosing(question, ["Red"], ["Small"]);
      for (const item of [
        { question_id: "q1", selected: [], skipped: true },
        { ...q1, note: "if there is any" },
        { ...q1, attachments: [image(8)] },
      ])
        await wantIssue(server, question, { items: [item, q2] }, ["q1", "not_negotiated"]);
      wantSame("the id of the question", payloadOf(question).id, question.id);
      await answerById(server, question, { items: [q1, q2] });
      await wantResult(server, turn, { status: "finished" });
    },
  },
];
