import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  awaitToolResult,
  begin,
  fail,
  reply,
  sendPrompt,
  turn,
  wantError,
  wantNone,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { payloadOf, wantedRequest } from "../messages.js";
import { calls } from "../scripts.js";
import { look, seen as whole } from "../tools.js";
import type { WireServer } from "../wire-server.js";

/** A client's end of a call of its tool, and the expected result of the tool. */
interface Case {
  answer(server: WireServer, id: unknown): void;
  wants(value: Record<string, unknown>): void;
}

/** Calls the client's tool once for each case, in one process, a turn for each. */
async function each(context: ServerContext, cases: readonly Case[]): Promise<void> {
  const scripts = cases.flatMap((_, index) => [
    calls("look", { where: "garden" }, `tc-${index}`),
    "text: Seen.",
  ]);
  const server = await begin(context, { scripts }, { ...wholeClient, external_tools: [look] });
  for (const [index, { answer, wants }] of cases.entries()) {
    const running = sendPrompt(server);
    const call = await server.next(wantedRequest("ToolCallRequest"));
    const { name, arguments: args } = payloadOf(call);
    wantSame("the name in ToolCallRequest", name, "look");
    wantSame("the arguments in ToolCallRequest", JSON.parse(String(args)), { where: "garden" });
    answer(server, call.id);
    wants(await awaitToolResult(server, `tc-${index}`));
    await wantResult(server, running, { status: "finished" });
  }
}

const returns = (return_value: unknown, wants: Case["wants"]): Case => ({
  answer: (server, id) => reply(server, id, { tool_call_id: id, return_value }),
  wants,
});

const isError: Case["wants"] = (value) => wantMembers("the result of the tool", value, { is_error: true });

/** S63 to S65, F41 and F42: tools that the client brings. */
export const externalToolChecks: readonly ServerCheck[] = [
  {
    id: "S63",
    title:
      "a client's tool: its result, text or parts, is the ToolResult; an unknown display block keeps its data",
    rules: ["P-EXT-4", "P-MSG-5", "P-MSG-2"],
    async run(context) {
      const same =
        (expected: object): Case["wants"] =>
        (value) =>
          wantSame("the result of the tool", value, { extras: null, ...expected });
      const parts = { ...whole, output: [{ type: "text", text: "a tree" }] };
      const shown = {
        ...whole,
        display: [
          { type: "brief", text: "A tree" },
          { type: "x_map", zoom: 3 },
        ],
      };
      await each(context, [
        returns(whole, same(whole)),
        returns(parts, same(parts)),
        returns(
          { ...whole, is_error: true, message: "dark" },
          same({ ...whole, is_error: true, message: "dark" }),
        ),
        returns(
          shown,
          same({
            ...whole,
            display: [
              { type: "brief", text: "A tree" },
              { type: "x_map", data: { zoom: 3 } },
            ],
          }),
        ),
      ]);
    },
  },
  {
    id: "S64",
    title:
      "a client's tool that answers with an error, a malformed result or an unknown part: a failed ToolResult",
    rules: ["P-EXT-8", "P-MSG-4"],
    isOurs: true,
    async run(context) {
      await each(context, [
        {
          answer: (server, id) => fail(server, id, -32000, "it is night"),
          wants: (value) => {
            isError(value);
            want(JSON.stringify(value).includes("it is night"), "the error's message in the result", value);
          },
        },
        returns(undefined, isError),
        returns({ is_error: false }, isError),
        returns({ ...whole, output: 5 }, isError),
        returns({ ...whole, output: [{ type: "hologram" }] }, isError),
        { answer: (server, id) => reply(server, id, null), wants: isError },
      ]);
    },
  },
  {
    id: "S65",
    title: "arguments that break the schema of a client's tool: no request, and an error for the model",
    rules: ["P-EXT-5"],
    async run(context) {
      const bad = [{}, { where: 5 }];
      const scripts = [...bad.map((args, index) => calls("look", args, `tc-${index}`)), "text: Sorry."];
      const server = await begin(context, { scripts }, { ...wholeClient, external_tools: [look] });
      await turn(server);
      for (const index of bad.keys()) isError(await awaitToolResult(server, `tc-${index}`));
      wantNone(server, wantedRequest("ToolCallRequest"));
    },
  },
  {
    id: "F41",
    title: "a result that is too long to be sent is cut, and says so",
    rules: ["P-LIM-4", "P-LIM-1"],
    isOurs: true,
    async run(context) {
      const output = "long text ".repeat(1_800_000);
      await each(context, [
        returns({ ...whole, output }, (value) => {
          const cut = String(value.output);
          want(cut.length < 16_777_216, "an output that fits into 16,777,216 characters", cut.length);
          want(cut.startsWith("long text long text"), "the beginning of the output", cut.slice(0, 80));
          want(!output.startsWith(cut), "a word about the cut at the end", cut.slice(-80));
        }),
      ]);
    },
  },
  {
    id: "F43",
    title:
      "a client's tool without a name, a description or parameters: -32602, and none is there to be called",
    rules: ["P-ERR-1", "P-EXT-1"],
    async run(context) {
      const server = await begin(context, { scripts: [calls("look", { where: "garden" }), "text: I see."] });
      for (const name of ["name", "description", "parameters"] as const) {
        const { [name]: _, ...less } = look;
        const params = { ...wholeClient, external_tools: [look, less] };
        await wantError(server, server.request("initialize", params), -32602);
      }
      const running = sendPrompt(server);
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
      await wantResult(server, running, { status: "finished" });
      wantNone(server, wantedRequest("ToolCallRequest"));
    },
  },
  {
    id: "F42",
    title: "two calls of a client's tool that the model gave one id are two requests, the second with #2",
    rules: ["P-EXT-7", "P-ENG-1"],
    isOurs: true,
    async run(context) {
      const script = `${calls("look", { where: "garden" })}\n${calls("look", { where: "cellar" })}`;
      const options = { scripts: [script, "text: Seen."] };
      const server = await begin(context, options, { ...wholeClient, external_tools: [look] });
      const running = sendPrompt(server);
      const first = await server.next(wantedRequest("ToolCallRequest"));
      const second = await server.next(wantedRequest("ToolCallRequest"));
      wantSame("the ids of the requests", [first.id, second.id], ["tc-1", "tc-1#2"]);
      for (const { id } of [second, first]) reply(server, id, { tool_call_id: id, return_value: whole });
      for (const _ of [first, second])
        wantMembers("a result", await awaitToolResult(server), { is_error: false });
      await wantResult(server, running, { status: "finished" });
    },
  },
];
