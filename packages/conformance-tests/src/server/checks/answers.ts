import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import { answer, awaitToolResult, begin, fail, reply, sendPrompt, wantResult } from "../conversation.js";
import { wantedRequest } from "../messages.js";
import { askingLine, colour, type ScriptedQuestion, size } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** A client's answer, given the id of the request, and the expected result of the tool. */
interface Case {
  answer(server: WireServer, id: unknown): void;
  readonly result: object;
}

/** Asks the same once for each case, in one process, a turn for each. */
async function each(
  context: ServerContext,
  cases: readonly Case[],
  questions: readonly ScriptedQuestion[] = [colour],
): Promise<void> {
  const scripts = cases.flatMap((_, index) => [askingLine(questions, `tc-${index}`), "text: Thanks."]);
  const server = await begin(context, { scripts });
  for (const [index, { answer, result }] of cases.entries()) {
    const running = sendPrompt(server);
    const { id } = await server.next(wantedRequest("QuestionRequest"));
    answer(server, id);
    wantMembers("the result of the tool", await awaitToolResult(server, `tc-${index}`), result);
    await wantResult(server, running, { status: "finished" });
  }
}

const shown = (text: string) => ({ display: [{ type: "brief", text }] });
const dismissed = {
  is_error: false,
  output: '{"answers": {}, "note": "User dismissed the question without answering."}',
  ...shown("User dismissed"),
};
const failed = { is_error: true, message: "Failed to get user response.", ...shown("Question failed") };
const unsupported = { is_error: true, ...shown("Client unsupported") };

const withAnswers = (answers: object): Case => ({
  answer: (server, id) => answer(server, { id }, answers),
  result: dismissed,
});
const withError = (code: number, result: object, message?: string): Case => ({
  answer: (server, id) => fail(server, id, code, message),
  result,
});

/** S43 to S48: the meaning of a base client's answer. */
export const answerChecks: readonly ServerCheck[] = [
  {
    id: "S43",
    title: "a valid answer becomes a successful ToolResult with it verbatim, and the turn goes on",
    rules: ["P-KIM-7", "P-ANS-2", "P-OUT-2"],
    async run(context) {
      const answers = { "Which colour?": "Blue" };
      const result = {
        is_error: false,
        output: '{"answers": {"Which colour?": "Blue"}}',
        message: "User has answered.",
        ...shown("User answered"),
      };
      await each(context, [{ ...withAnswers(answers), result }]);
    },
  },
  {
    id: "S44",
    title: "answers {}, or only blanks, become a successful result without answers, with a note",
    rules: ["P-ANS-1", "P-KIM-7"],
    isOurs: true,
    async run(context) {
      await each(context, [
        withAnswers({}),
        withAnswers({ "Which colour?": "" }),
        withAnswers({ "Which colour?": " " }),
      ]);
    },
  },
  {
    id: "S45",
    title:
      "an error is read by its code: -32601 says that the client shows no questions, any other one that it failed, and none but Kimi's word is a dismissal",
    rules: ["P-ANS-5", "P-OUT-2"],
    isOurs: true,
    async run(context) {
      await each(context, [
        withError(0, failed),
        withError(1, failed),
        withError(-32000, failed),
        withError(-32000, dismissed, "User cancelled"),
        withError(-32601, unsupported),
        withError(-32603, failed),
        withError(-32700, failed),
      ]);
    },
  },
  {
    id: "S46",
    title:
      "a malformed answer (null, a text, no answers, no request_id, a value that is no text) is a failed one",
    rules: ["P-ANS-5", "P-KIM-7"],
    isOurs: true,
    async run(context) {
      const malformed: ((id: unknown) => unknown)[] = [
        () => null,
        () => "Red",
        (request_id) => ({ request_id }),
        () => ({ answers: { "Which colour?": "Red" } }),
        (request_id) => ({ request_id, answers: { "Which colour?": ["Red"] } }),
        (request_id) => ({ request_id, answers: { "Which colour?": 5 } }),
      ];
      const cases = malformed.map(
        (result): Case => ({
          answer: (server, id) => reply(server, id, result(id)),
          result: failed,
        }),
      );
      await each(context, cases);
    },
  },
  {
    id: "S47",
    title: "an answer with another request_id but the right JSON-RPC id is accepted",
    rules: ["P-ID-2", "P-ANS-7"],
    async run(context) {
      const answers = { "Which colour?": "Red" };
      const result = { is_error: false, output: '{"answers": {"Which colour?": "Red"}}' };
      await each(context, [
        { answer: (server, id) => reply(server, id, { request_id: "another", answers }), result },
      ]);
    },
  },
  {
    id: "S48",
    title: "partial answers, unknown keys, unknown labels and own text reach the model as they came",
    rules: ["P-ANS-3", "P-ANS-7"],
    async run(context) {
      const maps: readonly Readonly<Record<string, string>>[] = [
        { "Which colour?": "Red" },
        { "Which colour?": "Red", "Which sizes?": "Small, Large, own text" },
        { "Which colour?": "neither", "Why?": "because" },
        { "Which sizes?": "  padded  ", "Which colour?": "" },
        { constructor: "c", toString: "t", "Which colour?": 'quote " and \\' },
      ];
      const scripts = maps.flatMap((_, index) => [
        askingLine([colour, size], `tc-${index}`),
        "text: Thanks.",
      ]);
      const server = await begin(context, { scripts });
      for (const [index, answers] of maps.entries()) {
        const running = sendPrompt(server);
        answer(server, await server.next(wantedRequest("QuestionRequest")), answers);
        const { is_error, output } = await awaitToolResult(server, `tc-${index}`);
        want(is_error === false, "a successful result of the tool", output);
        const read = JSON.parse(String(output)) as { answers: object };
        wantSame("the answers", Object.entries(read.answers), Object.entries(answers));
        await wantResult(server, running, { status: "finished" });
      }
    },
  },
];
