// @ts-check
// A program that answers its agent by itself, without a client: each question and approval by a line of standard input,
// the number of an option or own words. An empty line declines; the end of the input answers nothing, and ends the program.

import { modelAgent, scriptedModel } from "@askwire/agent";
import { textLines } from "@askwire/client/stdio";
import { klaude } from "@askwire/dialects";
import { createServer, defineTool, requireApproval } from "@askwire/server";
import { userInteractions } from "@askwire/server/user-interactions";
import * as z from "zod";

const publish = defineTool({
  name: "Publish",
  description: "Publishes the notes.",
  parameters: z.object({}),
  async run() {
    await requireApproval({ action: "publish", description: "Publishes the notes" });
    return "published";
  },
});

const questions = [
  {
    question: "Which format?",
    header: "Format",
    options: [
      { label: "HTML", description: "one page", markdown: "<h1>Notes</h1>" },
      { label: "PDF", description: "to print" },
    ],
    multiSelect: false,
  },
];
/** @param {string} name @param {object} args */
const call = (name, args) =>
  `tool_call: ${JSON.stringify({ id: name, name, arguments: JSON.stringify(args) })}`;
const model = scriptedModel([call("AskUserQuestion", { questions }), call("Publish", {}), "text: Done."]);

// #region user-interactions
const agent = modelAgent({ model, tools: [publish] });
const server = createServer({ agent, dialects: [klaude()] });
const session = server.createSession();
const channel = userInteractions(session);

/** Answers the requests of the channel in turn, until the session ends. */
async function answerAll() {
  for (;;) {
    const request = await channel.nextRequest();
    if (request === undefined) return;
    channel.respond(request.request_id, session.id, await answer(request.payload));
  }
}

/**
 * @param {import("@askwire/server/user-interactions").UserInteractionPayload} payload
 * @returns {Promise<import("@askwire/server/user-interactions").UserInteractionResponse>}
 */
async function answer(payload) {
  if (payload.kind === "operation_select") {
    const { option } = await choose(payload);
    if (option === undefined) return { status: "cancelled", payload: null };
    return { status: "submitted", payload: { kind: payload.kind, selected_option_id: option.id } };
  }
  const answers = [];
  for (const question of payload.questions) {
    const { option, text } = await choose(question);
    if (option === undefined && text === "") return { status: "cancelled", payload: null };
    answers.push(
      option === undefined
        ? { question_id: question.id, selected_option_ids: ["__other__"], other_text: text }
        : { question_id: question.id, selected_option_ids: [option.id] },
    );
  }
  return { status: "submitted", payload: { kind: payload.kind, answers } };
}
// #endregion user-interactions

const lines = textLines(process.stdin);

/**
 * Prints a question and reads a line: the number of an option, or own words.
 *
 * @param {{ question: string, options: readonly { id: string, label: string }[] }} asked
 */
async function choose({ question, options }) {
  console.log(question);
  options.forEach(({ label }, index) => {
    console.log(`  ${index + 1} ${label}`);
  });
  const { done, value } = await lines.next();
  if (done) {
    console.error("The input has ended, so nobody here can answer.");
    process.exit(4);
  }
  const text = value.trim();
  return { option: options[Number(text) - 1], text };
}

const answering = answerAll();
const { status } = await session.prompt("Publish the notes.");
console.log(`The turn is ${status}, with ${channel.pending} open.`);
await server.close();
await answering;
process.stdin.destroy();
