import { CheckFailure } from "../../contract/check.js";
import { want, wantMembers } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  begin,
  initialize,
  openQuestion,
  saidTo,
  sendPrompt,
  wantResult,
} from "../conversation.js";
import { resultOf, type ServerMessage, wantedRequest } from "../messages.js";
import { askingLine } from "../scripts.js";

/** A line of the client and the server's reaction, in any state. */
interface Row {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly isOurs?: boolean;
  /** The lines, each written unchanged. */
  readonly lines: readonly string[];
  /** The error for each line; undefined: silence. */
  readonly error?: { readonly id: string | null; readonly code: number };
}

const rows: readonly Row[] = [
  {
    id: "E01",
    title: "no JSON, a blank line: -32700, id null",
    rules: ["P-ENV-1"],
    lines: ["{not json", "", "{} {}"],
    error: { id: null, code: -32700 },
  },
  {
    id: "E02",
    title: "JSON that is not one object: -32600, id null",
    rules: ["P-ENV-2"],
    lines: ["[]", '[{"jsonrpc":"2.0","id":"a","method":"x"}]', '"x"', "5", "null"],
    error: { id: null, code: -32600 },
  },
  {
    id: "E03",
    title: 'jsonrpc that is not the text "2.0": -32600, id null',
    rules: ["P-ENV-3"],
    lines: ['{"jsonrpc":"1.0","id":"a","method":"x"}', '{"jsonrpc":2.0,"id":"a","method":"x"}'],
    error: { id: null, code: -32600 },
  },
  {
    id: "E04",
    title: "jsonrpc absent: accepted",
    rules: ["P-ENV-3"],
    lines: ['{"id":"a","method":"conformance/none"}'],
    error: { id: "a", code: -32601 },
  },
  {
    id: "E05",
    title: "an id that is neither a text, an integer nor null: -32600, id null",
    rules: ["P-ENV-4"],
    lines: ["1.5", "true", "{}", "[]"].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"x"}`),
    error: { id: null, code: -32600 },
  },
  {
    id: "E06",
    title: "a method without an id, or with id null: silence, and nothing runs",
    rules: ["P-ENV-6"],
    lines: [
      '{"jsonrpc":"2.0","method":"conformance/none"}',
      '{"jsonrpc":"2.0","method":"prompt","params":{"user_input":"no"}}',
      '{"jsonrpc":"2.0","id":null,"method":"cancel"}',
      '{"jsonrpc":"2.0","method":"initialize","params":{"protocol_version":"1.10"}}',
    ],
  },
  {
    id: "E07",
    title: 'the id "" is valid',
    rules: ["P-ENV-4"],
    lines: ['{"jsonrpc":"2.0","id":"","method":"conformance/none"}'],
    error: { id: "", code: -32601 },
  },
  {
    id: "E08",
    title: "a method that is no text: -32600, id null",
    rules: ["P-ENV-5"],
    lines: ["5", "null", "{}"].map((method) => `{"jsonrpc":"2.0","id":"a","method":${method}}`),
    error: { id: null, code: -32600 },
  },
  {
    id: "E09",
    title: "an unknown method, also event, request, and another case: -32601, id echoed",
    rules: ["P-MSG-3", "P-MSG-8"],
    lines: ["event", "request", "", "Prompt", "toString"].map(
      (method) => `{"jsonrpc":"2.0","id":"a","method":"${method}"}`,
    ),
    error: { id: "a", code: -32601 },
  },
  {
    id: "E10",
    title: "a known method with params that do not fit: -32602, id echoed",
    rules: ["P-ERR-1"],
    lines: [
      '{"jsonrpc":"2.0","id":"a","method":"prompt","params":{"user_input":5}}',
      '{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}',
      '{"jsonrpc":"2.0","id":"a","method":"steer","params":{}}',
      '{"jsonrpc":"2.0","id":"a","method":"set_plan_mode","params":{"enabled":[]}}',
    ],
    error: { id: "a", code: -32602 },
  },
  {
    id: "E11",
    title: "an object with neither method nor result nor error: silence",
    rules: ["P-ENV-9"],
    lines: ["{}", '{"jsonrpc":"2.0"}', '{"id":"a"}', '{"jsonrpc":"2.0","id":"a"}'],
  },
  {
    id: "E12",
    title: "a method together with a result or an error: silence",
    rules: ["P-ENV-7"],
    isOurs: true,
    lines: [
      '{"jsonrpc":"2.0","id":"a","method":"conformance/none","result":{}}',
      '{"jsonrpc":"2.0","id":"a","method":"cancel","error":{"code":1,"message":"no"}}',
    ],
  },
  {
    id: "E13",
    title: "a response whose error is not {code: integer, message: text}: -32600, id null",
    rules: ["P-ENV-8"],
    isOurs: true,
    lines: ['"no"', '{"code":"1","message":"no"}', '{"code":1}', "5"].map(
      (error) => `{"jsonrpc":"2.0","id":"a","error":${error}}`,
    ),
    error: { id: null, code: -32600 },
  },
  {
    id: "E14",
    title: "a response to an unknown id: silence",
    rules: ["P-ENV-9"],
    lines: ['{"jsonrpc":"2.0","id":"a","result":{}}', '{"jsonrpc":"2.0","id":null,"result":{}}'],
  },
  {
    id: "E15",
    title: "unknown members at any level: ignored",
    rules: ["P-ENV-10"],
    lines: ['{"jsonrpc":"2.0","id":"a","method":"conformance/none","x_more":1,"params":{"x_more":[]}}'],
    error: { id: "a", code: -32601 },
  },
];

function wantReactions(came: readonly ServerMessage[], { lines, error }: Row): void {
  if (error === undefined) return want(came.length === 0, "silence", came);
  for (const [index, line] of lines.entries()) {
    const { id, code } = error;
    wantMembers(`for the line ${line} an error`, came[index], { id, error: { code, data: null } });
  }
  want(came.length === lines.length, "one error for each line", came);
}

/** Names the state in a failure. */
async function inState(state: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    throw new CheckFailure(`${error.expected} (${state})`, error.received);
  }
}

function rowCheck(row: Row): ServerCheck {
  return {
    id: row.id,
    title: `in every state: ${row.title}`,
    rules: row.rules,
    isOurs: row.isOurs === true,
    async run(context) {
      // Thoughts and texts in turn are a record each, so the replay has something to do.
      const long = "think: Hm.\ntext: Well.\n".repeat(200);
      const server = await context.start({ scripts: [askingLine(), long] });
      const write = async () => {
        for (const line of row.lines) await server.write(`${line}\n`);
      };
      const react = async () => wantReactions(await saidTo(server, write), row);
      await inState("before initialize", react);
      await initialize(server);
      await inState("idle", react);
      const running = sendPrompt(server);
      const question = await server.next(wantedRequest("QuestionRequest"));
      await inState("while a question is open", react);
      answer(server, question, { "Which colour?": "Red" });
      await wantResult(server, running, { status: "finished" });
      await inState("during a replay", async () => {
        let replay = "";
        const said = await saidTo(server, () => {
          replay = server.request("replay");
          return write();
        });
        // Replayed messages come beside the reactions.
        const own = ({ method, id }: ServerMessage) => method === undefined && id !== replay;
        wantReactions(said.filter(own), row);
        wantMembers("the result of replay", resultOf(await server.response(replay)), { status: "finished" });
      });
    },
  };
}

/** The reactions of the envelope before `initialize`, idle, while a question is open, and during a replay. */
export const envelopeStateChecks: readonly ServerCheck[] = [
  ...rows.map(rowCheck),
  {
    id: "E16",
    title: "a response with a result and an error counts as the error",
    rules: ["P-ENV-9", "P-ANS-5"],
    async run(context) {
      const { server, question } = await openQuestion(context);
      const { id } = question;
      const result = { request_id: id, answers: { "Which colour?": "Red" } };
      server.send({ jsonrpc: "2.0", id, result, error: { code: -32000, message: "closed" } });
      const { output } = await awaitToolResult(server);
      want(!String(output).includes("Red"), "no answer in the result of the tool", output);
    },
  },
  {
    id: "E17",
    title: "two live requests with the same id are both answered; the two sides' ids are apart",
    rules: ["P-ENG-1"],
    async run(context) {
      const { server, question, turn } = await openQuestion(context);
      const twice = { jsonrpc: "2.0", id: "twice", method: "conformance/none" };
      server.send(twice);
      server.send(twice);
      for (const _ of [1, 2])
        wantMembers("an error", await server.response("twice"), { error: { code: -32601 } });
      server.send({ jsonrpc: "2.0", id: question.id, method: "conformance/none" });
      const own = await server.response(String(question.id));
      wantMembers("an error", own, { error: { code: -32601 } });
      answer(server, question, { "Which colour?": "Red" });
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "E18",
    title: "a message nested too deep, and $/cancelRequest without params, do no harm",
    rules: ["P-LIM-3", "P-ENG-5"],
    isOurs: true,
    async run(context) {
      const server = await context.start();
      const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
      await server.write(`{"jsonrpc":"2.0","id":"deep","method":"conformance/none","params":${deep}}\n`);
      wantMembers("an error", await server.response(null), { error: { code: -32600 } });
      for (const params of ["", ',"params":null', ',"params":{"id":"nobody"}'])
        await server.write(`{"jsonrpc":"2.0","method":"$/cancelRequest"${params}}\n`);
      await server.quiet();
    },
  },
  {
    id: "E19",
    title: "an integer as id comes back as that integer, or is refused with -32600 and id null as Kimi does",
    rules: ["P-FRM-5", "P-ENV-4"],
    async run(context) {
      const server = await begin(context);
      const ids = [1, 0, -7, Number.MAX_SAFE_INTEGER];
      const line = (id: unknown) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "conformance/none" })}\n`;
      const said = await saidTo(server, async () => {
        for (const id of ids) await server.write(line(id));
        await server.write(line("1"));
      });
      const answered = { id: "1", error: { code: -32601 } };
      wantMembers('for the id "1" an error', said.at(-1), answered);
      want(said.length === ids.length + 1, "one error for each line", said);
      const refuses = said[0]?.id === null;
      for (const [index, id] of ids.entries()) {
        const error = refuses ? { id: null, error: { code: -32600 } } : { id, error: { code: -32601 } };
        wantMembers(`for the id ${id} an error`, said[index], error);
      }
    },
  },
];
