import { randomUUID } from "node:crypto";
import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  openQuestion,
  reply,
  sendPrompt,
  turn,
  wantError,
  wantNone,
  wantResult,
  wantSilence,
  wholeClient,
} from "../conversation.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour, size } from "../scripts.js";

const question = wantedRequest("QuestionRequest");

/** S42, S49 to S59 except the texts of answers: the asking of a question, and its end. */
export const serverQuestionChecks: readonly ServerCheck[] = [
  {
    id: "S42",
    title:
      "a call of the question tool is one QuestionRequest with that call's id and every field of Wire 1.10",
    rules: ["P-QST-1", "P-MSG-6", "P-KIM-2"],
    async run(context) {
      const options = { scripts: [askingLine([colour, size], "tc-7"), "text: Thanks."] };
      const { server, question: asked } = await openQuestion(context, options);
      const call = await server.next(wantedEvent("ToolCall"));
      wantMembers("ToolCall", payloadOf(call), { id: "tc-7", type: "function", extras: null });
      wantSame("the payload of QuestionRequest", payloadOf(asked), {
        id: asked.id,
        tool_call_id: "tc-7",
        questions: [
          {
            question: "Which colour?",
            header: "Colour",
            options: [
              { label: "Red", description: "" },
              { label: "Blue", description: "like the sea" },
            ],
            multi_select: false,
            body: "",
            other_label: "",
            other_description: "",
          },
          {
            question: "Which sizes?",
            header: "",
            options: [
              { label: "Small", description: "" },
              { label: "Large", description: "" },
            ],
            multi_select: true,
            body: "",
            other_label: "",
            other_description: "",
          },
        ],
      });
      await server.quiet();
      want(server.messages.filter(question.fits).length === 1, "one QuestionRequest", server.messages.length);
    },
  },
  {
    id: "S49",
    title: "of two answers the first counts, and the second is met with silence",
    rules: ["P-INT-2", "P-INT-4", "P-ENV-9"],
    async run(context) {
      const { server, question: asked, turn: running } = await openQuestion(context);
      answer(server, asked, { "Which colour?": "Red" });
      answer(server, asked, { "Which colour?": "Blue" });
      wantSame("the output", (await awaitToolResult(server)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(server, running, { status: "finished" });
      await server.quiet();
      const results = server.messages.filter(wantedEvent("ToolResult").fits);
      want(results.length === 1, "one ToolResult", results);
    },
  },
  {
    id: "F71",
    title: "an answer under an id that was never asked counts for nothing, whatever its request_id says",
    rules: ["P-ID-2", "P-ENV-9", "P-INT-4"],
    async run(context) {
      const { server, question: asked, turn: running } = await openQuestion(context);
      const wrong = { request_id: asked.id, answers: { "Which colour?": "Blue" } };
      for (const id of ["never-asked", randomUUID(), ""])
        await wantSilence(server, () => reply(server, id, wrong));
      answer(server, asked, { "Which colour?": "Red" });
      const { output } = await awaitToolResult(server);
      want(String(output).includes("Red") && !String(output).includes("Blue"), "the answer Red", output);
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S50",
    title: "cancel with an open question: cancelled, no ToolResult, and a late answer is met with silence",
    rules: ["P-TRN-6", "P-KIM-8", "P-INT-7"],
    async run(context) {
      const { server, question: asked, turn: running } = await openQuestion(context);
      await server.call("cancel");
      await wantResult(server, running, { status: "cancelled" });
      await wantSilence(server, () => answer(server, asked, { "Which colour?": "Red" }));
      wantNone(server, wantedEvent("ToolResult"));
    },
  },
  {
    id: "S51",
    title: "while a question is open prompt, replay and initialize get -32000, set_plan_mode and steer work",
    rules: ["P-TRN-1", "P-INI-3", "P-PLN-1", "P-STR-1"],
    async run(context) {
      const { server, question: asked, turn: running } = await openQuestion(context);
      await wantError(server, sendPrompt(server), -32000);
      await wantError(server, server.request("replay"), -32000);
      await wantError(server, server.request("initialize", wholeClient), -32000);
      wantMembers("a result", resultOf(await server.call("set_plan_mode", { enabled: false })), {
        status: "ok",
      });
      wantMembers("a result", resultOf(await server.call("steer", { user_input: "so" })), {
        status: "steered",
      });
      answer(server, asked, { "Which colour?": "Red" });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S54",
    title: "no question reaches a client without supports_question, and the model is told to ask in text",
    rules: ["P-CAP-1", "P-CAP-2", "P-ATT-1", "P-KIM-7"],
    async run(context) {
      const { capabilities: _, ...absent } = wholeClient;
      const clients = [absent, { ...absent, capabilities: { supports_question: false } }, undefined];
      for (const params of clients) {
        const server = await context.start({ scripts: [askingLine(), "text: Which colour?"] });
        if (params !== undefined) await server.call("initialize", params);
        await turn(server);
        const result = await awaitToolResult(server);
        wantMembers("the result of the tool", result, {
          is_error: true,
          display: [{ type: "brief", text: "Client unsupported" }],
        });
        want(/do not call/i.test(String(result.message)), "a message that says not to call it again", result);
        wantNone(server, question);
      }
    },
  },
  {
    id: "S55",
    title: "--afk asks nobody and says so in the result; --yolo still asks",
    rules: ["P-ATT-3", "P-APR-4", "P-KIM-7"],
    async run(context) {
      const scripts = [askingLine(), "text: Thanks."];
      const afk = await begin(context, { scripts, flags: ["--afk"] });
      await turn(afk);
      const result = await awaitToolResult(afk);
      wantMembers("the result of the tool", result, { is_error: false });
      want(/"note"/.test(String(result.output)), "a note in the output", result.output);
      wantNone(afk, question);
      await openQuestion(context, { scripts, flags: ["--yolo"] });
    },
  },
  {
    id: "S56",
    title: "two questions in a step are open at once, and answers in reverse order reach their own calls",
    rules: ["P-QST-1", "P-ID-2", "P-INT-3"],
    async run(context) {
      const both = `${askingLine([colour], "tc-1")}\n${askingLine([size], "tc-2")}`;
      const {
        server,
        question: first,
        turn: running,
      } = await openQuestion(context, {
        scripts: [both, "text: Thanks."],
      });
      const second = await server.next(question);
      answer(server, second, { "Which sizes?": "Small, Large" });
      answer(server, first, { "Which colour?": "Red" });
      const sizes = await awaitToolResult(server, "tc-2");
      wantSame("the output of tc-2", sizes.output, '{"answers": {"Which sizes?": "Small, Large"}}');
      const colours = await awaitToolResult(server, "tc-1");
      wantSame("the output of tc-1", colours.output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S57",
    title: "two equal calls in a step are one question, and both get its answer",
    rules: ["P-STP-3"],
    async run(context) {
      const both = `${askingLine([colour], "tc-1")}\n${askingLine([colour], "tc-2")}`;
      const {
        server,
        question: asked,
        turn: running,
      } = await openQuestion(context, {
        scripts: [both, "text: Thanks."],
      });
      answer(server, asked, { "Which colour?": "Red" });
      wantSame(
        "the result of tc-2",
        await awaitToolResult(server, "tc-2"),
        await awaitToolResult(server, "tc-1"),
      );
      await wantResult(server, running, { status: "finished" });
      const requests = server.messages.filter(question.fits);
      want(requests.length === 1, "one QuestionRequest", requests);
    },
  },
  {
    id: "F72",
    title: "two calls with the same arguments in another order of their keys are one question",
    rules: ["P-STP-3"],
    isOurs: true,
    async run(context) {
      const { question: text, options, header } = colour;
      const turned = { header, options, question: text };
      const both = [
        askingLine([{ question: text, header, options }], "tc-1"),
        askingLine([turned], "tc-2"),
      ].join("\n");
      const {
        server,
        question: asked,
        turn: running,
      } = await openQuestion(context, { scripts: [both, "text: Thanks."] });
      answer(server, asked, { [text]: "Red" });
      wantSame(
        "the result of tc-2",
        await awaitToolResult(server, "tc-2"),
        await awaitToolResult(server, "tc-1"),
      );
      await wantResult(server, running, { status: "finished" });
      const requests = server.messages.filter(question.fits);
      want(requests.length === 1, "one QuestionRequest", requests);
    },
  },
  {
    id: "S58",
    title:
      "a call with 0 or 5 questions, or with 1 or 5 options, is an error for the model, and nothing is asked",
    rules: ["P-KIM-1"],
    async run(context) {
      const many = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `L${index}` }));
      const five = many(5).map(({ label }) => ({ ...colour, question: `${label}?` }));
      const bad = [[], five, [{ ...colour, options: many(1) }], [{ ...colour, options: many(5) }]];
      const server = await begin(context, {
        scripts: [...bad.map((questions, index) => askingLine(questions, `tc-${index}`)), "text: Sorry."],
      });
      await turn(server);
      for (const index of bad.keys())
        wantMembers("the result of the tool", await awaitToolResult(server, `tc-${index}`), {
          is_error: true,
        });
      wantNone(server, question);
    },
  },
  {
    id: "S59",
    title: "questions whose texts cannot tell their answers apart never reach a client that answers by text",
    rules: ["P-KIM-4", "P-CAP-2", "P-QST-3"],
    isOurs: true,
    async run(context) {
      const twice = [colour, { ...colour, header: "Other" }];
      const noKey = [{ ...colour, question: "__proto__" }];
      for (const questions of [twice, noKey]) {
        const server = await begin(context, { scripts: [askingLine(questions), "text: Sorry."] });
        const running = sendPrompt(server);
        wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
        await wantResult(server, running, { status: "finished" });
        wantNone(server, question);
      }
    },
  },
];
