import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  namesOf,
  openQuestion,
  saidTo,
  sendPrompt,
  turn,
  wantError,
  wantNone,
  wantOrder,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine } from "../scripts.js";

/** S09, S27 to S41, S73 and F29: a turn from its first event to its result. */
export const turnChecks: readonly ServerCheck[] = [
  {
    id: "S09",
    title: "a prompt without initialize runs and finishes",
    rules: ["P-INI-1", "P-TRN-3"],
    async run(context) {
      await turn(await context.start({ scripts: ["text: Hello."] }));
    },
  },
  {
    id: "S27",
    title:
      "standard output has one JSON object on each line, jsonrpc 2.0, U+2028 and U+2029 as escapes, nothing else",
    rules: ["P-FRM-1", "P-FRM-3", "P-ENG-9"],
    isOurs: true,
    async run(context) {
      const server = await begin(context, {
        scripts: ["think: Hm.\ntext: a\u2028b\u2029c\nusage: output=3"],
      });
      await turn(server, "x\u2028y");
      wantSame("TurnBegin", payloadOf(await server.next(wantedEvent("TurnBegin"))), {
        user_input: "x\u2028y",
      });
      const said = server.messages
        .filter(wantedEvent("ContentPart").fits)
        .map((part) => payloadOf(part).text ?? "");
      want(said.join("").includes("a\u2028b\u2029c"), "the text with U+2028 in a ContentPart", said);
      server.end();
      wantSame("the exit status", (await server.exit).status, 0);
    },
  },
  {
    id: "S28",
    title:
      "events have no id; a request's id is a text, equal to its payload's id, and a UUID for a question",
    rules: ["P-ID-1", "P-MSG-1", "P-MSG-2"],
    async run(context) {
      const { server, question } = await openQuestion(context);
      const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
      want(uuid.test(String(question.id)), "a UUID as the question's id", question);
      wantSame("payload.id", payloadOf(question).id, question.id);
      answer(server, question, { "Which colour?": "Red" });
      await server.next(wantedEvent("TurnEnd"));
      const withId = server.messages.filter((message) => message.method === "event" && "id" in message);
      want(withId.length === 0, "no event with an id", withId);
    },
  },
  {
    id: "S29",
    title: "TurnBegin comes first with the same input, TurnEnd last, then exactly one response",
    rules: ["P-TRN-2", "P-TRN-3", "P-STP-1", "P-ENG-2"],
    async run(context) {
      const server = await begin(context, { scripts: ["text: Hello."] });
      let id = "";
      const said = await saidTo(server, async () => {
        id = sendPrompt(server, "hello you");
        await wantResult(server, id, { status: "finished" });
      });
      const names = namesOf(said);
      wantSame("the first event", names[0], "TurnBegin");
      wantSame("the last messages", names.slice(-2), ["TurnEnd", `response ${id}`]);
      wantMembers("TurnBegin", said[0], { params: { payload: { user_input: "hello you" } } });
      wantSame("the payload of StepBegin", payloadOf(await server.next(wantedEvent("StepBegin"))), { n: 1 });
    },
  },
  {
    id: "S30",
    title: "a prompt of content parts is echoed as parts in TurnBegin; an empty one is accepted",
    rules: ["P-TRN-2", "P-MSG-4"],
    async run(context) {
      const server = await begin(context, { scripts: ["text: A.", "text: B.", "text: C."] });
      for (const input of [
        [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
        [],
        "",
      ]) {
        await turn(server, input);
        wantSame("TurnBegin", payloadOf(await server.next(wantedEvent("TurnBegin"))), { user_input: input });
      }
    },
  },
  {
    id: "S31",
    title: "a prompt during a turn is refused with -32000, and the turn goes on undisturbed",
    rules: ["P-TRN-1"],
    async run(context) {
      const { server, question, turn: running } = await openQuestion(context);
      await wantError(server, sendPrompt(server, "another"), -32000);
      answer(server, question, { "Which colour?": "Red" });
      await wantResult(server, running, { status: "finished" });
      const begun = server.messages.filter(wantedEvent("TurnBegin").fits);
      want(begun.length === 1, "one TurnBegin", begun);
    },
  },
  {
    id: "S32",
    title: "cancel and steer without a turn are refused with -32000",
    rules: ["P-TRN-6", "P-STR-1"],
    async run(context) {
      const server = await begin(context);
      await wantError(server, server.request("cancel"), -32000);
      await wantError(server, server.request("steer", { user_input: "left" }), -32000);
    },
  },
  {
    id: "S33",
    title: "cancel: first {}, then TurnEnd, then the prompt's result cancelled",
    rules: ["P-TRN-6", "P-ENG-3"],
    async run(context) {
      const { server, turn: running } = await openQuestion(context);
      const cancelled = await server.call("cancel");
      wantSame("the result of cancel", resultOf(cancelled), {});
      const end = await server.next(wantedEvent("TurnEnd"));
      const result = await server.response(running);
      wantSame("the prompt's result", resultOf(result), { status: "cancelled" });
      wantOrder(server, "{} of cancel, TurnEnd, the prompt's response", cancelled, end, result);
      wantNone(server, wantedEvent("StepInterrupted"));
      wantNone(server, wantedEvent("ToolResult"));
    },
  },
  {
    id: "S34",
    title: "a second cancel is answered too, with {} or -32000, and the prompt once",
    rules: ["P-TRN-6"],
    async run(context) {
      const { server, turn: running } = await openQuestion(context);
      const [first, second] = [server.request("cancel"), server.request("cancel")];
      wantSame("the result of cancel", resultOf(await server.response(first)), {});
      const { result, error } = await server.response(second);
      const answered =
        error === undefined ? Object.keys(result as object).length === 0 : error.code === -32000;
      want(answered, "{} or -32000 for the second cancel", error ?? result);
      await wantResult(server, running, { status: "cancelled" });
    },
  },
  {
    id: "S35",
    title: "after a cancelled turn the next prompt works",
    rules: ["P-TRN-6", "P-TRN-1"],
    async run(context) {
      const { server, turn: running } = await openQuestion(context);
      await server.call("cancel");
      await wantResult(server, running, { status: "cancelled" });
      await turn(server, "again");
    },
  },
  {
    id: "S36",
    title:
      "steer in a turn: steered, and SteerInput after the step's tool results, before the next StepBegin",
    rules: ["P-STR-1", "P-STR-2", "P-STP-1"],
    async run(context) {
      const { server, question, turn: running } = await openQuestion(context);
      const steered = await server.call("steer", { user_input: "rather green" });
      wantSame("the result of steer", resultOf(steered), { status: "steered" });
      answer(server, question, { "Which colour?": "Red" });
      const result = await server.next(wantedEvent("ToolResult"));
      const steer = await server.next(wantedEvent("SteerInput"));
      wantSame("the payload of SteerInput", payloadOf(steer), { user_input: "rather green" });
      const step = await server.next(wantedEvent("StepBegin", { n: 2 }));
      wantOrder(server, "ToolResult, SteerInput, StepBegin", result, steer, step);
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S38",
    title: "set_plan_mode: StatusUpdate with only plan_mode, then the result ok; at any time",
    rules: ["P-PLN-1"],
    async run(context) {
      const server = await context.start();
      for (const enabled of [true, false]) {
        const response = await server.call("set_plan_mode", { enabled });
        wantSame("the result", resultOf(response), { status: "ok", plan_mode: enabled });
        const update = await server.next(wantedEvent("StatusUpdate"));
        const said = Object.entries(payloadOf(update)).filter(([, value]) => value !== null);
        wantSame("what is not null in StatusUpdate", said, [["plan_mode", enabled]]);
        wantOrder(server, "StatusUpdate, then the result", update, response);
      }
    },
  },
  {
    id: "S39",
    title: "at the limit of steps the result is max_steps_reached, after TurnEnd",
    rules: ["P-TRN-3", "P-TRN-2"],
    async run(context) {
      const options = { scripts: [askingLine()], flags: ["--max-steps-per-turn", "1"] };
      const { server, question, turn: running } = await openQuestion(context, options);
      answer(server, question, { "Which colour?": "Red" });
      const result = await server.response(running);
      wantSame("the prompt's result", resultOf(result), { status: "max_steps_reached", steps: 1 });
      wantOrder(server, "TurnEnd, then the response", await server.next(wantedEvent("TurnEnd")), result);
    },
  },
  {
    id: "S40",
    title: "the provider's failure: StepInterrupted, TurnEnd, then -32003, and the next prompt works",
    rules: ["P-TRN-4"],
    async run(context) {
      const server = await begin(context, { scripts: ["error: 400 it broke", "text: Better."] });
      const response = await server.response(sendPrompt(server));
      wantMembers("an error", response, { error: { code: -32003 } });
      const interrupted = await server.next(wantedEvent("StepInterrupted"));
      const end = await server.next(wantedEvent("TurnEnd"));
      wantOrder(server, "StepInterrupted, TurnEnd, the error", interrupted, end, response);
      await turn(server);
    },
  },
  {
    id: "S41",
    title: "no model: -32001; an image for a model that takes only text: -32002",
    rules: ["P-TRN-4", "P-ERR-1"],
    async run(context) {
      const none = await begin(context, { model: null });
      await wantError(none, sendPrompt(none), -32001);
      const textOnly = await begin(context, { model: { capabilities: [] }, scripts: ["text: Hello."] });
      const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
      await wantError(textOnly, sendPrompt(textOnly, [image]), -32002);
      await turn(textOnly);
    },
  },
  {
    id: "F29",
    title: "$/cancelRequest on the prompt ends its turn, and the prompt is answered cancelled",
    rules: ["P-TRN-7"],
    isOurs: true,
    async run(context) {
      const { server, turn: running } = await openQuestion(context);
      const params = JSON.stringify({ id: running });
      await server.write(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":${params}}\n`);
      const cancelled = await server.response(running);
      wantSame("the prompt's result", resultOf(cancelled), { status: "cancelled" });
      wantOrder(
        server,
        "TurnEnd, the prompt's response",
        await server.next(wantedEvent("TurnEnd")),
        cancelled,
      );
      wantNone(server, wantedEvent("ToolResult"));
      await turn(server);
    },
  },
  {
    id: "S73",
    title: "a client of an older version is sent only events that its version has",
    rules: ["P-VER-2", "P-VER-3"],
    isOurs: true,
    async run(context) {
      const scripts = [
        "error: 503 busy",
        "text: Hello.",
        askingLine(),
        "text: Thanks.",
        "text: Well.",
        "text: Aside.",
      ];
      const later = ["StepRetry", "BtwBegin", "BtwEnd", "Notification", "MCPLoadingBegin", "MCPLoadingEnd"];
      const oldest = [...later, "SteerInput", "PlanDisplay", "HookTriggered", "HookResolved"];
      const clients: [introduction: object | undefined, types: readonly string[]][] = [
        [{ ...wholeClient, protocol_version: "1.7" }, later],
        [{ ...wholeClient, protocol_version: "1.4" }, oldest],
        [{ protocol_version: "1.10" }, oldest],
        [undefined, oldest],
      ];
      for (const [introduction, types] of clients) {
        const server = await context.start({ scripts, attempts: 2 });
        if (introduction !== undefined) await server.call("initialize", introduction);
        // A server may try again by itself, or leave that to the person.
        if ((await server.response(sendPrompt(server))).error !== undefined) await turn(server);
        const running = sendPrompt(server);
        if (introduction !== undefined && "capabilities" in introduction) {
          const question = await server.next(wantedRequest("QuestionRequest"));
          await server.call("steer", { user_input: "rather green" });
          answer(server, question, { "Which colour?": "Red" });
        }
        await awaitToolResult(server);
        await wantResult(server, running, { status: "finished" });
        const aside = sendPrompt(server, "/btw what is this?");
        await server.response(aside);
        for (const type of types) wantNone(server, wantedEvent(type));
      }
    },
  },
];
