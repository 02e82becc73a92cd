import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import {
  askClient,
  finish,
  probing,
  type RunTurn,
  startTurn,
  survives,
  takeResponse,
  takesQuestions,
  wantAnswers,
  wantGoesOn,
} from "../conversation.js";
import type { ClientMessage } from "../line.js";
import { goOn, textMessage } from "../server-messages.js";

/** A message as one line of bytes. */
function line(message: object, ending = "\n"): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}${ending}`);
}

/** Words in an unusual spelling, in a request that has to be answered all the same. */
async function written(
  context: ClientContext,
  words: string,
  write: (turn: RunTurn, message: object) => void | Promise<void>,
): Promise<void> {
  const turn = await startTurn(context);
  const probe = probing(turn.agent, words);
  await write(turn, probe.message);
  probe.wantRead(await takeResponse(turn.agent, probe.id));
  await finish(turn);
}

/**
 * Sends a request in two parts. The first comes behind another request, whose answer proves that the first part was
 * read.
 */
async function askCut({ agent }: RunTurn, words: string): Promise<void> {
  const before = probing(agent, goOn.question);
  const probe = probing(agent, words);
  const bytes = line(probe.message);
  const cut = bytes.indexOf(words) + 1;
  agent.send(line(before.message), bytes.subarray(0, cut));
  before.wantRead(await takeResponse(agent, before.id));
  agent.send(bytes.subarray(cut));
  probe.wantRead(await takeResponse(agent, probe.id));
}

const junk = (words: readonly string[]) => (context: ClientContext) =>
  survives(context, ({ agent }) => agent.send(...words.map((word) => `${word}\n`)));

const LONG = 20 * 1_048_576;
/** Characters that some readers of lines take for a line's end. */
const SEPARATORS = "one\u2028two\u2029three";

/** Checks of messages as lines, and lines as messages. */
export const lineChecks: readonly ClientCheck[] = [
  check(
    "C08",
    "Lines that come several at once, or in parts that are cut inside a character, are each read once",
    ["P-FRM-1", "P-FRM-2"],
    async (context) => {
      const turn = await startTurn(context);
      for (const question of ["ö?", "—?", "😀?"]) await askCut(turn, question);
      await finish(turn);
    },
  ),

  check("C09", "U+2028 and U+2029 in a message do not end its line", ["P-FRM-2"], async (context) => {
    await written(context, SEPARATORS, ({ agent }, message) => agent.send(line(message)));
  }),

  check("C10", "A line may end with CR LF", [], async (context) => {
    await written(context, goOn.question, ({ agent }, message) => agent.send(line(message, "\r\n")));
  }),

  ours(
    check(
      "C11",
      "A blank line, null, a number, a text and an array do no harm, and are not answered",
      ["P-CLW-3"],
      async (context) => {
        const { agent } = await junk(["", "null", "5", '"x"', "[]"])(context);
        const reply = agent.messages.find(({ id, method }) => method === undefined && id === null);
        want(reply === undefined, "no answer to what is no message", reply);
      },
    ),
  ),

  ours(
    check(
      "C12",
      "A line that is no JSON does no harm, and bytes that are no UTF-8 are read as U+FFFD",
      ["P-CLW-3", "P-FRM-2"],
      async (context) => {
        await junk(['{"jsonrpc": "2.0", "method"', "Traceback:"])(context);
        await written(context, "\ufffd?", ({ agent }, message) => {
          const [before = "", after = ""] = line(message).toString().split("\ufffd");
          agent.send(before, Uint8Array.of(0xff), after);
        });
      },
    ),
  ),

  check("C13", "A line of 20 MB is read", ["P-LIM-1"], async (context) => {
    await survives(context, ({ agent }) => agent.send(textMessage(" ".repeat(LONG))));
  }),

  ours(
    check(
      "C14",
      "The client writes one message a line, in UTF-8, with U+2028, U+2029 and lone surrogates escaped or replaced",
      ["P-FRM-1", "P-FRM-3", "P-FRM-4", "P-FRM-5"],
      async (context) => {
        const turn = await startTurn(context, { prompt: SEPARATORS });
        const { user_input } = isObject(turn.prompt.params) ? turn.prompt.params : {};
        const input = isArrayOfOne(user_input) ? user_input[0] : user_input;
        if (isObject(input)) wantMembers("the prompt", input, { type: "text", text: SEPARATORS });
        else wantSame("the prompt", input, SEPARATORS);
        const asked = [{ question: `${SEPARATORS}\ud800`, labels: ["Yes", "No"] }];
        const said = takesQuestions(turn.agent) ? await askClient(turn, asked) : await wantGoesOn(turn);
        await finish(turn);
        context.wantWholeMessages();
        const requests = turn.agent.lines
          .map(wantLine)
          .filter(({ id, method }) => method !== undefined && id !== undefined);
        const ids = requests.map(({ id }) => id);
        want(new Set(ids).size === ids.length, "a different id for each request", ids);
        want(
          ids.every((id) => typeof id === "string"),
          "ids that are texts",
          ids,
        );
        if (said) wantAnswers(said.response, said.id, { [`${SEPARATORS}\ufffd`]: "Yes" });
      },
    ),
  ),
];

const decoder = new TextDecoder("utf-8", { fatal: true });

function isArrayOfOne(value: unknown): value is [unknown] {
  return Array.isArray(value) && value.length === 1;
}

/** Wants a line that is a message to be as every reader can read it. */
function wantLine(bytes: Uint8Array): ClientMessage {
  let words: string;
  try {
    words = decoder.decode(bytes);
  } catch {
    words = Buffer.from(bytes).toString();
    want(false, "lines in UTF-8", words);
  }
  want(!/[\u2028\u2029]/.test(words), "U+2028 and U+2029 as escapes", words);
  let lone = false;
  const message: ClientMessage = JSON.parse(words, (key, value) => {
    lone ||= /\p{Surrogate}/u.test(key) || (typeof value === "string" && /\p{Surrogate}/u.test(value));
    return value;
  });
  wantSame("jsonrpc", message.jsonrpc, "2.0");
  want(!lone, "no lone surrogate", words);
  return message;
}
