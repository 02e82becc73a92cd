import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  openQuestion,
  sendPrompt,
  turn,
  wantError,
  wantNone,
  wantResult,
  wantSilence,
} from "../conversation.js";
import { payloadOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

async function writeAll(server: WireServer, lines: readonly string[]): Promise<void> {
  for (const line of lines) await server.write(`${line}\n`);
}

/** Writes lines one after the other and wants each to be answered with an error that names no request. */
async function refuses(server: WireServer, code: number, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await server.write(`${line}\n`);
    await wantError(server, null, code);
  }
  await server.quiet();
}

/** Writes lines and wants nothing to come for them. */
function ignores(server: WireServer, lines: readonly string[]): Promise<void> {
  return wantSilence(server, () => writeAll(server, lines));
}

/** S11 to S26: lines that are not as they should be, and lines that only look so. */
export const envelopeChecks: readonly ServerCheck[] = [
  {
    id: "S11",
    title: "a line that is no JSON is answered with -32700 and id null, and the connection lives",
    rules: ["P-ENV-1", "P-ERR-4"],
    async run(context) {
      await refuses(await begin(context), -32700, ["{not json", '{"a":', "}", "\u0000"]);
    },
  },
  {
    id: "S12",
    title: "a blank line is answered with -32700 and id null",
    rules: ["P-ENV-1"],
    async run(context) {
      await refuses(await begin(context), -32700, ["", "   ", "\t\r"]);
    },
  },
  {
    id: "S13",
    title: "a JSON array, text, number or null is answered with -32600 and id null",
    rules: ["P-ENV-2"],
    async run(context) {
      const batch = '[{"jsonrpc":"2.0","id":"a","method":"cancel"}]';
      await refuses(await begin(context), -32600, ["[]", batch, '"x"', "5", "null", "true"]);
    },
  },
  {
    id: "S14",
    title: "an id that is a fraction, a boolean, an object or an array is answered with -32600 and id null",
    rules: ["P-ENV-4"],
    async run(context) {
      const ids = ["1.5", "-0.1", "true", "{}", "[]"];
      const lines = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"cancel"}`);
      await refuses(await begin(context), -32600, lines);
    },
  },
  {
    id: "S15",
    title:
      'a jsonrpc that is not the text "2.0" is answered with -32600; without jsonrpc a request is accepted',
    rules: ["P-ENV-3"],
    async run(context) {
      const server = await begin(context);
      const versions = ['"1.0"', "2.0", "null", '"2"'];
      const lines = versions.map((version) => `{"jsonrpc":${version},"id":"a","method":"cancel"}`);
      await refuses(server, -32600, lines);
      await server.write('{"id":"without","method":"conformance/none"}\n');
      await wantError(server, "without", -32601);
    },
  },
  {
    id: "S16",
    title: "an unknown method is answered with -32601 and its id; without an id with silence",
    rules: ["P-MSG-3", "P-MSG-8", "P-ENV-6"],
    async run(context) {
      const server = await begin(context);
      for (const method of ["conformance/none", "", "Prompt", "constructor", "__proto__"])
        await wantError(server, server.request(method), -32601);
      await ignores(server, ['{"jsonrpc":"2.0","method":"conformance/none"}']);
    },
  },
  {
    id: "S17",
    title: "prompt or cancel without an id is met with silence, and nothing runs",
    rules: ["P-ENV-6"],
    async run(context) {
      const { server, question, turn: running } = await openQuestion(context);
      await ignores(server, [
        '{"jsonrpc":"2.0","method":"cancel"}',
        '{"jsonrpc":"2.0","id":null,"method":"cancel","params":{}}',
      ]);
      answer(server, question, { "Which colour?": "Red" });
      await wantResult(server, running, { status: "finished" });
      await ignores(server, ['{"jsonrpc":"2.0","method":"prompt","params":{"user_input":"hello"}}']);
    },
  },
  {
    id: "S18",
    title: "event or request as a method of the client is answered with -32601",
    rules: ["P-MSG-3"],
    async run(context) {
      const server = await begin(context);
      const params = { type: "TurnEnd", payload: {} };
      await wantError(server, server.request("event", params), -32601);
      await wantError(server, server.request("request", params), -32601);
    },
  },
  {
    id: "S19",
    title: "a response to an unknown id, with a result or an error, is met with silence",
    rules: ["P-ENV-9"],
    async run(context) {
      await ignores(await begin(context), [
        '{"jsonrpc":"2.0","id":"nobody","result":{}}',
        '{"jsonrpc":"2.0","id":"nobody","error":{"code":-32000,"message":"no"}}',
      ]);
    },
  },
  {
    id: "S20",
    title:
      "a response whose error is a text is answered with -32600 and id null, and its request stays answerable",
    rules: ["P-ENV-8", "P-ENG-4"],
    async run(context) {
      const { server, question, turn: running } = await openQuestion(context);
      await refuses(server, -32600, [`{"jsonrpc":"2.0","id":${JSON.stringify(question.id)},"error":"no"}`]);
      answer(server, question, { "Which colour?": "Red" });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S21",
    title: "a line that ends with CR LF, a padded one, and a last one without a line feed are handled",
    rules: ["P-FRM-2"],
    async run(context) {
      const server = await begin(context);
      await server.write('{"jsonrpc":"2.0","id":"crlf","method":"conformance/none"}\r\n');
      await wantError(server, "crlf", -32601);
      await server.write('  \t{"jsonrpc":"2.0","id":"padded","method":"conformance/none"}  \n');
      await wantError(server, "padded", -32601);
      await server.write('{"jsonrpc":"2.0","id":"last","method":"conformance/none"}');
      server.end();
      await wantError(server, "last", -32601);
      wantSame("the exit status", (await server.exit).status, 0);
    },
  },
  {
    id: "S22",
    title:
      "two messages in one write, one in many writes, and one cut inside a character are each handled once",
    rules: ["P-FRM-1", "P-FRM-2"],
    isOurs: true,
    async run(context) {
      const server = await begin(context, { scripts: ["text: Hello."] });
      const line = (id: string) => `{"jsonrpc":"2.0","id":"${id}","method":"conformance/none"}\n`;
      await server.write(line("one") + line("two"));
      await wantError(server, "one", -32601);
      await wantError(server, "two", -32601);
      const text = "é😀\u2028z";
      const bytes = Buffer.from(
        `${JSON.stringify({ jsonrpc: "2.0", id: "cut", method: "prompt", params: { user_input: text } })}\n`,
      );
      for (const byte of bytes) await server.write(Uint8Array.of(byte));
      await wantResult(server, "cut", { status: "finished" });
      const begun = server.messages.filter(wantedEvent("TurnBegin").fits).map(payloadOf);
      wantSame("the turns begun", begun, [{ user_input: text }]);
    },
  },
  {
    id: "S23",
    title: "a prompt of 5 MB is handled",
    rules: ["P-LIM-1"],
    async run(context) {
      const server = await begin(context, { scripts: ["text: Long."] });
      const input = "long text ".repeat(500_000);
      const running = sendPrompt(server, input);
      const { user_input } = payloadOf(await server.next(wantedEvent("TurnBegin")));
      want(
        user_input === input,
        "TurnBegin with the same 5,000,000 characters",
        String(user_input).slice(0, 80),
      );
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "S24",
    title: "prompt with params that are missing, null, an array, or do not fit is answered with -32602",
    rules: ["P-ENG-8", "P-ERR-1"],
    async run(context) {
      const server = await begin(context);
      const bad = [undefined, null, [], ["hello"], {}, { user_input: 5 }, { user_input: [{ type: "text" }] }];
      for (const params of bad) await wantError(server, server.request("prompt", params), -32602);
      wantNone(server, wantedEvent("TurnBegin"));
    },
  },
  {
    id: "S25",
    title: "a prompt with a content part of an unknown type is answered with -32602, and the process lives",
    rules: ["P-MSG-4"],
    async run(context) {
      const server = await begin(context, { scripts: ["text: Hello."] });
      await wantError(server, sendPrompt(server, [{ type: "hologram", hologram: 1 }]), -32602);
      await turn(server);
    },
  },
  {
    id: "S26",
    title: "lone surrogates in a prompt, an id or an answer are survived, and come back as U+FFFD",
    rules: ["P-FRM-4"],
    isOurs: true,
    async run(context) {
      const server = await begin(context, { scripts: ["text: Hello.", askingLine(), "text: Thanks."] });
      await server.write(
        '{"jsonrpc":"2.0","id":"lone","method":"prompt","params":{"user_input":"a\\ud800b"}}\n',
      );
      wantSame("TurnBegin", payloadOf(await server.next(wantedEvent("TurnBegin"))), {
        user_input: "a\ufffdb",
      });
      await wantResult(server, "lone", { status: "finished" });
      const running = sendPrompt(server);
      const { id } = await server.next(wantedRequest("QuestionRequest"));
      await server.write(
        `{"jsonrpc":"2.0","id":"${id}","result":{"request_id":"${id}","answers":{"Which colour?":"\\udc00"}}}\n`,
      );
      await wantResult(server, running, { status: "finished" });
      await server.write('{"jsonrpc":"2.0","id":"\\ud800","method":"conformance/none"}\n');
      await wantError(server, "\ufffd", -32601);
    },
  },
];
