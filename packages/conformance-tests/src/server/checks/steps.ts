import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  fail,
  initialize,
  onlyQuestion,
  openQuestion,
  sendPrompt,
  turn,
  wantNone,
  wantOrder,
  wantResult,
} from "../conversation.js";
import { payloadOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour } from "../scripts.js";

/** F21 to F28: the steps of a model. */
export const stepChecks: readonly ServerCheck[] = [
  {
    id: "F21",
    title: "a step that fails for the moment is tried again, with StepRetry before it",
    rules: ["P-STP-4"],
    async run(context) {
      const server = await begin(context, { scripts: ["error: 503 busy", "text: Better."], attempts: 2 });
      await turn(server);
      const retry = await server.next(wantedEvent("StepRetry"));
      wantMembers("StepRetry", payloadOf(retry), {
        n: 1,
        next_attempt: 2,
        max_attempts: 2,
        status_code: 503,
      });
      wantOrder(server, "StepRetry, ContentPart", retry, await server.next(wantedEvent("ContentPart")));
      wantNone(server, wantedEvent("StepInterrupted"));
    },
  },
  {
    id: "F22",
    title: "a conversation that fills the model's context is summed up before the next step",
    rules: ["P-CMP-1", "P-CMP-2"],
    isOurs: true,
    async run(context) {
      const full = "text: Much.\nusage: input_other=90000 output=10";
      const server = await begin(context, { scripts: [full, "text: In short.", "text: Go on."] });
      await turn(server);
      await turn(server);
      const begun = await server.next(wantedEvent("CompactionBegin"));
      const ended = await server.next(wantedEvent("CompactionEnd"));
      const said = await server.next(wantedEvent("ContentPart", { text: "Go on." }));
      wantOrder(server, "CompactionBegin, CompactionEnd, the next words", begun, ended, said);

      const failing = await begin(context, { scripts: [full, "error: 400 no", "text: Go on."] });
      await turn(failing);
      const response = await failing.response(sendPrompt(failing));
      wantMembers("an error", response, { error: { code: -32003 } });
      wantOrder(
        failing,
        "CompactionEnd, the error",
        await failing.next(wantedEvent("CompactionEnd")),
        response,
      );
    },
  },
  {
    id: "F23",
    title: "slash commands are listed; a prompt with an unknown word after a slash goes to the model",
    rules: ["P-SLH-1", "P-SLH-2"],
    async run(context) {
      const server = await context.start({ scripts: ["text: A path."] });
      const { slash_commands } = (await initialize(server)).result as { slash_commands: unknown[] };
      for (const command of slash_commands) {
        const { name, description, aliases } = command as Record<string, unknown>;
        const whole = typeof name === "string" && typeof description === "string" && Array.isArray(aliases);
        want(whole, "slash commands {name, description, aliases}", command);
      }
      await turn(server, "/usr/bin is a folder");
      await server.next(wantedEvent("ContentPart", { text: "A path." }));
      if (!(slash_commands as { name: string }[]).some(({ name }) => name === "clear")) return;
      await turn(server, "/clear");
      await server.next(wantedEvent("StatusUpdate", { context_tokens: 0, max_context_tokens: 100_000 }));
    },
  },
  {
    id: "F24",
    title: "of 65 questions at once 64 are open, and one fails for the model at once",
    rules: ["P-INT-8"],
    isOurs: true,
    isAdvice: true,
    async run(context) {
      const many = Array.from({ length: 65 }, (_, index) => ({ ...colour, question: `Colour ${index}?` }));
      const script = many.map((question, index) => askingLine([question], `tc-${index}`)).join("\n");
      const server = await begin(context, { scripts: [script, "text: Thanks."] });
      const running = sendPrompt(server);
      const result = payloadOf(await server.next(wantedEvent("ToolResult")));
      wantSame("the call that fails", result.tool_call_id, "tc-64");
      wantMembers("its result", result.return_value, {
        is_error: true,
        message: "Failed to get user response.",
      });
      for (const _ of many.slice(1))
        fail(server, (await server.next(wantedRequest("QuestionRequest"))).id, -32000);
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "F25",
    title: "multiSelect is read as multi_select, and other unknown keys of the tool are ignored",
    rules: ["P-KIM-3"],
    isOurs: true,
    async run(context) {
      const spelled = { ...colour, multiSelect: true, x_more: 1 };
      const { question } = await openQuestion(context, { scripts: [askingLine([spelled])] });
      const item = onlyQuestion(question);
      wantMembers("the question", item, { multi_select: true });
      want(!("x_more" in item), "no x_more", item);
    },
  },
  {
    id: "F26",
    title:
      "a client that fails at a question can answer the next one, and its late answer to the first is met with silence",
    rules: ["P-INT-5", "P-INT-9"],
    isOurs: true,
    async run(context) {
      const options = { scripts: [askingLine(), askingLine(undefined, "tc-2"), "text: Thanks."] };
      const { server, question, turn: running } = await openQuestion(context, options);
      fail(server, question.id, -32603);
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
      const next = await server.next(wantedRequest("QuestionRequest"));
      answer(server, question, { "Which colour?": "Red" });
      answer(server, next, { "Which colour?": "Blue" });
      const { output } = await awaitToolResult(server, "tc-2");
      wantSame("the output", output, '{"answers": {"Which colour?": "Blue"}}');
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "F27",
    title:
      "a call's pieces follow it at once, and together are its arguments as the model wrote them, JSON or not",
    rules: ["P-MOD-1", "P-MOD-2"],
    async run(context) {
      const call = (id: string) =>
        `tool_call: ${JSON.stringify({ id, name: "AskUserQuestion", arguments: '{"questions"' })}`;
      const part = (text: string) => `tool_call_part: ${JSON.stringify({ arguments_part: text })}`;
      const script = [call("tc-1"), part(": [}"), part(" oh"), call("tc-2"), part(": []}")].join("\n");
      const server = await begin(context, { scripts: [script, "text: Sorry."] });
      await turn(server);
      const types = ["ToolCall", "ToolCallPart"];
      const said = server.messages.filter(({ params }) => types.includes(String(params?.type)));
      const pieces = said.map((message) => {
        const {
          id,
          function: called,
          arguments_part,
        } = payloadOf(message) as Record<string, { arguments?: string }>;
        return called === undefined ? arguments_part : [id, called.arguments];
      });
      wantSame("the calls and their pieces", pieces, [
        ["tc-1", '{"questions"'],
        ": [}",
        " oh",
        ["tc-2", '{"questions"'],
        ": []}",
      ]);
      for (const id of ["tc-1", "tc-2"])
        wantMembers("the result of the tool", await awaitToolResult(server, id), { is_error: true });
    },
  },
  {
    id: "F28",
    title: "the status of a step counts what it was given, and comes before what its last call asks",
    rules: ["P-STP-1", "P-STP-7"],
    isOurs: true,
    async run(context) {
      const usage = "usage: input_other=60 input_cache_read=40 output=900";
      const {
        server,
        question,
        turn: running,
      } = await openQuestion(context, {
        scripts: [`${askingLine()}\n${usage}`, "text: Thanks."],
      });
      const counted = await server.next(wantedEvent("StatusUpdate"));
      const figures = { context_tokens: 100, context_usage: 0.001, max_context_tokens: 100_000 };
      wantMembers("the status", payloadOf(counted), { ...figures, plan_mode: false });
      wantOrder(server, "StatusUpdate, QuestionRequest", counted, question);
      answer(server, question, { "Which colour?": "Red" });
      const uncounted = payloadOf(await server.next(wantedEvent("StatusUpdate")));
      const none = { context_tokens: null, context_usage: null, max_context_tokens: null, token_usage: null };
      wantMembers("the status of a step without usage", uncounted, { ...none, plan_mode: false });
      await wantResult(server, running, { status: "finished" });
    },
  },
];
